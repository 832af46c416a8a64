// The page as a workbook: answers are checked at once, counted, kept and saved; the contents know
// where one is. Without this script everything is on the page: answers are folded, fields are for
// one's own notes. `numbers.js` comes before it.
"use strict";

(() => {
  const element = document.getElementById("workbook");
  if (!element) return;
  const {exercises, words, seed} = JSON.parse(element.textContent);
  const LAST_BITS = 1e-15;
  const boxes = new Map([...document.querySelectorAll("[data-exercise]")].map(
    box => [box.dataset.exercise, box]));
  // By question: what was typed when it was checked, whether that was right, and whether the
  // answer was looked at before.
  let answers = {};

  const within = (value, answer, tolerance) => {
    const slack = tolerance ? LAST_BITS * Math.max(Math.abs(answer), Math.abs(value)) : 0;
    return Math.abs(value - answer) <= tolerance + slack;
  };

  // Whether an answer is right, the number it was read as, and why it is wrong, as a sentence.
  function judge(id, typed) {
    const exercise = exercises[id];
    const value = exercise.choice && typed ? Number(typed) : readNumber(typed);
    if (typeof value === "string") return {right: false, value: null, reason: words[value]};
    if (exercise.degrees && inDegrees(typed))
      return {right: false, value, reason: words.inDegrees};
    if (within(value, exercise.answer, exercise.tolerance))
      return {right: true, value, reason: ""};
    return {right: false, value, reason: diagnosis(id, value)};
  }

  // What probably went wrong with a wrong value: the typical mistake that it is, rounded.
  function diagnosis(id, value) {
    const {answer, tolerance, mistakes, degrees, near, choice} = exercises[id];
    const reasons = boxes.get(id).querySelectorAll(".mistakes .reason");
    const reason = index => reasons[index].textContent;
    if (mistakes.length) {
      const distances = mistakes.map(([wrong]) => Math.abs(wrong - value));
      const nearest = distances.indexOf(Math.min(...distances));
      if (within(value, mistakes[nearest][0], mistakes[nearest][1])) return reason(nearest);
      const rounded = mistakes.findIndex(mistake => mistake[2] === value);
      if (rounded >= 0) return reason(rounded);
    }
    if (choice) return "";
    if (tolerance === 0 && !Number.isInteger(value)) return words.notWhole;
    if (within(value, -answer, tolerance)) return words.onlySign;
    if (degrees && within(value, ...degrees)) return words.inDegrees;
    return Math.abs(value - answer) <= near ? words.close : "";
  }

  // What is in the field, or the number of the line chosen.
  function typedIn(box) {
    const field = box.querySelector("input[type=text], input:checked");
    return field ? field.value.trim() : "";
  }

  function check(id) {
    const typed = typedIn(boxes.get(id)), {right, value} = judge(id, typed);
    if (value !== null) answers[id] = {typed, right, shown: false};
    show(id, typed);
    keep();
    count();
  }

  // The verdict on an answer; one that is right cannot be changed any more.
  function show(id, typed) {
    const box = boxes.get(id), {right, value, reason} = judge(id, typed);
    const word = value === null ? "" : words[right ? "right" : "wrong"] + ".";
    const output = box.querySelector("output");
    output.textContent = `${word} ${reason}`.trim();
    output.className = right ? "good" : "bad";
    if (right) {
      lock(box);
      box.classList.add("done");
      box.querySelector(".solution").open = true;
    }
  }

  function lock(box) {
    for (const each of box.querySelectorAll("input, button")) each.disabled = true;
  }

  // An answer that is looked at before the right one was given: its question is done.
  function reveal(id) {
    if (!answers[id]?.right) answers[id] = {typed: "", ...answers[id], shown: true};
    lock(boxes.get(id));
    keep();
    count();
  }

  // Answers outlive a reload where the browser allows it.
  const PLACE = `rope-report ${location.pathname} ${document.documentElement.lang} ${seed ?? ""}`;
  function keep() {
    try { sessionStorage.setItem(PLACE, JSON.stringify(answers)); } catch { /* not allowed */ }
  }
  function remember() {
    let kept = {};
    try { kept = JSON.parse(sessionStorage.getItem(PLACE)) ?? {}; } catch { /* not allowed */ }
    for (const [id, {typed, shown}] of Object.entries(kept)) {
      const box = boxes.get(id);
      if (!box) continue;
      const field = box.querySelector("input[type=text]");
      if (field) field.value = typed;
      for (const line of box.querySelectorAll("input[type=radio]"))
        line.checked = line.value === typed;
      answers[id] = kept[id];
      if (typed) show(id, typed);
      if (shown) lock(box);
    }
  }

  function count() {
    const given = Object.values(answers).filter(answer => answer.typed);
    const values = {
      right: given.filter(answer => answer.right).length,
      answered: given.length,
      left: boxes.size - Object.keys(answers).length,
    };
    document.querySelector(".progress output").textContent =
      words[given.length ? "score" : "unanswered"].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  }

  // The file that `rope-report mark` reads.
  function file() {
    const lines = [`seed: ${seed ?? "none"}`];
    for (const id of boxes.keys())
      if (answers[id]?.typed) lines.push(`${id}: ${answers[id].typed}`);
    return lines.join("\n") + "\n";
  }
  function save() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([file()], {type: "text/plain"}));
    // mark takes the student's name from that of the file.
    const name = document.querySelector(".progress .name").value.replace(/[^\p{L}\p{N} _-]/gu, "");
    link.download = `${name.trim() || "answers"}.txt`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  function forget() {
    answers = {};
    keep();
    location.reload();
  }

  remember();
  for (const [id, box] of boxes) {
    box.querySelector(".check").hidden = false;
    box.querySelector(".check").addEventListener("click", () => check(id));
    box.addEventListener("keydown", event => {
      if (event.key === "Enter" && event.target.matches("input")) check(id);
    });
    const solution = box.querySelector(".solution");
    if (!solution.open)
      solution.addEventListener("toggle", () => { if (solution.open) reveal(id); });
  }
  const progress = document.querySelector(".progress");
  if (progress) {
    count();
    progress.hidden = false;
    progress.querySelector(".save").addEventListener("click", save);
    progress.querySelector(".forget").addEventListener("click", forget);
  }
})();
