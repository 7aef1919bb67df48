import { z } from "zod";
import { type Role, ROLES } from "../contract/record/kinds.ts";
import type { Faults } from "./yaml/faults.ts";
import { Identifier } from "./yaml/ids.ts";
import { type ConfigInput, readText } from "./yaml/input.ts";
import { section, YamlFile } from "./yaml/yaml.ts";

/** The rights of a person in one tenant. */
export interface Grant {
  tenant_id: string;
  /** Sorted, distinct, at least one. */
  roles: Role[];
}

/** People with `value` in the OIDC claim `claim` get `roles` in `tenant`. */
export interface AccessRule {
  claim: string | readonly string[];
  value: string;
  tenant: string;
  roles: readonly Role[];
}

export const ACCESS_FILE = "access.yaml";

/** Keys in the path of a claim. */
const MAX_CLAIM_DEPTH = 16;
const ClaimName = z.string().min(1).max(256);

const Rule = section({
  claim: z.union([ClaimName, z.array(ClaimName).min(1).max(MAX_CLAIM_DEPTH)], {
    error: `expected a claim name, or a list of 1 to ${MAX_CLAIM_DEPTH} keys that lead to a nested claim`,
  }),
  value: z.string().min(1).max(256),
  tenant: Identifier,
  roles: z.array(z.enum(ROLES)).min(1),
});

/** What the web layer asks of the rules. */
export type AccessDecisions = Pick<AccessPolicy, "grantsFor" | "mismatchOf">;

/** Maps the claims of a verified ID token to tenants and roles; without a rule no one has access. */
export class AccessPolicy {
  /** `rules`: in the order of access.yaml. */
  constructor(readonly rules: readonly AccessRule[]) {}

  /** All tenants named by rules, sorted. */
  tenants(): string[] {
    return [...new Set(this.rules.map((rule) => rule.tenant))].sort();
  }

  /** The roles of all matching rules, one grant per tenant, sorted by tenant. */
  grantsFor(claims: Readonly<Record<string, unknown>>): Grant[] {
    const roles = new Map<string, Set<Role>>();
    for (const rule of this.rules) {
      if (!matches(claims, rule)) continue;
      const granted = roles.get(rule.tenant) ?? new Set();
      for (const role of rule.roles) granted.add(role);
      roles.set(rule.tenant, granted);
    }
    return [...roles.keys()].sort().map((tenant) => ({
      tenant_id: tenant,
      roles: [...roles.get(tenant) ?? []].sort(),
    }));
  }

  /** How each rule decides, in the order of access.yaml: null if it matches, otherwise why it does not. */
  reasonsFor(claims: Readonly<Record<string, unknown>>): (string | null)[] {
    return this.rules.map((rule) =>
      matches(claims, rule) ? null : MISMATCH_TEXTS[mismatch(claims, rule.claim, rule.value)]
    );
  }

  /**
   * Why no rule gives anything, with what to change. It names claims, not their values: these are personal, and
   * the log may leave the appliance.
   */
  mismatchOf(claims: Readonly<Record<string, unknown>>): string {
    if (this.rules.length === 0) return "access.yaml has no rules";
    const closest = new Map<string, number>();
    for (const { claim, value } of this.rules) {
      const name = claimName(claim);
      const kind = MISMATCHES.indexOf(mismatch(claims, claim, value));
      closest.set(name, Math.min(kind, closest.get(name) ?? kind));
    }
    const texts = MISMATCHES.flatMap((kind, at) => {
      const names = [...closest.keys()].filter((name) => closest.get(name) === at);
      return names.length === 0 ? [] : [`${names.slice(0, 5).join(", ")}: ${MISMATCH_TEXTS[kind]}`];
    });
    return `no rule of access.yaml matches the claims of this person. ${texts.join(". ")}`;
  }
}

/** The claim of a rule in a text: `groups`, `realm > roles`. */
export function claimName(claim: AccessRule["claim"]): string {
  return typeof claim === "string" ? claim : claim.join(NESTED);
}

/** Between the keys of a nested claim. */
export const NESTED = " > ";

/**
 * Reads `access.yaml`: `rules:`, each with `claim`, `value`, `tenant` and `roles`. `null` if the file does
 * not exist. Faults go to `faults`; the result must not be used then.
 */
export function readAccess(input: ConfigInput, configDir: string, faults: Faults): AccessPolicy | null {
  const path = `${configDir}/${ACCESS_FILE}`;
  const text = readText(input, path, faults);
  return text === null ? null : parseAccess(text, path, faults);
}

export function parseAccess(text: string, path: string, faults: Faults): AccessPolicy {
  const rules = YamlFile.parse(text, path, faults)?.list("rules", Rule) ?? [];
  return new AccessPolicy(rules.map((rule) => rule.value).filter((rule) => rule !== null));
}

/**
 * A claim by its exact name (which may contain dots, as in URLs), else by a dotted path
 * (`realm_access.roles`), or by a list of keys, each of which may contain dots.
 */
function claimOf(claims: Readonly<Record<string, unknown>>, name: string | readonly string[]): unknown {
  if (typeof name === "string" && Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const step of typeof name === "string" ? name.split(".") : name) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/** Ways to miss a rule, the closest to a match first. */
const MISMATCHES = ["spelling", "overage", "delimited", "type", "value", "absent"] as const;
type Mismatch = (typeof MISMATCHES)[number];

const MISMATCH_TEXTS: Record<Mismatch, string> = {
  spelling:
    "a value differs from the one in access.yaml only in upper and lower case or in spaces at its ends",
  overage:
    "left out of the token because the person is in too many groups (overage, Entra ID); use app roles, or let the " +
    "identity provider send only the groups assigned to this application",
  delimited: "one text that contains the value among others; the identity provider must send a list",
  type: "neither a text nor a list of texts",
  value: "in the token, but without a value of access.yaml",
  absent: "not in the ID token",
};

function mismatch(
  claims: Readonly<Record<string, unknown>>,
  name: string | readonly string[],
  value: string,
): Mismatch {
  const claim = claimOf(claims, name);
  if (claim === undefined || claim === null) return isDistributed(claims, name) ? "overage" : "absent";
  const values = (Array.isArray(claim) ? claim : [claim]).filter((one) => typeof one === "string");
  if (values.length === 0) return Array.isArray(claim) && claim.length === 0 ? "value" : "type";
  if (values.some((one) => plain(one) === plain(value))) return "spelling";
  if (values.some((one) => one.split(/[\s,;]+/).includes(value))) return "delimited";
  return "value";
}

/**
 * Whether the token refers to the claim instead of containing it (OpenID Connect Core, 5.6.2). Entra ID does so
 * for more than 200 groups; in the implicit flow it only states `hasgroups`.
 */
function isDistributed(claims: Readonly<Record<string, unknown>>, name: string | readonly string[]): boolean {
  const outer = typeof name === "string" ? name : name[0]!;
  const references = claims._claim_names;
  return (typeof references === "object" && references !== null && Object.hasOwn(references, outer)) ||
    (outer === "groups" && claims.hasgroups !== undefined);
}

const plain = (text: string) => text.trim().toLowerCase();

function matches(claims: Readonly<Record<string, unknown>>, { claim, value }: AccessRule): boolean {
  return holds(claimOf(claims, claim), value);
}

/** Exact texts only: a claim that is `true` or a number must not match by accident. */
function holds(claim: unknown, value: string): boolean {
  return claim === value || (Array.isArray(claim) && claim.includes(value));
}
