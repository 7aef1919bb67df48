/** The text of whatever was thrown, for a log line or a reason; never empty, and it never throws itself. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  if (typeof error === "string" && error !== "") return error;
  try {
    return `unknown error (${String(error)})`;
  } catch {
    return "unknown error (object without a text)";
  }
}
