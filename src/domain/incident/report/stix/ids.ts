import { nameUuid } from "../../../../kit/name-uuid.ts";

/** A STIX object: its properties under the names of the specification. */
export type StixObject = { type: string; id: string } & Record<string, unknown>;

/** The namespace that STIX 2.1 reserves for identifiers of observables (section 2.9). */
const OBSERVABLE_NAMESPACE = "00abedb4-aa42-466c-9c01-fed23315a9b7";
/** For all other objects, which must not use the one above. */
const OWN_NAMESPACE = "d1f2b1a4-5c1e-4b0f-9a43-7d0f8e6c2b95";

/**
 * Canonical JSON (RFC 8785) of what identifiers are made of: texts, integers, booleans, lists and objects whose names are
 * ASCII, so that the order of UTF-16 units is that of the names.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1);
  return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${canonicalJson(one)}`).join(",")}}`;
}

/** The identifier of an observable by its contributing properties: every producer gives it the same one. */
export function observableId(type: string, contributing: Readonly<Record<string, unknown>>): string {
  const stated = Object.fromEntries(Object.entries(contributing).filter(([, value]) => value !== undefined));
  return `${type}--${nameUuid(OBSERVABLE_NAMESPACE, canonicalJson(stated))}`;
}

/** The identifier of any other object, by what it is about. */
export function ownId(type: string, ...about: readonly string[]): string {
  return `${type}--${nameUuid(OWN_NAMESPACE, canonicalJson([type, ...about]))}`;
}
