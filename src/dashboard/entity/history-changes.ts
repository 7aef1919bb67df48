import { ABSENT, formatLabel } from "../ui/format.ts";

export interface Change {
  /** Null for the entry's single value, such as a status. */
  field: string | null;
  from: string | null;
  to: string;
}

const NAMES: Record<string, string> = { display_name: "Name", device_type: "Type" };

/** The changes of an entry. Several fields are two JSON objects; only differences are shown. */
export function changesOf(from: string | null, to: string | null): Change[] {
  const [before, after] = [fieldsOf(from), fieldsOf(to)];
  if (after === null) return to === null ? [] : [{ field: null, from, to }];
  return Object.keys(after)
    .map((name) => ({ field: name, from: textOf(before?.[name]), to: textOf(after[name]) }))
    .filter((change) => change.from !== change.to)
    .map((change) => ({ ...change, field: NAMES[change.field] ?? formatLabel(change.field) }));
}

function fieldsOf(text: string | null): Record<string, unknown> | null {
  if (text === null || !text.startsWith("{")) return null;
  try {
    return JSON.parse(text);
  } catch {
    // Free text that begins like an object.
    return null;
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return ABSENT;
  if (Array.isArray(value)) return value.length === 0 ? ABSENT : value.map(textOf).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
