/** The text of any thrown value, for a log line or a reason; never empty, and it never throws. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  if (typeof error === "string" && error !== "") return error;
  try {
    return `unknown error (${String(error)})`;
  } catch {
    return "unknown error (object without a text)";
  }
}
