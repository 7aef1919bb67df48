import type { AccessPolicy, Grant } from "../config/access.ts";
import type { WebConfig } from "../config/load.ts";

/** Access rules that an administrator may change while the web layer runs. */
export class LiveAccess {
  /** Display names of tenants that some rule grants, by id. */
  readonly tenants = new Map<string, string>();
  #policy: AccessPolicy;

  constructor(config: Pick<WebConfig, "access" | "sites">) {
    this.#policy = config.access;
    this.replace(config);
  }

  /** Applies from the next request on, also to people who are signed in. */
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
}
