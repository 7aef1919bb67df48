// A small site and its outside world, as network namespaces on this machine: devices on a switch, a gateway
// with the resolver and the sensors, a routed server network, and an outside host. No traffic leaves the
// machine.

import { expireFlows, nfacctdConfig, softflowdArguments, unboundConfig } from "../transport/live-sensors.ts";
import { type Program, programPath, runProgram, startProgram } from "../transport/transport-programs.ts";

/** The devices on the switch, by their role. */
export const DEVICES = {
  tunneller: "10.77.0.11",
  scanner: "10.77.0.12",
  caller: "10.77.0.13",
  uploader: "10.77.0.14",
  quiet: "10.77.0.15",
} as const;
export type Device = keyof typeof DEVICES;

/** Name resolver, default gateway, and location of the sensors. */
export const GATEWAY = "10.77.0.1";
/** The server network and its one server. */
export const SERVERS = { network: "10.77.1.0/24", gateway: "10.77.1.1", server: "10.77.1.10" } as const;
/** The outside host and its addresses: name server of the tunnel, and services. */
export const OUTSIDE = {
  nameServer: "198.51.100.53",
  controller: "203.0.113.10",
  dropSite: "203.0.113.80",
  sites: ["203.0.113.21", "203.0.113.22", "203.0.113.23"],
} as const;
/** Names of `OUTSIDE.sites`. */
export const SITES = ["news.example.test", "mail.example.test", "files.example.test"] as const;
export const TUNNEL_DOMAIN = "t.example-tunnel.net";
/** The port of every outside service. */
export const PORT = 443;

const SWITCH = "inside";

export type Host = Device | "gateway" | "servers" | "outside";
const HOSTS: readonly Host[] = [
  "gateway",
  "servers",
  "outside",
  "tunneller",
  "scanner",
  "caller",
  "uploader",
  "quiet",
];

export class LabNetwork {
  readonly #programs: Program[] = [];

  private constructor(private readonly ip: string, readonly dir: string) {}

  /** `dir`: where the sensors write `flows.json` and `unbound.log`. */
  static async create(dir: string): Promise<LabNetwork> {
    const lab = new LabNetwork(await programPath("ip"), dir);
    try {
      for (const host of HOSTS) {
        await lab.#ip("netns", "add", space(host));
        await lab.#in(host, "link", "set", "lo", "up");
      }
      await lab.#connectDevices();
      await lab.#connect("servers", SERVERS.gateway, SERVERS.server);
      await lab.#connect("outside", "198.51.100.1", OUTSIDE.nameServer);
      for (const address of [OUTSIDE.controller, OUTSIDE.dropSite, ...OUTSIDE.sites]) {
        await lab.#in("outside", "address", "add", `${address}/32`, "dev", "eth0");
      }
      await lab.#in("gateway", "route", "add", "203.0.113.0/24", "via", OUTSIDE.nameServer);
      await lab.run("gateway", "/bin/sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward");
      return lab;
    } catch (error) {
      await lab.remove();
      throw error;
    }
  }

  async #connectDevices(): Promise<void> {
    await this.#in("gateway", "link", "add", SWITCH, "type", "bridge");
    await this.#in("gateway", "address", "add", `${GATEWAY}/24`, "dev", SWITCH);
    await this.#in("gateway", "link", "set", SWITCH, "up");
    for (const [device, address] of Object.entries(DEVICES) as [Device, string][]) {
      await this.#cable(device);
      await this.#in("gateway", "link", "set", device, "master", SWITCH);
      await this.#address(device, address, GATEWAY);
    }
  }

  /** A dedicated network between the gateway and a host. */
  async #connect(host: Host, gateway: string, address: string): Promise<void> {
    await this.#cable(host);
    await this.#in("gateway", "address", "add", `${gateway}/24`, "dev", host);
    await this.#address(host, address, gateway);
  }

  /** `eth0` on the host, and an interface with the host's name on the gateway. */
  async #cable(host: Host): Promise<void> {
    const peer = ["type", "veth", "peer", "name", host, "netns", space("gateway")];
    await this.#ip("link", "add", "eth0", "netns", space(host), ...peer);
    await this.#in("gateway", "link", "set", host, "up");
    await this.#in(host, "link", "set", "eth0", "up");
  }

  async #address(host: Host, address: string, gateway: string): Promise<void> {
    await this.#in(host, "address", "add", `${address}/24`, "dev", "eth0");
    await this.#in(host, "route", "add", "default", "via", gateway);
  }

  /** Unbound, nfacctd and softflowd on the gateway, each with the shipped configuration. */
  async startSensors(): Promise<void> {
    const { dir } = this;
    const resolver = { dir, address: GATEWAY, clients: "10.77.0.0/24", zones: zones() };
    await Deno.writeTextFile(`${dir}/unbound.conf`, await unboundConfig(resolver));
    await Deno.writeTextFile(`${dir}/nfacctd.conf`, await nfacctdConfig(dir));
    this.start("gateway", await programPath("unbound"), "-d", "-c", `${dir}/unbound.conf`);
    this.start("gateway", await programPath("nfacctd"), "-f", `${dir}/nfacctd.conf`);
    this.start("gateway", await programPath("softflowd"), ...await softflowdArguments(dir, SWITCH));
  }

  /** Starts a program on a host; it ends with the network. */
  start(host: Host, path: string, ...args: string[]): Program {
    const program = startProgram(this.ip, ["netns", "exec", space(host), path, ...args]);
    this.#programs.push(program);
    return program;
  }

  /**
   * Runs a program on a host to completion and returns its output; fails with the output unless it succeeds.
   */
  run(host: Host, path: string, ...args: string[]): Promise<string> {
    return this.#ip("netns", "exec", space(host), path, ...args);
  }

  /** Makes softflowd export all active flows. */
  expireFlows(): Promise<void> {
    return expireFlows(this.dir);
  }

  output(): string {
    return this.#programs.map((program) => program.output().slice(-1000)).join("\n");
  }

  /** Ends all programs, so that the sensors' files are complete. */
  async stop(): Promise<void> {
    for (const program of this.#programs.reverse()) await program.stop("SIGINT", 3000);
    this.#programs.length = 0;
  }

  async remove(): Promise<void> {
    await this.stop();
    for (const host of HOSTS) await this.#ip("netns", "delete", space(host)).catch(() => {});
  }

  #in(host: Host, ...args: string[]): Promise<string> {
    return this.#ip("-n", space(host), ...args);
  }

  #ip(...args: string[]): Promise<string> {
    return runProgram(this.ip, args);
  }
}

/** The host's namespace name, unique to this test run. */
function space(host: Host): string {
  return `ndr-${Deno.pid}-${host}`;
}

/**
 * Zones for the ordinary sites, and the delegation to the tunnel's name server. iodined answers
 * QNAME-minimised queries (RFC 9156), which Unbound sends by default, in a way no resolver can use.
 */
function zones(): string {
  const names = SITES.map((name, index) => `    local-data: "${name}. 60 IN A ${OUTSIDE.sites[index]}"\n`);
  return `    qname-minimisation: no
    local-zone: "example.test." static
${names.join("")}
stub-zone:
    name: "${TUNNEL_DOMAIN}."
    stub-addr: ${OUTSIDE.nameServer}
`;
}
