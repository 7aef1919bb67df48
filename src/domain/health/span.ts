const UNITS = [[86_400, "d"], [3600, "h"], [60, "min"], [1, "s"]] as const;

/** `2 h 5 min`: seconds in their two largest units. */
export function spanText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const largest = UNITS.findIndex(([size]) => whole >= size);
  if (largest === -1) return "0 s";
  const [size, name] = UNITS[largest]!;
  const next = UNITS[largest + 1];
  const text = `${Math.floor(whole / size)} ${name}`;
  if (next === undefined) return text;
  const rest = Math.floor((whole % size) / next[0]);
  return rest === 0 ? text : `${text} ${rest} ${next[1]}`;
}
