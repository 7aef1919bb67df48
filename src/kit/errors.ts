/** The text of whatever was thrown, for a log line or a reason; never empty. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  if (typeof error === "string" && error !== "") return error;
  return `unknown error (${String(error)})`;
}
