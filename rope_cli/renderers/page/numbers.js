// Numbers as people write them: commas, fractions, powers of ten, roots, sines, units around them.
// The rules are those of rope_cli/classroom/written_numbers.py, by which `mark` reads the answers
// that this page saves; its patterns come with the workbook. A letter \u0435 is Cyrillic.
"use strict";

// readNumber(text) is a number, or the name of the reason why the text is none.
// inDegrees(text) says whether the text is a number of degrees.
const {readNumber, inDegrees} = (() => {
  const element = document.getElementById("workbook");
  if (!element) return {};
  const reading = JSON.parse(element.textContent).reading;
  const whole = pattern => new RegExp(`^(?:${pattern})$`, "u");
  const INFINITE = whole(reading.infinite), DEGREES = whole(reading.degrees);
  const TWICE = whole(reading.twice), POWER = new RegExp(reading.power, "gu");
  const TOKEN = new RegExp(reading.token, "uy");
  const REPLACEMENTS = reading.replacements.map(
    ([pattern, by]) => [new RegExp(pattern, "gu"), by]);
  const FUNCTIONS = {sqrt: Math.sqrt, sin: Math.sin, cos: Math.cos, tan: Math.tan, tg: Math.tan};

  // Small letters, one kind of minus, of multiplication, of blank; powers after a "^".
  function plain(text) {
    return text
      .replace(POWER, power => "^" + [...power].map(sign => reading.superscripts[sign]).join(""))
      .replace(/\p{No}/gu, sign => " " + sign.normalize("NFKC"))  // one half is two digits
      .normalize("NFKC").toLowerCase()
      .replace(/./gsu, sign => reading.spellings[sign] ?? sign)
      .trim().split(/\s+/).join(" ");
  }

  // The text in plain signs, without what people write around a number.
  function core(text) {
    let answer = plain(text);
    if ([...answer].length <= reading.longestText)
      for (const [pattern, by] of REPLACEMENTS) answer = answer.replace(pattern, by);
    return answer.trim();
  }

  // Numbers, names and signs; what is none of these comes as one token that fits nowhere.
  function tokens(answer) {
    const found = [], end = answer.trimEnd().length;
    for (TOKEN.lastIndex = 0; TOKEN.lastIndex < end;) {
      const match = TOKEN.exec(answer);
      if (!match) return [...found, "?"];
      found.push(match[1] ? decimal(match[1]) : match[2] ?? match[3]);
    }
    return found;
  }

  // A number without signs around it, its digits grouped or not, its point a comma or not.
  function decimal(written) {
    let digits = written.replace(/[\s']/g, "").replace("\u0435", "e");
    const marks = digits.match(/[.,]/g) ?? [], last = marks.at(-1);
    // The last mark is the decimal one unless it repeats; the others group digits.
    const point = marks.filter(mark => mark === last).length === 1 ? digits.lastIndexOf(last) : -1;
    digits = [...digits].map((sign, at) => at === point ? "." : /[.,]/.test(sign) ? "" : sign);
    const value = Number(digits.join(""));
    if (!Number.isFinite(value)) throw "tooLarge";
    return value;
  }

  // The value of a sum of products of numbers, powers, roots and sines. There is one sign before
  // a factor and one division in a product at most. Throws the name of a reason.
  function valueOf(left) {
    const next = (...signs) => signs.includes(left[0]);
    const take = sign => next(sign) ? left.shift() : fail("noNumber");
    const fail = reason => { throw reason; };
    const sign = () => left.shift() === "-" ? -1 : 1;
    function sum() {
      let total = product(next("+", "-") ? sign() : 1);
      while (next("+", "-")) total += product(sign());
      return total;
    }
    function product(factor) {
      let value = factor * power(), divided = false;
      while (next("*", "/", "(", "pi", ...Object.keys(FUNCTIONS))) {
        if (!next("*", "/")) value *= power();
        else if (left.shift() === "*") value *= power(true);
        else if (divided) fail("noNumber");
        else {
          const divisor = power(true);
          value = divisor === 0 ? fail("byZero") : value / divisor;
          divided = true;
        }
      }
      return value;
    }
    function power(signed = false) {
      if (signed && next("-", "+")) return sign() * power();
      let base = atom();
      if (next("\u00b0")) {
        left.shift();
        base = base / 180 * Math.PI;
      }
      if (!next("^", "**")) return base;
      left.shift();
      const exponent = power(true);
      if (base < 0 && !Number.isInteger(exponent)) fail("noRoot");
      if (base === 0 && exponent < 0) fail("byZero");
      const value = base ** exponent;
      return Number.isFinite(value) ? value : fail("tooLarge");
    }
    function atom() {
      const token = left.shift();
      if (typeof token === "number") return token;
      if (token === "pi") return Math.PI;
      if (token === "(") {
        const value = sum();
        take(")");
        return value;
      }
      if (!(token in FUNCTIONS)) fail("noNumber");
      let argument = power(true);
      if (next("pi")) argument *= power();
      return token === "sqrt" && argument < 0 ? fail("noRoot") : FUNCTIONS[token](argument);
    }
    const total = sum();
    if (left.length) fail("noNumber");
    return Number.isFinite(total) ? total : fail("tooLarge");
  }

  function evaluate(answer) {
    if (!answer) return "blank";
    if (INFINITE.test(answer)) return "notFinite";
    if ([...answer].length > reading.longest) return "noNumber";
    try {
      return valueOf(tokens(answer));
    } catch (reason) {
      if (typeof reason !== "string") throw reason;
      return reason;
    }
  }

  function readNumber(text) {
    const answer = core(text).replace(DEGREES, "$1"), twice = TWICE.exec(answer);
    if (!answer && plain(text)) return "noNumber";
    if (twice) {
      const [first, second] = [evaluate(twice[1]), evaluate(twice[2])];
      if (Math.abs(first - second) <= 0.01 * Math.abs(first)) return first;
    }
    return evaluate(answer);
  }

  return {readNumber, inDegrees: text => DEGREES.test(core(text))};
})();
