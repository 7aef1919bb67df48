import type { z } from "@hono/zod-openapi";

/** A fault in one field: its path, separated by dots, and what was expected. */
interface FieldIssue {
  path: string;
  message: string;
}

/** The message for each kind of fault; schemas with their own message keep it. */
export function issueText(issue: z.core.$ZodRawIssue): string | undefined {
  const missing = issue.input === undefined ? ", but it is missing" : "";
  switch (issue.code) {
    case "invalid_type":
      return `expected ${typeName(issue.expected)}${missing || `, not ${nameOf(issue.input)}`}`;
    case "invalid_value":
      return `expected one of ${issue.values.join(", ")}${missing}`;
    case "too_small":
      return `expected at least ${amount(issue.minimum, issue.origin)}`;
    case "too_big":
      return `expected at most ${amount(issue.maximum, issue.origin)}`;
    default:
      return undefined;
  }
}

/** Returns one issue per field; a schema reports all unknown fields of an object as a single issue. */
export function fieldIssues(issues: readonly z.core.$ZodIssue[]): FieldIssue[] {
  return issues.flatMap((issue) => {
    if (issue.code !== "unrecognized_keys") return [{ path: issue.path.join("."), message: issue.message }];
    return issue.keys.map((key) => ({
      // The client chose the key's length.
      path: [...issue.path, key.slice(0, MAX_NAME)].join("."),
      message: "unknown field",
    }));
  });
}

const MAX_NAME = 128;

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "an array",
  object: "an object",
};

function typeName(type: string): string {
  return TYPE_NAMES[type] ?? type;
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "bigint") return typeName("number");
  return typeName(Array.isArray(value) ? "array" : typeof value);
}

/** `1 character`, `32 entries`; just the number for numeric bounds. */
function amount(count: number | bigint, origin: string): string {
  if (origin === "string") return `${count} ${count === 1 ? "character" : "characters"}`;
  if (origin === "array") return `${count} ${count === 1 ? "entry" : "entries"}`;
  return String(count);
}
