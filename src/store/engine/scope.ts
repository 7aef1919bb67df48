import { type Limits, limitStatements } from "./limits.ts";
import { APP_ROLE } from "./tables.ts";

/**
 * The statements that open a tenant's transaction. Tenant ids come from configuration and verified claims
 * only; the pattern guards the statement's text nevertheless.
 */
export function openTenant(tenantId: string, limits?: Limits): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(tenantId)) throw new TypeError("not a tenant id");
  return `begin; set local role ${APP_ROLE}; set local ndr.tenant = '${tenantId}'` + limitStatements(limits);
}

export function openShared(limits?: Limits): string {
  return `begin; set local role ${APP_ROLE}; set local ndr.tenant = ''` + limitStatements(limits);
}

export const OPEN_OWNER = "begin";
