// A request for an operation of the document: usually a valid one, sometimes slightly wrong.

import type { Operation } from "../../contract/openapi/document.ts";
import type { Random } from "./random.ts";
import { allowed, type Described, hostileText, refused } from "./values.ts";
import type { World } from "./world.ts";

export interface Made {
  operationId: string;
  method: string;
  target: string;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer> | null;
}

/** An operation with its path and method. */
export interface OperationAt extends Operation {
  method: string;
  path: string;
}

/** `now`: milliseconds; generated times lie around it. */
export function make(random: Random, operation: OperationAt, world: World, now: number): Made {
  const { operationId, method, parameters = [], requestBody } = operation;
  // A request with one fault gets further than one with many.
  const off = random.chance(0.35) ? random.pick(["path", "query", "headers", "body", "all"]) : "nothing";
  const isOff = (what: string) => off === what || (off === "all" && random.chance(0.5));
  let revision: number | null = null;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (isOff("path")) return encode(random.chance(0.3) ? random.uuid() : hostileText(random) || "x");
    const found = world.known(random, name);
    revision = found?.revision ?? null;
    return encode(found?.id ?? random.uuid());
  });

  const query = new URLSearchParams();
  for (const { name, schema, required } of parameters.filter((one) => one.in === "query")) {
    if (!required && !random.chance(0.35)) continue;
    query.append(
      name,
      isOff("query") ? hostileText(random) : queryValue(random, operation, name, schema, world, now),
    );
    if (isOff("query") && random.chance(0.1)) query.append(name, hostileText(random));
  }
  if (isOff("query")) {
    query.append(random.pick(["tenant_id", "tenant", "page", "", "__proto__"]), hostileText(random));
  }

  const headers: Record<string, string> = {};
  for (const { name, required } of parameters.filter((one) => one.in === "header")) {
    const value = isOff("headers") ? headerText(hostileText(random)) : headerValue(random, name, revision);
    if (value === null || (!required && random.chance(0.5)) || (isOff("headers") && random.chance(0.3))) {
      continue;
    }
    headers[name.toLowerCase()] = value;
  }
  const content = requestBody?.content["application/json"];
  const body = content === undefined ? null : bodyOf(random, content, world, now, isOff("body"));
  if (body !== null) headers["content-type"] = isOff("headers") ? "text/plain" : "application/json";
  const text = query.toString();
  return { operationId, method, target: text === "" ? path : `${path}?${text}`, headers, body };
}

/** A lone surrogate cannot be encoded, and clients resolve `.` and `..` before sending. */
function encode(text: string): string {
  const safe = text.toWellFormed();
  return /^\.{1,2}$/.test(safe) ? encodeURIComponent(` ${safe}`) : encodeURIComponent(safe);
}

function queryValue(
  random: Random,
  { operationId }: Operation,
  name: string,
  schema: Described,
  world: World,
  now: number,
): string {
  if (name === "cursor") return world.cursor(random, operationId) ?? "none";
  if (name === "from") {
    return new Date(now - random.pick([60, 3600, 86_400, 30 * 86_400]) * 1000).toISOString();
  }
  if (name === "to") return new Date(now + 1000).toISOString();
  const found = name.endsWith("_id") ? world.known(random, name) : null;
  return found?.id ?? String(allowed(random, schema, now));
}

function headerValue(random: Random, name: string, revision: number | null): string {
  if (/^if-match$/i.test(name)) return `"${random.chance(0.8) ? revision ?? 1 : random.below(9) + 1}"`;
  // Some keys are reused, with the same request or another one.
  return random.chance(0.95) ? `key-${random.hex(12)}` : `key-${random.below(3)}`;
}

/** Characters that the runtime accepts in a header value. */
function headerText(text: string): string {
  return text.replaceAll(/[^\x21-\x7e\x80-\xff]/g, "?").slice(0, 2000);
}

function bodyOf(
  random: Random,
  { schema, example }: { schema: Described; example?: unknown },
  world: World,
  now: number,
  isOff: boolean,
): Uint8Array<ArrayBuffer> {
  const isExample = example !== undefined && random.chance(0.6);
  const value = withKnown(random, isExample ? example : allowed(random, schema, now), world, now);
  if (!isOff) return new TextEncoder().encode(JSON.stringify(value));
  const text = JSON.stringify(spoiled(random, schema, value));
  return random.pick([
    () => new TextEncoder().encode(text),
    () => new TextEncoder().encode(text),
    () => new TextEncoder().encode(text),
    () => new TextEncoder().encode(text.slice(0, random.below(text.length + 1))),
    () => new TextEncoder().encode(text.replace("{", '{"reason":"a","reason":"b",')),
    () => new TextEncoder().encode(`${"[".repeat(5000)}${"]".repeat(5000)}`),
    () => new TextEncoder().encode(text.replace(/"[^"]*"/, '"\\ud800\\u0000"')),
    () => new TextEncoder().encode(text.replace(/\d+/, "1e999")),
    () => new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    () => new TextEncoder().encode(JSON.stringify({ comment: "x".repeat(random.pick([5000, 1_100_000])) })),
    () => new Uint8Array(0),
  ])();
}

/** Identifiers in a body refer to existing objects, and its times lie in the future. */
function withKnown(random: Random, value: unknown, world: World, now: number): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name.endsWith("_at") && random.chance(0.8)) return [name, new Date(now + 3_600_000).toISOString()];
      const found = name.endsWith("_id") && random.chance(0.8) ? world.known(random, name) : null;
      return [name, found && typeof member === "string" ? found.id : withKnown(random, member, world, now)];
    }),
  );
}

function spoiled(random: Random, schema: Described, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return refused(random, schema);
  const names = Object.keys(value);
  const name = random.pick([...names, "tenant_id"]);
  const { [name]: member, ...rest } = value as Record<string, unknown>;
  return random.pick([
    () => rest,
    () => ({ ...value, [name]: refused(random, schema.properties?.[name] ?? {}) }),
    () => ({ ...value, [name]: spoiled(random, schema.properties?.[name] ?? {}, member) }),
    () => ({ ...value, more: hostileText(random) }),
    () => refused(random, schema),
  ])();
}
