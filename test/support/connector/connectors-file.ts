// Writes connectors.yaml and its secret files as an administrator would.

import { stringify } from "@std/yaml";

export interface WrittenInstance {
  instance: string;
  url: string;
  /** Defaults to `main`. */
  tenant?: string;
  /** Additional keys of `config`. */
  config?: Record<string, string | number | boolean>;
}

/** The signing key of every instance written here; it must never appear in a log. */
export const WEBHOOK_KEY = "a-signing-key-that-nobody-may-read-0123456789";

/** Creates `folder` and writes the file plus one key file per instance into it. */
export async function writeConnectors(folder: string, instances: readonly WrittenInstance[]): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const connectors = [];
  for (const { instance, url, tenant = "main", config = {} } of instances) {
    const secret = `${folder}/${instance}.key`;
    await Deno.writeTextFile(secret, WEBHOOK_KEY, { mode: 0o600 });
    const insecure = url.startsWith("http:") ? { allow_insecure_http: true } : {};
    connectors.push({
      id: "webhook",
      instance,
      tenant,
      enabled: true,
      config: { url, ...insecure, ...config },
      secrets: { secret },
    });
  }
  await Deno.writeTextFile(`${folder}/connectors.yaml`, stringify({ connectors }));
}
