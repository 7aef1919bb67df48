// Two hosts connected by a cable, as network namespaces on this machine, and the records of their traffic.

import { expireFlows, nfacctdConfig, softflowdArguments, unboundConfig } from "./live-sensors.ts";
import { type Program, programPath, runProgram, startProgram } from "./transport-programs.ts";

const PEER = new URL("transport-peer.ts", import.meta.url).pathname;

export const CLIENT = "10.77.0.2";
export const SERVER = "10.77.0.1";
export const HTTP_PORT = 8080;
export const NAME = "files.example.test";

/** Whether namespaces can be created; in most containers even root may not. */
export async function canMakeNamespaces(): Promise<boolean> {
  const name = `ndr-probe-${Deno.pid}`;
  try {
    const ip = await programPath("ip");
    await runProgram(ip, ["netns", "add", name]);
    await runProgram(ip, ["netns", "delete", name]);
    return true;
  } catch {
    return false;
  }
}

export class TestNetwork {
  readonly #programs: Program[] = [];

  private constructor(
    private readonly ip: string,
    private readonly dir: string,
    private readonly client: string,
    private readonly server: string,
  ) {}

  static async create(dir: string): Promise<TestNetwork> {
    const network = new TestNetwork(await programPath("ip"), dir, `ndrc${Deno.pid}`, `ndrs${Deno.pid}`);
    const { client, server } = network;
    try {
      for (const name of [client, server]) await network.#ip("netns", "add", name);
      await network.#ip("link", "add", client, "netns", client, "type", "veth", "peer", "name", server);
      await network.#ip("link", "set", server, "netns", server);
      for (const [name, address] of [[client, CLIENT], [server, SERVER]] as const) {
        await network.#ip("-n", name, "address", "add", `${address}/24`, "dev", name);
        await network.#ip("-n", name, "link", "set", "lo", "up");
        await network.#ip("-n", name, "link", "set", name, "up");
      }
      return network;
    } catch (error) {
      await network.remove();
      throw error;
    }
  }

  /** The server's programs, each with the shipped configuration: HTTP, Unbound, softflowd and nfacctd. */
  async startServer(): Promise<void> {
    const { dir, server } = this;
    const zones = `    local-zone: "example.test." static\n    local-data: "${NAME}. 60 IN A ${SERVER}"`;
    const resolver = { dir, address: SERVER, clients: `${CLIENT}/32`, zones };
    await Deno.writeTextFile(`${dir}/unbound.conf`, await unboundConfig(resolver));
    await Deno.writeTextFile(`${dir}/nfacctd.conf`, await nfacctdConfig(dir));
    this.#start(await programPath("unbound"), "-d", "-c", `${dir}/unbound.conf`);
    this.#start(await programPath("nfacctd"), "-f", `${dir}/nfacctd.conf`);
    this.#start(Deno.execPath(), "run", "-A", PEER, "serve", SERVER, String(HTTP_PORT));
    this.#start(await programPath("softflowd"), ...await softflowdArguments(dir, server));
  }

  /** The client looks up the server's name and reads from it. */
  async visit(): Promise<void> {
    const peer = ["run", "-A", PEER, "visit", NAME, SERVER, String(HTTP_PORT)];
    await this.#ip("netns", "exec", this.client, Deno.execPath(), ...peer);
  }

  /** Makes softflowd export all active flows. */
  async expireFlows(): Promise<void> {
    await expireFlows(this.dir);
  }

  output(): string {
    return this.#programs.map((program) => program.output().slice(-1000)).join("\n");
  }

  /** Ends the server's programs, so that their files are complete. */
  async stopServer(): Promise<void> {
    for (const program of this.#programs.reverse()) await program.stop("SIGINT", 3000);
    this.#programs.length = 0;
  }

  async remove(): Promise<void> {
    await this.stopServer();
    for (const name of [this.client, this.server]) {
      await this.#ip("netns", "delete", name).catch(() => {});
    }
  }

  #start(program: string, ...args: string[]): void {
    this.#programs.push(startProgram(this.ip, ["netns", "exec", this.server, program, ...args]));
  }

  #ip(...args: string[]): Promise<string> {
    return runProgram(this.ip, args);
  }
}
