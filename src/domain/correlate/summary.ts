import type { AlertFacts, DnsFacts, Facts } from "../records/facts.ts";
import type { Count, Counters, Endpoint } from "../records/observation.ts";

export interface SummaryInput {
  proto: string;
  src: Endpoint;
  dst: Endpoint;
  service: string | null;
  counters: Counters | null;
  /** Microseconds between first and last packet. */
  duration: number;
  facts: Facts | null;
}

/** One plain line about an observation: `tcp 10.0.0.5:50122 → 192.0.2.7:443 (ssl), 1.2 kB out, 3.4 kB in, 12 s`. */
export function summarise(input: SummaryInput): string {
  if (input.facts?.type === "dns") return summariseDns(input.facts);
  if (input.facts?.type === "alert") return summariseAlert(input.facts);
  const ends = `${input.proto} ${endpoint(input.src)} → ${endpoint(input.dst)}`;
  const service = input.service === null ? "" : ` (${input.service})`;
  const parts = [ends + service, ...volumes(input.counters)];
  if (input.duration > 0) parts.push(duration(input.duration));
  return parts.join(", ");
}

function summariseDns(facts: DnsFacts): string {
  const question = `${facts.qtype ?? "?"} ${facts.query ?? "(no name)"}`;
  if (!facts.answered) return `query ${question}`;
  if (facts.rcode !== null && facts.rcode !== "NOERROR") return `${question}: ${facts.rcode}`;
  if (facts.answers.length === 0) return `${question}: no answer data`;
  const shown = facts.answers.slice(0, 3).join(", ");
  const rest = facts.answers.length - 3;
  return `${question} → ${shown}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function summariseAlert(facts: AlertFacts): string {
  const notes = [
    facts.category,
    facts.priority === null ? null : `priority ${facts.priority}`,
    facts.action,
  ].filter((note) => note !== null && note !== "");
  return notes.length === 0 ? facts.signature : `${facts.signature} (${notes.join(", ")})`;
}

function volumes(counters: Counters | null): string[] {
  if (counters === null) return [];
  const { srcToDst, dstToSrc } = counters;
  return [
    srcToDst.bytes === null ? "" : `${bytes(srcToDst.bytes)} out`,
    dstToSrc.bytes === null ? "" : `${bytes(dstToSrc.bytes)} in`,
  ].filter((text) => text !== "");
}

function endpoint({ ip, port }: Endpoint): string {
  if (port === null) return ip;
  return ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
}

/** Decimal units, as network people count: `1.2 kB`. */
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

function duration(micros: number): string {
  const milliseconds = Math.max(1, Math.round(micros / 1000));
  if (milliseconds < 1000) return `${milliseconds} ms`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}
