import type { Count, Endpoint } from "../record/observation.ts";

// Human-readable values for one line of text.

export function endpoint({ ip, port }: Endpoint): string {
  if (port === null) return ip;
  return ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
}

/** Decimal units, as usual for network volumes: `1.2 kB`. */
export function bytes(count: Count): string {
  let value = Number(count);
  for (const unit of ["B", "kB", "MB", "GB", "TB"]) {
    const text = unit === "B" || value >= 99.95 ? value.toFixed(0) : value.toFixed(1);
    // 999,950 bytes are 1.0 MB, not 1000 kB.
    if (Number(text) < 1000) return `${text} ${unit}`;
    value /= 1000;
  }
  return `${Math.round(value)} PB`;
}

/** Microseconds as `250 ms`, `12 s`, `5 min`, `24 h`. */
export function duration(micros: number): string {
  const milliseconds = Math.max(1, Math.round(micros / 1000));
  if (milliseconds < 1000) return `${milliseconds} ms`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}

const MAX_TEXT = 120;

/** Text from the network as one line, truncated to `MAX_TEXT` characters. */
export function plain(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
  if (line.length <= MAX_TEXT) return line;
  return `${line.slice(0, MAX_TEXT - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
