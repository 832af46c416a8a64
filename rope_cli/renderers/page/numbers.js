// Numbers as people write them: commas, fractions, powers of ten, roots, sines, units around them.
// The rules are those of rope_cli/classroom/written_numbers.py, by which `mark` reads the answers
// that this page saves. Two letters that look alike in both alphabets are Cyrillic: \u0435, \u0445.
"use strict";

// readNumber(text) is a number, or the name of the reason why the text is none.
// inDegrees(text) says whether the text is a number of degrees.
const {readNumber, inDegrees} = (() => {
  const GROUPED =
    "[0-9]{1,3}(?:[ '][0-9]{3})+(?:[.,][0-9]+)?(?![0-9])" +
    "|[0-9]+[.,][0-9]{3}(?: [0-9]{3})+(?![0-9])" +
    "|[0-9]{1,3}(?:,[0-9]{3})+[.][0-9]+|[0-9]{1,3}(?:[.][0-9]{3})+,[0-9]+" +
    "|[0-9]{1,3}(?:,[0-9]{3}){2,}(?![0-9,.])";
  const NUMBER = `(?:${GROUPED}|[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:\\s?[e\u0435][+-]?[0-9]+)?`;
  const TOKEN = new RegExp(`\\s*(?:(${NUMBER})|(sqrt|sin|cos|tan|tg|pi)|(\\*\\*|[-+*/^()]))`, "y");
  const FUNCTIONS = {sqrt: Math.sqrt, sin: Math.sin, cos: Math.cos, tan: Math.tan, tg: Math.tan};
  const INFINITE = /^[+-]?(nan|inf|infinity|\u221e)$/;
  const SPELLINGS = {
    "\u2212": "-", "\u2013": "-", "\u2014": "-", "\u2010": "-", "\u2011": "-",
    "\u00b7": "*", "\u00d7": "*", "\u22c5": "*", "\u2219": "*",
    "\u00f7": "/", "\u2215": "/", "\u2044": "/",
    "\u03c0": " pi ", "\u2019": "'", "\u221a": " sqrt ",
  };
  const SUPERSCRIPTS = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207a\u207b";
  const POWER = /[\u207a\u207b]?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+/g;
  const TIMES = /(?<=[0-9)])(?<!^0)\s*[x\u0445]\s*(?=[0-9(])/g;
  const NEARLY = new RegExp("^(?:about|approximately|approx\\.?|ca\\.?|\u043e\u043a\u043e\u043b\u043e" +
    "|\u043f\u0440\u0438\u043c\u0435\u0440\u043d\u043e" +
    "|\u043f\u0440\u0438\u0431\u043b\u0438\u0437\u0438\u0442\u0435\u043b\u044c\u043d\u043e)\\s+");
  const REMARK = /\s*\([^()0-9]*\)$/;
  const LENGTH = "positions?|pos|tokens?|\u043f\u043e\u0437\u0438\u0446\u0438[\u044f\u0439\u0438\u044e]|\u043f\u043e\u0437" +
    "|\u0442\u043e\u043a\u0435\u043d(?:\u0430|\u043e\u0432)?";
  const ANGLE = "radians?|rads?|\u0440\u0430\u0434\u0438\u0430\u043d(?:\u0430|\u043e\u0432)?|\u0440\u0430\u0434";
  const COUNT = "times|multiplications?|pairs?|coordinates?|rows?|bytes?|numbers?|revolutions?" +
    "|periods?|\u0440\u0430\u0437\u0430?|\u0443\u043c\u043d\u043e\u0436\u0435\u043d\u0438[\u0435\u044f\u0439]" +
    "|\u043f\u0430\u0440[\u0430\u044b]?|\u043a\u043e\u043e\u0440\u0434\u0438\u043d\u0430\u0442[\u0430\u044b]?" +
    "|\u0441\u0442\u0440\u043e\u043a[\u0430\u0438]?|\u0431\u0430\u0439\u0442\u0430?|\u0447\u0438\u0441(?:\u043b\u043e|\u043b\u0430|\u0435\u043b)" +
    "|\u043e\u0431\u043e\u0440\u043e\u0442(?:\u0430|\u043e\u0432)?|\u043f\u0435\u0440\u0438\u043e\u0434(?:\u0430|\u043e\u0432)?";
  const PER = `\\s*(?:/|per|\u043d\u0430|\u0437\u0430)\\s*(?:1\\s*)?(?:${LENGTH})`;
  const UNIT = new RegExp(`\\s*(?:(?:${ANGLE})(?:${PER})?|${LENGTH}|${COUNT})\\.?$`);
  const DEGREES = new RegExp(
    "\\s*(?:\u00b0|degrees?|deg|\u0433\u0440\u0430\u0434\u0443\u0441(?:\u0430|\u043e\u0432)?|\u0433\u0440\u0430\u0434)\\.?$");
  const LONGEST = 60;

  // Small letters, one kind of minus, of multiplication, of blank; powers after a "^".
  function plain(text) {
    const digit = sign => "0123456789+-"[SUPERSCRIPTS.indexOf(sign)];
    return text
      .replace(POWER, power => "^" + [...power].map(digit).join(""))
      .replace(/\p{No}/gu, sign => " " + sign.normalize("NFKC"))  // one half is two digits
      .normalize("NFKC").toLowerCase()
      .replace(/./gsu, sign => SPELLINGS[sign] ?? sign)
      .trim().split(/\s+/).join(" ").replace(TIMES, "*");
  }

  // The text in plain signs, without what people write around a number.
  function core(text) {
    let answer = plain(text).replace(/[ ;,!]+$/, "").replace(REMARK, "");
    answer = answer.split(/[=\u2248\u2243~\u2245]/).pop().trim().replace(NEARLY, "");
    answer = answer.replace(DEGREES, "").replace(UNIT, "") || answer;
    return answer.replace(/\.$/, "") || answer;
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
      const base = atom();
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

  function readNumber(text) {
    const answer = core(text);
    if (!answer) return "blank";
    if (INFINITE.test(answer)) return "notFinite";
    if ([...answer].length > LONGEST) return "noNumber";
    try {
      return valueOf(tokens(answer));
    } catch (reason) {
      if (typeof reason !== "string") throw reason;
      return reason;
    }
  }

  const inDegrees = text => DEGREES.test(plain(text).replace(/[ .;,!]+$/, ""));
  return {readNumber, inDegrees};
})();
