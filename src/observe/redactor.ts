const REDACTED = "[redacted]";

/** Shorter secrets are not registered, because they would match ordinary words. */
const MIN_SECRET_LENGTH = 6;
const MAX_DEPTH = 8;
const MAX_ITEMS = 200;
const MAX_TEXT = 8_000;

/** Keys whose last word holds a secret: `token`, `source_token`, `clientSecret`, `Set-Cookie`. */
const SECRET_WORDS =
  /(^|_)(tokens?|secrets?|passwords?|passphrase|passwd|authorization|cookies?|credentials?|(api|private|service|signing)_key)$/;

/** Credentials recognisable by form: an Authorization header's value, the password of a URL. */
const BEARER = /\b(Bearer|Basic)\s+[\w\-.~+/=]+/gi;
const URL_PASSWORD = /(:\/\/[^\s:@/?#]*):[^\s@/?#]+@/g;

/** Redacts secrets in log fields: by key, by form, and anywhere by value once the value is registered. */
export class Redactor {
  readonly #forms = new Set<string>();
  #pattern: RegExp | null = null;

  constructor(secrets: Iterable<string> = []) {
    this.add(secrets);
  }

  /** Registers secret texts, including their URL, JSON and base64 encodings. */
  add(secrets: Iterable<string>): void {
    for (const secret of secrets) {
      if (secret.length < MIN_SECRET_LENGTH) continue;
      this.#forms.add(secret);
      this.#forms.add(encodeURIComponent(secret.toWellFormed()));
      this.#forms.add(JSON.stringify(secret).slice(1, -1));
      this.#forms.add(new TextEncoder().encode(secret).toBase64());
    }
    // Longest first, so that a secret that is a prefix of another does not leave a remainder.
    const alternatives = [...this.#forms].sort((a, b) => b.length - a.length).map(RegExp.escape);
    this.#pattern = alternatives.length === 0 ? null : new RegExp(alternatives.join("|"), "g");
  }

  text(text: string): string {
    const known = this.#pattern === null ? text : text.replace(this.#pattern, REDACTED);
    const safe = known.replace(BEARER, `$1 ${REDACTED}`).replace(URL_PASSWORD, `$1:${REDACTED}@`);
    // Truncate last: a secret cut in two would no longer be recognised.
    return safe.length > MAX_TEXT ? `${safe.slice(0, MAX_TEXT)}… (${safe.length} characters)` : safe;
  }

  /** Returns a bounded copy without secrets and cycles that JSON can represent. */
  value(value: unknown): unknown {
    return this.#value(value, 0, new Set());
  }

  #value(value: unknown, depth: number, above: ReadonlySet<unknown>): unknown {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "function" || typeof value === "symbol") return `[${typeof value}]`;
    if (typeof value !== "object" || value === null) return value;
    if (above.has(value)) return "[circular]";
    if (depth === MAX_DEPTH) return "[deeper]";
    const path = new Set(above).add(value);
    if (value instanceof Error) return this.#members(errorMembers(value), depth, path);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
    if (value instanceof Map) return this.#members([...value].map(([k, v]) => [String(k), v]), depth, path);
    if (value instanceof Set || Array.isArray(value)) {
      const items = [...value];
      const kept = items.slice(0, MAX_ITEMS).map((item) => this.#value(item, depth + 1, path));
      if (items.length > MAX_ITEMS) kept.push(`[${items.length - MAX_ITEMS} more]`);
      return kept;
    }
    if ("toJSON" in value && typeof value.toJSON === "function") {
      return this.#value(value.toJSON(), depth + 1, path);
    }
    return this.#members(Object.entries(value), depth, path);
  }

  #members(members: [string, unknown][], depth: number, path: ReadonlySet<unknown>): Record<string, unknown> {
    const kept = members.slice(0, MAX_ITEMS).map(([key, value]): [string, unknown] => [
      this.text(key),
      isSecretKey(key) && mayBeSecret(value) ? REDACTED : this.#value(value, depth + 1, path),
    ]);
    if (members.length > MAX_ITEMS) kept.push(["[more]", members.length - MAX_ITEMS]);
    return Object.fromEntries(kept);
  }
}

/** Numbers, flags and null stay: `tokens: 1200` is a count, `token: null` means that there is none. */
function mayBeSecret(value: unknown): boolean {
  return typeof value === "string" || (typeof value === "object" && value !== null);
}

function isSecretKey(key: string): boolean {
  const words = key.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replace(/[^A-Za-z0-9]+/g, "_").toLowerCase();
  return SECRET_WORDS.test(words);
}

function errorMembers(error: Error): [string, unknown][] {
  const members: [string, unknown][] = [["name", error.name], ["message", error.message]];
  if ("code" in error) members.push(["code", error.code]);
  members.push(["stack", error.stack]);
  if (error.cause !== undefined) members.push(["cause", error.cause]);
  if (error instanceof AggregateError) members.push(["errors", error.errors]);
  return members;
}
