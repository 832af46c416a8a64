// The report screen by screen, for a room: a question, then its answer, one idea a screen.
// A screen holds copies of what the page holds, in letters as large as there is room for.
"use strict";
(() => {
  const dialog = document.querySelector(".presentation");
  if (!dialog) return;

  const opener = document.querySelector("button.present");
  const screen = dialog.querySelector(".screen");
  const sections = [...document.querySelectorAll("main > section[id]")].filter((section) =>
    section.querySelector(".question"));
  // Sizes of letters on a screen of 1280 x 720; larger screens have larger ones.
  const LARGEST = 36, LARGE = 26, SMALLEST = 20, LAST_RESORT = 10;
  // What is shown as it is, and what is not shown: forms, links, and checks that hold.
  const WHOLE = "p, ul, ol, dl, pre, figure, table, math, .scroll";
  const LEFT_OUT = "h2, summary, form, nav, script, .question, .steps, [data-exercise]";
  const PICTURED = ".scroll, figure, table, pre";

  // What a section shows, in order, with the insides of whatever folds.
  function blocksOf(element) {
    return [...element.children].flatMap((child) => {
      if (child.matches(LEFT_OUT)) return [];
      if (child.matches(WHOLE))
        return child.querySelector(".checks") && !child.querySelector(".bad") ? [] : [child];
      return blocksOf(child);
    });
  }

  const leadsOn = (block) => block.textContent.trim().endsWith(":");

  // A table or picture begins an idea; the sentences after it belong to it, and so does one before
  // it that ends with a colon. A formula belongs to its sentence.
  function ideasOf(blocks) {
    const ideas = [];
    for (const block of blocks) {
      const last = ideas.at(-1), said = last?.at(-1);
      if (!last || (block.matches(PICTURED) && said.matches("p") && !leadsOn(said)))
        ideas.push([block]);
      else last.push(block);
    }
    return ideas;
  }

  // A copy without names that would stand twice on the page, everything in it open.
  function copyOf(block) {
    const copy = block.cloneNode(true);
    for (const each of [copy, ...copy.querySelectorAll("*")]) {
      each.removeAttribute("id");
      each.removeAttribute("tabindex");
      if (each.matches("details")) each.open = true;
    }
    return copy;
  }

  function show(nodes, size) {
    screen.replaceChildren(...nodes);
    const scale = Math.min(innerWidth / 1280, innerHeight / 720);
    screen.style.fontSize = `${size * scale}px`;
  }

  const fits = () => screen.scrollHeight <= screen.clientHeight &&
    [screen, ...screen.querySelectorAll(".scroll, pre")].every((each) =>
      each.scrollWidth <= each.clientWidth);

  // The largest size of letters at which the nodes fit, or 0.
  function sizeFor(nodes, smallest) {
    for (let size = LARGEST; size >= smallest; size -= 2) {
      show(nodes, size);
      if (fits()) return size;
    }
    return 0;
  }

  // The screens of an idea: one, or as many as are needed for its parts.
  function screensOf(section, blocks) {
    const nodes = [titleOf(section), ...blocks], alone = blocks.length === 1;
    const size = sizeFor(nodes, alone ? SMALLEST : LARGE);
    if (size) return [{ section, nodes, size }];
    const parts = alone ? splitTable(blocks[0]) : halves(blocks);
    if (parts) return parts.flatMap((part) => screensOf(section, part));
    return [{ section, nodes, size: sizeFor(nodes, LAST_RESORT) || LAST_RESORT }];
  }

  // Parted near the middle, but not between a sentence and the formula or table that it leads to.
  function halves(blocks) {
    const places = [...blocks.keys()].slice(1);
    const torn = (at) => blocks[at].matches(".formula") || leadsOn(blocks[at - 1]);
    const whole = places.filter((at) => !torn(at)), length = (part) =>
      part.reduce((total, block) => total + block.textContent.length, 0);
    const uneven = (at) => Math.abs(length(blocks.slice(0, at)) - length(blocks.slice(at)));
    const [at] = (whole.length ? whole : places).sort((a, b) => uneven(a) - uneven(b));
    return [blocks.slice(0, at), blocks.slice(at)];
  }

  // A long table as two, both with its caption and its headings; nothing if it cannot be parted.
  function splitTable(block) {
    const rows = block.querySelectorAll("tbody tr").length;
    if (rows < 2) return null;
    const half = Math.ceil(rows / 2);
    return [[0, half], [half, rows]].map(([from, to]) => {
      const part = block.cloneNode(true);
      part.querySelectorAll("tbody tr").forEach((row, i) => {
        if (i < from || i >= to) row.remove();
      });
      return [part];
    });
  }

  function titleOf(section) {
    return copyOf(section.querySelector("h2"));
  }

  // The question first and alone, then every idea of the answer.
  function compose(section) {
    const question = { section, nodes: [titleOf(section), copyOf(section.querySelector(".question"))] };
    question.size = sizeFor(question.nodes, LAST_RESORT);
    const ideas = ideasOf(blocksOf(section)).map((idea) => idea.map(copyOf));
    return [question, ...ideas.flatMap((idea) => screensOf(section, idea))];
  }

  let composed = new Map(), at = 0, step = 0;

  function screens(index) {
    if (!composed.has(index)) composed.set(index, compose(sections[index]));
    return composed.get(index);
  }

  function draw() {
    const all = screens(at);
    step = Math.min(step, all.length - 1);
    const { section, nodes, size } = all[step];
    show(nodes, size);
    dialog.dataset.section = section.id;
    dialog.dataset.step = step;
    const place = dialog.querySelector(".place");
    const values = { at: at + 1, sections: sections.length, step: step + 1, steps: all.length };
    place.textContent = place.dataset.words.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  }

  function move(by) {
    if (by > 0 && step + 1 < screens(at).length) step += 1;
    else if (by < 0 && step > 0) step -= 1;
    else if (by > 0 && at + 1 < sections.length) [at, step] = [at + 1, 0];
    else if (by < 0 && at > 0) [at, step] = [at - 1, screens(at - 1).length - 1];
    draw();
  }

  function goTo(index) {
    [at, step] = [Math.max(0, Math.min(index, sections.length - 1)), 0];
    draw();
  }

  const MOVES = {
    " ": () => move(1), ArrowRight: () => move(1), PageDown: () => move(1), Enter: () => move(1),
    Backspace: () => move(-1), ArrowLeft: () => move(-1), PageUp: () => move(-1),
    ArrowDown: () => goTo(at + 1), ArrowUp: () => goTo(step ? at : at - 1),
    Home: () => goTo(0), End: () => goTo(sections.length - 1),
  };

  // Begins with the section that is being read: the last whose top is above the middle.
  function open() {
    const read = sections.findLastIndex((section) =>
      section.getBoundingClientRect().top < innerHeight / 2);
    composed = new Map();
    dialog.showModal();
    screen.focus();
    goTo(read);
  }

  dialog.addEventListener("close", () => {
    screen.replaceChildren();
    sections[at].scrollIntoView();
  });
  dialog.addEventListener("keydown", (event) => {
    const { key } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || !(key in MOVES)) return;
    // Space and Enter on a button press it.
    if ((key === " " || key === "Enter") && event.target.closest("button")) return;
    event.preventDefault();
    if (key === " " && event.shiftKey) move(-1);
    else MOVES[key]();
  });
  for (const button of dialog.querySelectorAll("button"))
    button.addEventListener("click", (event) => {
      if ("close" in button.dataset) dialog.close();
      else move(Number(button.dataset.move));
      if (event.detail) screen.focus(); // after a click of the mouse the keys belong to the screen
    });
  addEventListener("resize", () => {
    if (!dialog.open) return;
    composed = new Map();
    draw();
  });
  addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("textarea, select, [contenteditable], input[type=text]");
    if (event.code !== "KeyP" || event.ctrlKey || event.altKey || event.metaKey || typing) return;
    if (dialog.open) dialog.close();
    else open();
  });
  opener.addEventListener("click", open);
})();
