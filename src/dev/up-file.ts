import type { TenantResponse } from "../config/response.ts";
import type { RegisteredSource } from "../config/sources.ts";
import { DEVELOPMENT_ACCOUNTS } from "./sign-in-accounts.ts";

export const UP_FILE = "up.json";

/**
 * What a script needs to drive a running `ndr up`: addresses, accounts, sensors and executors with their
 * tokens.
 */
export function upFile(
  baseUrl: string,
  coreUrl: string,
  sources: readonly RegisteredSource[],
  response: readonly TenantResponse[],
): string {
  const content = {
    base_url: baseUrl,
    core_url: coreUrl,
    accounts: DEVELOPMENT_ACCOUNTS.map(({ account, grants }) => ({
      account,
      tenants: Object.entries(grants).map(([tenant_id, roles]) => ({ tenant_id, roles })),
    })),
    sources: sources.map(({ source, token }) => ({
      sensor_id: source.sensorId,
      tenant_id: source.tenantId,
      allowed_kinds: [...source.allowedKinds],
      trust: source.trust,
      expected_exporters: source.expectedExporters ? [...source.expectedExporters] : [],
      token: token.reveal(),
    })),
    executors: response.flatMap((tenant) => tenant.executors).map(({ executorId, tenantId, token }) => ({
      executor_id: executorId,
      tenant_id: tenantId,
      token: token.reveal(),
    })),
  };
  return JSON.stringify(content, null, 2) + "\n";
}
