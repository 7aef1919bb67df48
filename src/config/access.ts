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

/** Maps the claims of a verified ID token to tenants and roles; without a rule no one has access. */
export class AccessPolicy {
  readonly #rules: readonly AccessRule[];

  constructor(rules: readonly AccessRule[]) {
    this.#rules = rules;
  }

  /** All tenants named by rules, sorted. */
  tenants(): string[] {
    return [...new Set(this.#rules.map((rule) => rule.tenant))].sort();
  }

  /** The roles of all matching rules, one grant per tenant, sorted by tenant. */
  grantsFor(claims: Readonly<Record<string, unknown>>): Grant[] {
    const roles = new Map<string, Set<Role>>();
    for (const rule of this.#rules) {
      if (!holds(claimOf(claims, rule.claim), rule.value)) continue;
      const granted = roles.get(rule.tenant) ?? new Set();
      for (const role of rule.roles) granted.add(role);
      roles.set(rule.tenant, granted);
    }
    return [...roles.keys()].sort().map((tenant) => ({
      tenant_id: tenant,
      roles: [...roles.get(tenant) ?? []].sort(),
    }));
  }
}

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

/** Exact texts only: a claim that is `true` or a number must not match by accident. */
function holds(claim: unknown, value: string): boolean {
  return claim === value || (Array.isArray(claim) && claim.includes(value));
}
