import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";

/** The files of `ndr up` in its state directory, readable by its user only. */
export class StateFiles {
  constructor(private readonly directory: string) {}

  path(name: string): string {
    return `${this.directory}/${name}`;
  }

  async prepare(): Promise<void> {
    await Deno.mkdir(this.directory, { recursive: true, mode: 0o700 });
  }

  /** The key with which web signs and core verifies; created once. */
  async serviceKey(): Promise<Uint8Array> {
    const path = this.path("service.key");
    const known = await readIfThere(path);
    if (known) return known;
    const key = Buffer.from(randomBytes(32).toString("base64url"));
    await this.write("service.key", key);
    return key;
  }

  /** Tokens by sensor: a sensor keeps its token over restarts, a new one gets one. */
  async tokens(): Promise<(sensorId: string) => string> {
    const known = await readIfThere(this.path("tokens.json"));
    const tokens = new Map<string, string>(
      known ? Object.entries(JSON.parse(new TextDecoder().decode(known))) : [],
    );
    return (sensorId) => {
      let token = tokens.get(sensorId);
      if (token === undefined) {
        token = randomBytes(24).toString("base64url");
        tokens.set(sensorId, token);
        this.#saveTokens(tokens);
      }
      return token;
    };
  }

  #saveTokens(tokens: Map<string, string>): void {
    const path = this.path("tokens.json");
    Deno.writeTextFileSync(`${path}.new`, JSON.stringify(Object.fromEntries(tokens), null, 2), {
      mode: 0o600,
    });
    Deno.renameSync(`${path}.new`, path);
  }

  /** Writes atomically: a reader never sees a partial file. */
  async write(name: string, content: Uint8Array | string): Promise<void> {
    const path = this.path(name);
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await Deno.writeFile(`${path}.new`, bytes, { mode: 0o600 });
    await Deno.rename(`${path}.new`, path);
  }

  /** Null if it does not exist. */
  async readText(name: string): Promise<string | null> {
    const bytes = await readIfThere(this.path(name));
    return bytes === null ? null : new TextDecoder().decode(bytes);
  }

  async exists(name: string): Promise<boolean> {
    return await readIfThere(this.path(name)) !== null;
  }
}

async function readIfThere(path: string): Promise<Uint8Array | null> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
