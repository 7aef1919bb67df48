/** Tenants in which proposers may not approve their own actions; a SIGHUP may change the set. */
export class SecondPerson {
  #tenants: ReadonlySet<string>;

  constructor(tenants: Iterable<string> = []) {
    this.#tenants = new Set(tenants);
  }

  replace(tenants: Iterable<string>): void {
    this.#tenants = new Set(tenants);
  }

  isRequired(tenantId: string): boolean {
    return this.#tenants.has(tenantId);
  }
}
