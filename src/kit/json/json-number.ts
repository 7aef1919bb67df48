/**
 * Exponents with more digits are refused: nothing measures that, and the arithmetic stays exact in doubles.
 */
const MAX_EXPONENT_DIGITS = 15;

/**
 * The canonical text of a JSON number literal (its grammar already checked), by its exact decimal value and
 * never through a double: `1`, `1.0`, `1e0` and `10e-1` are one value and give `1`, `-0` gives `0`, while
 * `9007199254740993` and `0.1000000000000000055` keep every digit.
 *
 * The notation is that of RFC 8785 (ECMAScript's `Number::toString`) with unlimited digits: plain from 1e-6
 * up to below 1e21, beyond that one digit, the fraction and a signed exponent (`1.5e+21`, `1e-7`). Plain
 * digits of any size would let the six bytes `1e-300` grow fifty-fold.
 *
 * `null` if the exponent has more than 15 digits.
 */
export function canonicalNumber(literal: string): string | null {
  const negative = literal.charCodeAt(0) === 0x2d;
  let mantissaEnd = literal.length;
  let exponent = 0;
  const mark = literal.search(/[eE]/);
  if (mark !== -1) {
    mantissaEnd = mark;
    const sign = literal.charCodeAt(mark + 1);
    const start = sign === 0x2b || sign === 0x2d ? mark + 2 : mark + 1;
    const digits = literal.slice(skipZeros(literal, start));
    exponent = digits.length > MAX_EXPONENT_DIGITS ? NaN : Number(digits);
    if (sign === 0x2d) exponent = -exponent;
  }
  const start = negative ? 1 : 0;
  const dot = literal.indexOf(".");
  const wholeEnd = dot === -1 ? mantissaEnd : dot;
  const raw = dot === -1
    ? literal.slice(start, wholeEnd)
    : literal.slice(start, wholeEnd) + literal.slice(dot + 1, mantissaEnd);

  const first = skipZeros(raw, 0);
  if (first === raw.length) return "0";
  if (Number.isNaN(exponent)) return null;
  let last = raw.length;
  while (raw.charCodeAt(last - 1) === 0x30) last--;
  const digits = raw.slice(first, last);
  // The value is 0.<digits> times ten to the power of `point`.
  const point = wholeEnd - start - first + exponent;
  const text = layOut(digits, point);
  return negative ? "-" + text : text;
}

function layOut(digits: string, point: number): string {
  if (point > 21 || point <= -6) {
    const power = point - 1;
    const fraction = digits.length > 1 ? "." + digits.slice(1) : "";
    return `${digits[0]}${fraction}e${power < 0 ? "-" : "+"}${Math.abs(power)}`;
  }
  if (point <= 0) return "0." + "0".repeat(-point) + digits;
  if (point >= digits.length) return digits + "0".repeat(point - digits.length);
  return digits.slice(0, point) + "." + digits.slice(point);
}

/**
 * The integer of a canonical number text, or `null` if it has a fraction. For values that a double cannot
 * hold exactly.
 */
export function canonicalInteger(canonical: string): bigint | null {
  const mark = canonical.indexOf("e");
  if (mark === -1) return canonical.indexOf(".") === -1 ? BigInt(canonical) : null;
  const dot = canonical.indexOf(".");
  const decimals = dot === -1 ? 0 : mark - dot - 1;
  const power = Number(canonical.slice(mark + 1)) - decimals;
  if (power < 0) return null;
  const digits = dot === -1
    ? canonical.slice(0, mark)
    : canonical.slice(0, dot) + canonical.slice(dot + 1, mark);
  return BigInt(digits) * 10n ** BigInt(power);
}

function skipZeros(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === 0x30) at++;
  return at;
}
