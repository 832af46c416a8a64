// Rotate two rows by hand: sliders, circles, the score as a sum, nine scores, angles, frequencies.
// The words come with the page. Every number that is shown has its full digits in data-value.
"use strict";
(() => {
  const place = document.getElementById("explore");
  if (!place) return;

  // Where it begins, and what can be chosen: the values of the report are among them.
  const start = JSON.parse(place.dataset.start);
  const among = (values, own) => [...new Set([...values, own])].sort((a, b) => a - b);
  const BASES = among([2, 10, 100, 500, 1000, 10000, 100000, 500000, 1000000], start.base);
  const WIDTHS = among([2, 4, 8], start.feature_width);
  const LAST = 64; // the last position of the sliders and of the picture of angles
  const TOKENS = 3;
  // The pairs of each row; wider rows repeat them.
  const ROWS = {
    same: { q: [1, 0, 1, 0], k: [1, 0, 1, 0] },
    crossed: { q: [1, 0, 1, 0], k: [0, 1, 0, 1] },
    generic: { q: [1, 2, -0.5, 0.75], k: [0.3, -1, 2, 0.25] },
    own: { q: start.query, k: start.key },
  };
  const words = JSON.parse(place.dataset.words);
  const find = (selector) => place.querySelector(selector);
  const inputs = Object.fromEntries(
    ["m", "n", "base", "width", "rows"].map((name) => [name, find(`#explore-${name}`)]),
  );

  // The mathematics: adjacent pairs, pair j rotates by base^(-2j/d) radians per position.

  function settings() {
    return {
      m: Number(inputs.m.value),
      n: Number(inputs.n.value),
      base: BASES[Number(inputs.base.value)],
      width: WIDTHS[Number(inputs.width.value)],
      rows: ROWS[inputs.rows.value],
    };
  }

  function frequenciesOf({ base, width }) {
    return Array.from({ length: width / 2 }, (_, j) => Math.pow(base, (-2 * j) / width));
  }

  function rotatedPair(row, j, angle) {
    const x = row[(2 * j) % row.length], y = row[(2 * j + 1) % row.length];
    const cosine = Math.cos(angle), sine = Math.sin(angle);
    return { x: x * cosine - y * sine, y: x * sine + y * cosine };
  }

  // What each pair adds to the score of a query at m and a key at n, and where its two arrows are.
  function pairsOf({ rows, m, n }, frequencies) {
    return frequencies.map((frequency, j) => {
      const q = rotatedPair(rows.q, j, m * frequency), k = rotatedPair(rows.k, j, n * frequency);
      const term = q.x * k.x + q.y * k.y;
      // From q to k, counter-clockwise, between -pi and pi.
      const between = Math.atan2(q.x * k.y - q.y * k.x, term);
      return { q, k, term, between, frequency, angle: (n - m) * frequency };
    });
  }

  const sum = (pairs) => pairs.reduce((total, pair) => total + pair.term, 0);

  // Queries at m, m+1, m+2 in rows, keys at n, n+1, n+2 in columns.
  function nineScores(now, frequencies) {
    const steps = [...Array(TOKENS).keys()];
    return steps.map((row) => steps.map((column) =>
      sum(pairsOf({ ...now, m: now.m + row, n: now.n + column }, frequencies))));
  }

  // Elements and characters.

  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }

  const html = (tag, attributes, ...children) =>
    fill(document.createElement(tag), attributes, children);
  const svg = (tag, attributes, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
  const picture = (width, height, name, ...children) =>
    svg("svg", { viewBox: `0 0 ${width} ${height}`, "font-size": 13, role: "img",
                 "aria-label": name }, ...children);
  const line = (x1, y1, x2, y2, attributes) => svg("line", { x1, y1, x2, y2, ...attributes });
  const letters = (x, y, text, anchor = "middle") =>
    svg("text", { x, y, "text-anchor": anchor }, text);

  function digits(value, places = 6) {
    const text = value.toFixed(places);
    return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", words.minus);
  }

  const signed = (value, text) => (value > 0 ? `+${text}` : text);
  const whole = (value) => signed(value, digits(value, 0));
  const number = (tag, value, text = digits(value)) =>
    html(tag, { class: "right", "data-value": value }, text);
  const say = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  // The parts of the page.

  function showSettings(now) {
    for (const name of ["m", "n", "base", "width"]) {
      find(`[data-shown=${name}]`).textContent = now[name];
      inputs[name].setAttribute("aria-valuetext", now[name]);
    }
  }

  function showCircles(pairs) {
    const longest = Math.max(...pairs.flatMap(({ q, k }) => [length(q), length(k)]));
    find(".circles").replaceChildren(...pairs.map((pair, j) => html("figure", {},
      circle(pair, j, 62 / longest),
      html("figcaption", {}, say(words.pair, { pair: j }),
        html("br", {}), signed(pair.between, digits(pair.between))))));
  }

  const length = ({ x, y }) => Math.hypot(x, y);

  function circle(pair, j, scale) {
    const { q, k, between } = pair, middle = 90;
    const start = Math.atan2(q.y, q.x);
    const at = (angle, radius) =>
      [middle + radius * Math.cos(angle), middle - radius * Math.sin(angle)];
    const alike = Math.abs(between) < 0.5 ? 0.25 : 0; // letters that would cover each other
    const side = between < 0 ? -alike : alike;
    const arc = `M ${at(start, 26)} A 26 26 0 0 ${between > 0 ? 0 : 1} ${at(start + between, 26)}`;
    const arrow = (name, end) => {
      const [x, y] = [middle + scale * end.x, middle - scale * end.y];
      return [
        svg("circle", { cx: middle, cy: middle, r: scale * length(end), class: "rim" }),
        line(middle, middle, x, y, { class: name, "data-x": end.x, "data-y": end.y }),
        svg("circle", { cx: x, cy: y, r: 4, class: `${name} tip` }),
      ];
    };
    const letter = (name, end, angle) => {
      const [x, y] = at(angle, scale * length(end) + 15);
      return letters(x, y + 5, name);
    };
    const name = say(words.circle, { pair: j, angle: digits(between) });
    return picture(2 * middle, 2 * middle, name,
      line(10, middle, 170, middle, { class: "axis" }),
      line(middle, 10, middle, 170, { class: "axis" }),
      ...arrow("q", q), ...arrow("k", k),
      svg("path", { d: arc, class: "arc", "data-value": between }),
      letter("q", q, start - side), letter("k", k, start + between + side));
  }

  function showTerms(pairs) {
    const most = Math.max(1, ...pairs.map(({ term }) => Math.abs(term)));
    const row = (name, cells, value) => html("tr", {}, html("th", { scope: "row" }, name), ...cells,
      number("td", value), html("td", { class: "bar" }, bar(value / most)));
    const rows = pairs.map(({ frequency, angle, term }, j) => row(j, [
      number("td", frequency), number("td", angle, signed(angle, digits(angle))),
    ], term));
    const total = html("tr", { class: "total" },
      html("th", { scope: "row", colspan: 3 }, words.score), number("td", sum(pairs)),
      html("td", { class: "bar" }));
    find(".terms tbody").replaceChildren(...rows, total);
  }

  function bar(share) {
    const width = 48 * Math.abs(share), from = share < 0 ? 50 - width : 50;
    return svg("svg", { width: "100%", height: 16, "font-size": 13, "aria-hidden": "true" },
      svg("rect", { x: `${from}%`, y: 2, width: `${width}%`, height: 12,
                    class: share < 0 ? "k" : "q" }),
      line("50%", 0, "50%", 16, { class: "axis" }));
  }

  // Cells that differ from those shown before have another look; their number is returned.
  function showNine({ m, n }, scores, before) {
    let changed = 0;
    const cell = (score, row, column) => {
      const node = number("td", score);
      if (before && Math.abs(score - before[row][column]) > 5e-7) {
        changed += 1;
        node.classList.add("moved");
      }
      return node;
    };
    find(".nine thead").replaceChildren(html("tr", {}, html("td", {}), ...scores.map((_, column) =>
      html("th", { scope: "col", class: "right" }, `n = ${n + column}`))));
    find(".nine tbody").replaceChildren(...scores.map((cells, row) => html("tr", {},
      html("th", { scope: "row" }, `m = ${m + row}`),
      ...cells.map((score, column) => cell(score, row, column)))));
    return changed;
  }

  // Lightness is the cosine, colour the sign of the sine: a whole rotation comes back to itself.
  function colour(angle) {
    const cosine = Math.cos(angle), sine = Math.sin(angle);
    const strength = Math.round(75 * Math.abs(sine));
    return `hsl(${sine > 0 ? 30 : 215}, ${strength}%, ${Math.round(55 + 38 * cosine)}%)`;
  }

  function showAngles({ m, n }, frequencies) {
    const left = 22, top = 20, bottom = 120, step = (350 - left) / (LAST + 1);
    const height = (bottom - top) / frequencies.length;
    const x = (position) => left + step * position;
    const nodes = frequencies.flatMap((frequency, j) => [
      letters(left - 6, top + height * (j + 0.5) + 5, j, "end"),
      ...Array.from({ length: LAST + 1 }, (_, position) => svg("rect", {
        x: x(position), y: top + height * j, width: step + 0.3, height: height + 0.3,
        fill: colour(position * frequency), "shape-rendering": "crispEdges",
        "data-value": position * frequency,
      })),
    ]);
    const ticks = [0, 16, 32, 48, 64].map((at) => letters(x(at + 0.5), bottom + 16, at));
    // The letter of the smaller position stands on the left, so that the two never meet.
    const mark = (name, at, other) => [
      ...["halo", "mark"].map((look) =>
        line(x(at + 0.5), top - 4, x(at + 0.5), bottom + 2, { class: look })),
      letters(x(at + 0.5), top - 7, name, m === n ? "middle" : at < other ? "end" : "start"),
    ];
    const marks = m === n ? mark("m = n", m, n) : [...mark("m", m, n), ...mark("n", n, m)];
    const key = Array.from({ length: 48 }, (_, i) => svg("rect", {
      x: left + 7 * i, y: 148, width: 7.3, height: 12, fill: colour((2 * Math.PI * (i + 0.5)) / 48),
    }));
    const { pi } = words, names = ["0", `${pi}/2`, pi, `3${pi}/2`, `2${pi}`];
    const keyNames = names.map((name, i) =>
      letters(left + 84 * i, 175, name, ["start", "middle", "middle", "middle", "end"][i]));
    const rotations = frequencies.map((frequency, j) =>
      say(words.rotations, { pair: j, rotations: digits((LAST * frequency) / 2 / Math.PI, 2) }));
    find(".heat").replaceChildren(picture(360, 180, say(words.angles, { last: LAST }) + " " +
      rotations.join("; "), ...nodes, ...ticks, ...marks, ...key, ...keyNames));
  }

  // Sticks on a logarithmic axis from 0.00001 to 1 radian per position, fast pairs to the right.
  function showSpectrum(frequencies) {
    const right = 340, decade = 62, bottom = 116;
    const x = (frequency) => right + decade * Math.log10(frequency);
    const ticks = ["1", "0.1", "0.01", "0.001", "0.0001", "0.00001"].flatMap((name, i) => [
      line(right - decade * i, bottom, right - decade * i, bottom + 5, { class: "axis" }),
      letters(right - decade * i, bottom + 19, name),
    ]);
    const sticks = frequencies.flatMap((frequency, j) => [
      line(x(frequency), bottom, x(frequency), 22 + 22 * j,
        { class: "stick", "data-value": frequency }),
      letters(x(frequency), 17 + 22 * j, j),
    ]);
    const name = say(words.spectrum, { frequencies: frequencies.map((f) => digits(f)).join("; ") });
    find(".spectrum").replaceChildren(picture(360, 142, name,
      line(right - 5.2 * decade, bottom, right + 8, bottom, { class: "axis" }), ...ticks, ...sticks));
  }

  // What happens.

  function begin() {
    for (const [name, values] of [["base", BASES], ["width", WIDTHS]])
      inputs[name].max = values.length - 1;
    inputs.m.value = start.m;
    inputs.n.value = start.n;
    inputs.base.value = BASES.indexOf(start.base);
    inputs.width.value = WIDTHS.indexOf(start.feature_width);
    inputs.rows.value = start.query.length ? "own" : "same";
  }

  let before = null; // the nine scores before a shift

  function show() {
    const now = settings(), frequencies = frequenciesOf(now);
    const pairs = pairsOf(now, frequencies), scores = nineScores(now, frequencies);
    showSettings(now);
    showCircles(pairs);
    showTerms(pairs);
    const changed = showNine(now, scores, before);
    showAngles(now, frequencies);
    showSpectrum(frequencies);
    return { ...now, scores, changed, score: digits(sum(pairs)), difference: whole(now.n - now.m) };
  }

  const tell = (sentence, values) => { find(".status").textContent = say(sentence, values); };

  function shift(button) {
    const step = Number(button.dataset.step), both = button.dataset.shift === "both";
    const { m, n } = settings(), to = { m: both ? m + step : m, n: n + step };
    if (Math.min(to.m, to.n) < 0 || Math.max(to.m, to.n) > LAST)
      return tell(words.edge, { last: LAST });
    before = nineScores(settings(), frequenciesOf(settings()));
    inputs.m.value = to.m;
    inputs.n.value = to.n;
    return tell(both ? words.bothShifted : words.keyShifted, { ...show(), step: whole(step) });
  }

  for (const input of Object.values(inputs)) {
    input.addEventListener("input", () => { before = null; show(); });
    input.addEventListener("change", () => tell(words.now, show()));
  }
  for (const button of place.querySelectorAll("[data-shift]"))
    button.addEventListener("click", () => shift(button));
  begin();
  tell(words.now, show());
  find(".without-script").hidden = true;
  find(".live").hidden = false;
})();
