const MICRO = 1_000_000;

/** An amount in micro-USD as exact dollars with at least two decimals: `$0.0042`. */
export function dollars(microusd: number): string {
  const fraction = String(microusd % MICRO).padStart(6, "0").replace(/0{1,4}$/, "");
  return `$${Math.floor(microusd / MICRO).toLocaleString("en-GB")}.${fraction}`;
}
