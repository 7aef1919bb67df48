// How much a name looks like chance rather than like something that a person would say or type.

/**
 * Letters that usually follow each letter in names and words of the languages that host names are made of (English,
 * German, French, Spanish, Italian, and the abbreviations in use). About two in five of all pairs are here, so text by
 * chance has two in five usual pairs, and names have nine in ten or more.
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

/** Unusual pairs at which a text is taken to be words, and from which on it is taken to be chance; as shares. */
const UNUSUAL_SHARE = { words: 0.12, chance: 0.5 } as const;
/** Characters looked at: what follows is more of the same. */
const MAX_LOOKED_AT = 64;

const A = "a".charCodeAt(0);
const USUAL = new Uint8Array(26 * 26);
for (const [letter, followers] of Object.entries(FOLLOWERS)) {
  for (const follower of followers) {
    USUAL[(letter.charCodeAt(0) - A) * 26 + follower.charCodeAt(0) - A] = 1;
  }
}

/**
 * 0 for a label made of words, 1 for one by chance. Pairs of letters are usual or not; a digit beside a letter is not,
 * except where the digits end the label (`web12`), and anything else than letters, digits and dashes is not either.
 * Digits beside digits and dashes say nothing. Short labels say little: of fewer than three pairs it is 0.
 */
export function randomness(label: string): number {
  let pairs = 0;
  let unusual = 0;
  const end = withoutNumber(label, Math.min(label.length, MAX_LOOKED_AT));
  for (let at = 1; at < end; at++) {
    const before = kindOf(label.charCodeAt(at - 1));
    const here = kindOf(label.charCodeAt(at));
    if (before === DASH || here === DASH || (before === DIGIT && here === DIGIT)) continue;
    pairs++;
    if (before < 0 || here < 0 || USUAL[before * 26 + here] === 0) unusual++;
  }
  if (pairs < 3) return 0;
  const { words, chance } = UNUSUAL_SHARE;
  return Math.min(1, Math.max(0, (unusual / pairs - words) / (chance - words)));
}

const DIGIT = -1;
const DASH = -2;
const OTHER = -3;

/** 0 to 25 of a lower-case letter. */
function kindOf(code: number): number {
  if (code >= A && code < A + 26) return code - A;
  if (code >= 0x30 && code <= 0x39) return DIGIT;
  return code === 0x2d ? DASH : OTHER;
}

/** Where the number that ends a label of letters begins. */
function withoutNumber(label: string, length: number): number {
  let at = length;
  while (at > 0 && kindOf(label.charCodeAt(at - 1)) === DIGIT) at--;
  return at === 0 ? length : at;
}
