/**
 * A fresh `Idempotency-Key`: a random UUID (version 4). `crypto.randomUUID` is missing when the dashboard is
 * reached over plain http under another name than localhost.
 */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-a$4-$5");
}
