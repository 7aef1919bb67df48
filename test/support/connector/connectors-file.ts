// connectors.yaml with its secrets, as an admin writes them.

import { stringify } from "@std/yaml";

export interface WrittenInstance {
  instance: string;
  url: string;
  /** Default `main`. */
  tenant?: string;
  /** Further keys of `config`. */
  config?: Record<string, string | number | boolean>;
}

/** The signing key of every instance written here; a text that no log may hold. */
export const WEBHOOK_KEY = "a-signing-key-that-nobody-may-read-0123456789";

/** Writes the file and one key file for each instance into `folder`, which it makes. */
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
