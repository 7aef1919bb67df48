const lanes = new DataView(new ArrayBuffer(8));

const SEED_A = 0x811c9dc5;
const SEED_B = 0x01000193;
const FACTOR_A = 0x01000193;
const FACTOR_B = 0x85ebca6b;

/**
 * 64 signed bits of a text: two lanes of FNV-1a with different seeds and a final mix. Fast and stable, but
 * not collision-resistant: use it only if a collision does no harm.
 */
export function hash64(text: string): bigint {
  return hashFrom(SEED_A, SEED_B, text);
}

/** As `hash64` of this text followed by another one, for many of those: the prefix is hashed once. */
export function hash64After(prefix: string): (text: string) => bigint {
  let a = SEED_A;
  let b = SEED_B;
  for (let i = 0; i < prefix.length; i++) {
    const unit = prefix.charCodeAt(i);
    a = Math.imul(a ^ unit, FACTOR_A);
    b = Math.imul(b ^ unit, FACTOR_B);
  }
  return (text) => hashFrom(a, b, text);
}

/** As `hash64`, but its two signed halves, the higher one first. */
export function hash64Halves(text: string, into: Int32Array): void {
  mix(SEED_A, SEED_B, text);
  into[0] = lanes.getInt32(0);
  into[1] = lanes.getInt32(4);
}

function hashFrom(a: number, b: number, text: string): bigint {
  mix(a, b, text);
  return lanes.getBigInt64(0);
}

function mix(a: number, b: number, text: string): void {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, FACTOR_A);
    b = Math.imul(b ^ unit, FACTOR_B);
  }
  a = Math.imul(a ^ (b >>> 15), 0xc2b2ae35);
  b = Math.imul(b ^ (a >>> 13), 0x27d4eb2f);
  lanes.setInt32(0, a);
  lanes.setInt32(4, b);
}
