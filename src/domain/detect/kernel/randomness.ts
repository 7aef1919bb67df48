// How random a name looks, compared to words that a person would say or type.

/**
 * Letters that commonly follow each letter in the words and abbreviations that host names are made of
 * (English, German, French, Spanish, Italian). About two in five of all pairs are listed, so random text has
 * two in five common pairs, and names have nine in ten or more.
 */
const FOLLOWERS: Readonly<Record<string, string>> = {
  a: "bcdefgiklmnprstuvwxyz",
  b: "abeiloruys",
  c: "aehiklortuys",
  d: "aeinorsuydv",
  e: "abcdefgilmnprstuvwxyz",
  f: "aefilortu",
  g: "aeghilnorsu",
  h: "aeiortuy",
  i: "abcdefgklmnoprstvz",
  j: "aeou",
  k: "aeilnosy",
  l: "abdefiklmopstuvy",
  m: "abeimopsuy",
  n: "acdefgiknostuvyz",
  o: "abcdefgiklmnoprstuvwxy",
  p: "aehiloprstu",
  q: "u",
  r: "abcdegiklmnoprstuvy",
  s: "aceehiklmnopqstuwy",
  t: "acehilorstuwyz",
  u: "abcdegiklmnprstvz",
  v: "aeio",
  w: "aehinorsw",
  x: "aeipt",
  y: "acelmnopst",
  z: "aeiouz",
};

/** Share of unusual pairs up to which a text counts as words, and from which on it counts as random. */
const UNUSUAL_SHARE = { words: 0.12, random: 0.5 } as const;
/** Characters examined. */
const MAX_CHARACTERS = 64;

const A = "a".charCodeAt(0);
const COMMON = new Uint8Array(26 * 26);
for (const [letter, followers] of Object.entries(FOLLOWERS)) {
  for (const follower of followers) {
    COMMON[(letter.charCodeAt(0) - A) * 26 + follower.charCodeAt(0) - A] = 1;
  }
}

/**
 * 0 for a label made of words, 1 for a random one. A pair of letters is common or unusual; a digit next to a
 * letter is unusual, except for digits at the end of the label (`web12`), and so is any other character than
 * letters, digits and dashes. Pairs of digits and pairs with a dash do not count. A label of fewer than three
 * pairs gives 0.
 */
export function randomness(label: string): number {
  let pairs = 0;
  let unusual = 0;
  const end = withoutNumber(label, Math.min(label.length, MAX_CHARACTERS));
  for (let at = 1; at < end; at++) {
    const before = classOf(label.charCodeAt(at - 1));
    const here = classOf(label.charCodeAt(at));
    if (before === DASH || here === DASH || (before === DIGIT && here === DIGIT)) continue;
    pairs++;
    if (before < 0 || here < 0 || COMMON[before * 26 + here] === 0) unusual++;
  }
  if (pairs < 3) return 0;
  const { words, random } = UNUSUAL_SHARE;
  return Math.min(1, Math.max(0, (unusual / pairs - words) / (random - words)));
}

const DIGIT = -1;
const DASH = -2;
const OTHER = -3;

/** 0 to 25 for a lower-case letter, else a negative class. */
function classOf(code: number): number {
  if (code >= A && code < A + 26) return code - A;
  if (code >= 0x30 && code <= 0x39) return DIGIT;
  return code === 0x2d ? DASH : OTHER;
}

/** Index of the number at the end of a label. */
function withoutNumber(label: string, length: number): number {
  let at = length;
  while (at > 0 && classOf(label.charCodeAt(at - 1)) === DIGIT) at--;
  return at === 0 ? length : at;
}
