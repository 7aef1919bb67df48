import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RecordKind } from "../../src/contract/record/kinds.ts";
import { readRecordLine } from "../../src/domain/record/record-line.ts";
import type { JsonValue } from "../../src/kit/json/json.ts";

/** A JSON object as the parser returns it. */
export type Payload = Record<string, JsonValue>;

export interface Sample {
  payload: Payload;
  /** Microseconds. */
  observedAt: number;
}

const GOLDEN = join(import.meta.dirname ?? "", "../golden");

/** The real records of a kind: the inputs of its golden cases. */
export function samplesOf(kind: RecordKind): Sample[] {
  return readdirSync(join(GOLDEN, kind)).sort().flatMap((name) => {
    const lines = readFileSync(join(GOLDEN, kind, name, "input.ndjson"), "utf8").trimEnd().split("\n");
    return lines.map((text) => {
      const line = readRecordLine(text);
      return { payload: line.value, observedAt: line.observedAt.micros };
    });
  });
}

/** Every member name and every member value that occurs anywhere in these records. */
export function partsOf(samples: readonly Sample[]): { names: string[]; values: JsonValue[] } {
  const names = new Set<string>();
  const values = new Map<string, JsonValue>();
  const visit = (value: JsonValue): void => {
    if (typeof value !== "object" || value === null) {
      values.set(`${typeof value} ${value}`, value);
      return;
    }
    if (!Array.isArray(value)) { for (const name of Object.keys(value)) names.add(name); }
    for (const part of Object.values(value)) visit(part);
  };
  for (const { payload } of samples) visit(payload);
  return { names: [...names], values: [...values.values()] };
}
