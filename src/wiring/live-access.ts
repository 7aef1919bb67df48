import type { AccessPolicy, Grant } from "../config/access.ts";
import type { WebConfig } from "../config/load.ts";

/** The access rules, which can be replaced while the web layer runs. */
export class LiveAccess {
  /** Display names, by id, of the tenants that any rule grants. */
  readonly tenants = new Map<string, string>();
  #policy: AccessPolicy;

  constructor(config: Pick<WebConfig, "access" | "sites">) {
    this.#policy = config.access;
    this.replace(config);
  }

  /** Replaces the rules, from the next request on, also for users who are signed in. */
  replace({ access, sites }: Pick<WebConfig, "access" | "sites">): void {
    this.#policy = access;
    this.tenants.clear();
    for (const id of access.tenants()) {
      const site = sites.find(({ tenantId }) => tenantId === id)?.site;
      this.tenants.set(id, site?.display_name ?? id);
    }
  }

  grantsFor(claims: Readonly<Record<string, unknown>>): Grant[] {
    return this.#policy.grantsFor(claims);
  }

  mismatchOf(claims: Readonly<Record<string, unknown>>): string {
    return this.#policy.mismatchOf(claims);
  }
}
