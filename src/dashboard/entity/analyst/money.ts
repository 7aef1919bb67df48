const MICRO = 1_000_000n;

/** An amount in micro-USD as exact dollars with at least two decimals: `$0.0042`. */
export function dollars(microusd: number | bigint): string {
  const amount = BigInt(microusd);
  const fraction = String(amount % MICRO).padStart(6, "0").replace(/0{1,4}$/, "");
  return `$${(amount / MICRO).toLocaleString("en-GB")}.${fraction}`;
}
