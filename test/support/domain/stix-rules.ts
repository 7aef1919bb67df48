// The rules of STIX 2.1 that the bundles of incidents rely on, as a reader checks them.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { canonicalIp } from "../../../src/kit/net/ip.ts";

type Object = Record<string, unknown> & { type: string; id: string };

const NAMESPACE = "00abedb4aa42466c9c01fed23315a9b7";
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
const MILLIS = /\.\d{3}Z$/;
const ID = /^[a-z0-9][a-z0-9-]+--[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Properties by type: those that must be there, and those that may. */
const COMMON = ["type", "spec_version", "id", "created_by_ref", "created", "modified", "object_marking_refs"];
const FURTHER = ["labels", "confidence", "external_references", "description"];
const TYPES: Record<string, { required: string[]; optional?: string[] }> = {
  "identity": { required: ["name", "identity_class"] },
  "incident": { required: ["name"] },
  "report": { required: ["name", "published", "object_refs"], optional: ["report_types"] },
  "note": { required: ["content", "object_refs"], optional: ["abstract"] },
  "attack-pattern": { required: ["name"], optional: ["kill_chain_phases"] },
  "observed-data": { required: ["first_observed", "last_observed", "number_observed", "object_refs"] },
  "indicator": {
    required: ["pattern", "pattern_type", "valid_from"],
    optional: ["name", "indicator_types", "pattern_version"],
  },
  "relationship": { required: ["relationship_type", "source_ref", "target_ref"] },
  "sighting": {
    required: ["sighting_of_ref"],
    optional: ["first_seen", "last_seen", "count", "observed_data_refs", "where_sighted_refs"],
  },
};
/** Observables: what may be there beside the properties that contribute to the identifier. */
const OBSERVABLES: Record<string, { contributing: string[]; optional?: string[]; required: string[] }> = {
  "ipv4-addr": { contributing: ["value"], required: ["value"] },
  "ipv6-addr": { contributing: ["value"], required: ["value"] },
  "mac-addr": { contributing: ["value"], required: ["value"] },
  "domain-name": { contributing: ["value"], required: ["value"] },
  "url": { contributing: ["value"], required: ["value"] },
  "x509-certificate": {
    contributing: ["hashes", "serial_number"],
    optional: ["subject", "issuer", "is_self_signed", "validity_not_before", "validity_not_after"],
    required: ["hashes"],
  },
  "network-traffic": {
    contributing: ["start", "end", "src_ref", "dst_ref", "src_port", "dst_port", "protocols", "extensions"],
    optional: ["is_active", "src_byte_count", "dst_byte_count", "src_packets", "dst_packets"],
    required: ["protocols"],
  },
};
const VOCABULARIES: Record<string, readonly string[]> = {
  identity_class: ["individual", "group", "system", "organization", "class", "unknown"],
  report_types: ["attack-pattern", "campaign", "identity", "indicator", "observed-data", "threat-report"],
  indicator_types: ["anomalous-activity", "benign", "compromised", "malicious-activity", "unknown"],
};

/** Throws unless the text is a valid bundle; returns its objects. */
export function checkBundle(text: string): Object[] {
  const bundle = JSON.parse(text) as Object & { objects: Object[] };
  assert.deepEqual(Object.keys(bundle), ["type", "id", "objects"]);
  assert.equal(bundle.type, "bundle");
  checkId(bundle);
  const ids = new Set(bundle.objects.map(({ id }) => id));
  assert.equal(ids.size, bundle.objects.length, "each object once");
  for (const one of bundle.objects) {
    checkId(one);
    assert.equal(one.spec_version, "2.1", one.id);
    checkValues(one, one.id);
    for (const ref of referencesOf(one)) {
      assert.ok(ids.has(ref), `${one.id} refers to ${ref}, which is missing`);
    }
    if (one.type === "marking-definition") continue;
    if (one.type in OBSERVABLES) checkObservable(one);
    else checkDomainObject(one);
  }
  return bundle.objects;
}

function checkId({ type, id }: Object): void {
  assert.match(id, ID);
  assert.equal(id.slice(0, id.indexOf("--")), type);
}

/** Times, lists, integers and vocabularies, wherever they are. */
function checkValues(value: unknown, path: string): void {
  if (Array.isArray(value)) {
    assert.ok(value.length > 0, `${path}: an empty list is not allowed`);
    value.forEach((one, at) => checkValues(one, `${path}[${at}]`));
    return;
  }
  if (typeof value === "number" && Number.isInteger(value)) assert.ok(Number.isSafeInteger(value), path);
  if (typeof value !== "object") return;
  assert.notEqual(value, null, `${path}: null is not allowed`);
  for (const [name, one] of Object.entries(value!)) {
    if (!path.includes("request_header")) assert.match(name, /^[a-zA-Z0-9_-]{2,250}$/, path);
    if (name in VOCABULARIES) {
      for (const word of [one].flat()) {
        assert.ok(VOCABULARIES[name]!.includes(word as string), `${path}.${name}: ${word}`);
      }
    }
    checkValues(one, `${path}.${name}`);
  }
}

/** Every identifier in properties that end with `_ref` or `_refs`. */
function referencesOf(object: Object): string[] {
  return Object.entries(object).flatMap(([name, value]) =>
    name.endsWith("_ref") || name.endsWith("_refs") ? [value].flat() as string[] : []
  );
}

function checkDomainObject(object: Object): void {
  const known = TYPES[object.type];
  assert.ok(known, `${object.type} is expected here`);
  const allowed = new Set([...COMMON, ...FURTHER, ...known.required, ...known.optional ?? []]);
  for (const name of Object.keys(object)) assert.ok(allowed.has(name), `${object.id}: ${name}`);
  for (const name of [...COMMON.slice(0, 6), ...known.required]) {
    assert.ok(name in object, `${object.id}: ${name} is missing`);
  }
  for (const name of ["created", "modified"]) {
    assert.match(object[name] as string, TIMESTAMP);
    assert.match(object[name] as string, MILLIS);
  }
  inOrder(object, "created", "modified");
  inOrder(object, "first_observed", "last_observed");
  inOrder(object, "first_seen", "last_seen");
  const { confidence, number_observed: observed, external_references: references = [] } = object;
  if (confidence !== undefined) assert.ok((confidence as number) >= 0 && (confidence as number) <= 100);
  if (observed !== undefined) assert.ok((observed as number) >= 1);
  for (const { source_name, ...rest } of references as Record<string, string>[]) {
    assert.ok(source_name !== undefined && Object.keys(rest).length > 0, object.id);
  }
  if (object.type === "indicator" && object.pattern_type === "stix") {
    assert.match(
      object.pattern as string,
      /^\[[a-z0-9-]+:[a-z.'A-Z0-9-]+ (?:=|ISSUBSET) '(?:[^'\\]|\\.)*'(?: OR .*)?\]$/s,
    );
  }
  if (object.type === "observed-data") {
    for (const ref of object.object_refs as string[]) assert.ok(ref.split("--")[0]! in OBSERVABLES, ref);
  }
  if (object.type === "sighting") {
    assert.match(object.sighting_of_ref as string, /^(?!relationship|sighting)/);
  }
}

function inOrder(object: Object, first: string, last: string): void {
  if (object[first] === undefined || object[last] === undefined) return;
  assert.ok(
    (object[first] as string) <= (object[last] as string),
    `${object.id}: ${last} is before ${first}`,
  );
}

function checkObservable(object: Object): void {
  const { contributing, required, optional = [] } = OBSERVABLES[object.type]!;
  const allowed = new Set([
    "type",
    "spec_version",
    "id",
    "object_marking_refs",
    ...contributing,
    ...optional,
  ]);
  for (const name of Object.keys(object)) assert.ok(allowed.has(name), `${object.id}: ${name}`);
  for (const name of required) assert.ok(name in object, `${object.id}: ${name} is missing`);
  const own = Object.fromEntries(
    contributing.filter((name) => name in object).map((name) => [name, object[name]]),
  );
  assert.equal(object.id, `${object.type}--${uuid5(jcs(own))}`, "the identifier is that of its properties");
  if (object.type.endsWith("-addr") && object.type !== "mac-addr") {
    assert.equal(canonicalIp(object.value as string), object.value);
    assert.equal(object.type === "ipv6-addr", (object.value as string).includes(":"));
  }
  if (object.type === "mac-addr") assert.match(object.value as string, /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/);
  if (object.type !== "network-traffic") return;
  assert.ok("src_ref" in object || "dst_ref" in object, object.id);
  if ("end" in object) {
    assert.equal(object.is_active, false);
    assert.ok((object.end as string) > (object.start as string));
  }
  for (const name of object.protocols as string[]) assert.equal(name, name.toLowerCase());
  const { "http-request-ext": request } = (object.extensions ?? {}) as Record<
    string,
    Record<string, unknown>
  >;
  if (request !== undefined) assert.ok("request_method" in request && "request_value" in request);
}

/** RFC 8785 by sorting every object; the names here are ASCII. */
function jcs(value: unknown): string {
  const sorted = (one: unknown): unknown =>
    Array.isArray(one) ? one.map(sorted) : typeof one === "object" && one !== null
      ? Object.fromEntries(
        Object.keys(one).sort().map((name) => [name, sorted((one as Record<string, unknown>)[name])]),
      )
      : one;
  return JSON.stringify(sorted(value));
}

/** A UUID of version 5, by RFC 4122. */
function uuid5(name: string): string {
  const digest = createHash("sha1").update(
    new Uint8Array(NAMESPACE.match(/../g)!.map((hex) => parseInt(hex, 16))),
  )
    .update(name).digest();
  digest[6] = (digest[6]! & 0x0f) | 0x50;
  digest[8] = (digest[8]! & 0x3f) | 0x80;
  return digest.toString("hex").slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
