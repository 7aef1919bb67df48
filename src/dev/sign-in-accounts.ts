import type { Role } from "../contract/record/kinds.ts";

/** A made-up person who can sign in where `ndr up` runs. */
interface DevelopmentAccount {
  account: string;
  displayName: string;
  /** What this person is good for, in a few words. */
  description: string;
  /** Tenant id to roles. */
  grants: Readonly<Record<string, readonly Role[]>>;
}

export const DEVELOPMENT_ACCOUNTS: readonly DevelopmentAccount[] = [
  {
    account: "reader",
    displayName: "Robin Reader",
    description: "Looks at everything, changes nothing",
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
    account: "admin",
    displayName: "Alex Admin",
    description: "Sees the health of the appliance in detail",
    grants: { main: ["admin"] },
  },
  {
    account: "multi",
    displayName: "Mika Multi",
    description: "Analyst in two tenants, and chooses one",
    grants: { main: ["analyst"], branch: ["analyst"] },
  },
];

/** The claim in which an account's tenants and roles stand, each as `<tenant>:<role>`. */
export const DEVELOPMENT_CLAIM = "groups";

export function groupsOf(account: DevelopmentAccount): string[] {
  return Object.entries(account.grants).flatMap(([tenant, roles]) =>
    roles.map((role) => `${tenant}:${role}`)
  );
}

/** The access rules that fit these accounts, for an installation without its own access.yaml. */
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
