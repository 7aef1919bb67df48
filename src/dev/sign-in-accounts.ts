import type { Role } from "../contract/record/kinds.ts";

/** A fictitious person for `ndr up`. */
interface DevelopmentAccount {
  account: string;
  displayName: string;
  /** What this person is for, in a few words. */
  description: string;
  /** Tenant id to roles. */
  grants: Readonly<Record<string, readonly Role[]>>;
}

export const DEVELOPMENT_ACCOUNTS: readonly DevelopmentAccount[] = [
  {
    account: "reader",
    displayName: "Robin Reader",
    description: "Reads everything, changes nothing",
    grants: { main: ["reader"] },
  },
  {
    account: "analyst",
    displayName: "Ada Analyst",
    description: "Works on incidents and devices",
    grants: { main: ["analyst"] },
  },
  {
    account: "responder",
    displayName: "Rae Responder",
    description: "Proposes and decides responses",
    grants: { main: ["responder"] },
  },
  {
    account: "responder-2",
    displayName: "Remy Responder",
    description: "Decides on what the other responder proposed",
    grants: { main: ["responder"] },
  },
  {
    account: "admin",
    displayName: "Alex Admin",
    description: "Reads the health of the appliance in detail",
    grants: { main: ["admin"] },
  },
  {
    account: "multi",
    displayName: "Mika Multi",
    description: "Analyst in two tenants, selects one",
    grants: { main: ["analyst"], branch: ["analyst"] },
  },
];

/** The claim with an account's tenants and roles, each as `<tenant>:<role>`. */
export const DEVELOPMENT_CLAIM = "groups";

export function groupsOf(account: DevelopmentAccount): string[] {
  return Object.entries(account.grants).flatMap(([tenant, roles]) =>
    roles.map((role) => `${tenant}:${role}`)
  );
}

/** Access rules for these accounts, for an installation without its own access.yaml. */
export function developmentAccessRules(): { claim: string; value: string; tenant: string; roles: Role[] }[] {
  const rules = new Map<string, { claim: string; value: string; tenant: string; roles: Role[] }>();
  for (const { grants } of DEVELOPMENT_ACCOUNTS) {
    for (const [tenant, roles] of Object.entries(grants)) {
      for (const role of roles) {
        const value = `${tenant}:${role}`;
        rules.set(value, { claim: DEVELOPMENT_CLAIM, value, tenant, roles: [role] });
      }
    }
  }
  return [...rules.values()];
}
