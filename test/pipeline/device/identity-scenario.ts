// Machines that get their addresses by DHCP, as sensors see them.

import assert from "node:assert/strict";
import { type Applied } from "../../../src/core/jobs/identity-changes.ts";
import { identifyDevices } from "../../../src/core/jobs/identity-job.ts";
import { formatMicros } from "../../../src/kit/time.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { Api, NOW, SURICATA, ZEEK } from "../../contract/api.ts";
import { conn, rawLine } from "../../contract/records.ts";

const HOUR = 3_600_000_000;

/** The time this many hours ago. */
export function ago(hours: number): number {
  return NOW - hours * HOUR;
}

/** An API with the identity job enabled. */
export async function identityApi(db: Database): Promise<Api> {
  await registerTenants(db, ["main"]);
  return new Api(db, [], { identities: { logger: silentLogger } });
}

export async function identify(api: Api): Promise<Applied> {
  return await identifyDevices(api.db, "main", api.clock.now());
}

interface Client {
  mac: string;
  name?: string;
  clientId?: string;
}

/** Suricata EVE `dhcp`: the server assigns the client an address. */
export function lease(ip: string, at: number, { mac, name, clientId }: Client): string {
  return rawLine(
    "suricata.dhcp",
    formatMicros(at),
    JSON.stringify({
      timestamp: formatMicros(at),
      flow_id: 3_234_567_890_123 + at % 1_000_000_007,
      event_type: "dhcp",
      src_ip: "10.0.0.1",
      src_port: 67,
      dest_ip: ip,
      dest_port: 68,
      proto: "UDP",
      dhcp: {
        type: "reply",
        id: at % 4_000_000_000,
        client_mac: mac,
        assigned_ip: ip,
        dhcp_type: "ack",
        lease_time: 86400,
        hostname: name,
        client_id: clientId,
      },
    }),
  );
}

/** Zeek `ssh.log`: a connection to a server, with its host key. */
export function sshServer(ip: string, at: number, hostKey: string): string {
  return rawLine(
    "zeek.ssh",
    formatMicros(at),
    JSON.stringify({
      ts: formatMicros(at),
      uid: `S${at}${ip}`,
      "id.orig_h": "10.0.0.250",
      "id.orig_p": 40000 + at % 20000,
      "id.resp_h": ip,
      "id.resp_p": 22,
      version: 2,
      client: "SSH-2.0-OpenSSH_9.2",
      server: "SSH-2.0-OpenSSH_9.2",
      host_key: hostKey,
    }),
  );
}

/** Zeek `ssl.log`: a connection to a server, with its certificate. */
export function tlsServer(ip: string, at: number, fingerprint: string): string {
  return rawLine(
    "zeek.ssl",
    formatMicros(at),
    JSON.stringify({
      ts: formatMicros(at),
      uid: `T${at}${ip}`,
      "id.orig_h": "10.0.0.250",
      "id.orig_p": 40000 + at % 20000,
      "id.resp_h": ip,
      "id.resp_p": 443,
      version: "TLSv12",
      established: true,
      cert_chain_fps: [fingerprint],
      subject: "CN=files-1",
    }),
  );
}

/** Connections opened by an address over some hours, one every ten minutes. */
export function busy(src: string, from: number, to: number): string[] {
  const lines: string[] = [];
  for (let at = from; at < to; at += HOUR / 6) {
    lines.push(conn({ src, at, srcPort: 30000 + lines.length, dst: "198.51.100.7" }));
  }
  return lines;
}

/** A machine at one address: it gets its lease and is active from then on. Times in hours ago. */
export async function works(api: Api, ip: string, from: number, to: number, client: Client): Promise<void> {
  await api.take(SURICATA, [lease(ip, ago(from), client)]);
  await api.take(ZEEK, busy(ip, ago(from) + 60_000_000, ago(to)));
}

/** The listed devices by address, without the site's own. */
export async function listed(api: Api): Promise<Map<string, string>> {
  const { data } = await api.read("listDevices");
  return new Map(data.map((device) => [device.addresses.join(" "), device.device_id]));
}

/** The id of the device with exactly these addresses. */
export async function deviceAt(api: Api, ...addresses: string[]): Promise<string> {
  const devices = await listed(api);
  const id = devices.get(addresses.join(" "));
  assert.ok(id, `${addresses.join(" ")} is none of ${[...devices.keys()].join(", ")}`);
  return id;
}

/** A query for the whole time span of the scenario. */
export const WINDOW = { from: formatMicros(ago(24 * 20)), to: formatMicros(NOW) };

export const LAPTOP = { mac: "9c:b6:d0:1a:2b:3c", name: "annas-laptop" };

/** The laptop on three days, each time at another address; returns the ids of its devices. */
export async function laptopMoves(api: Api): Promise<[string, string, string]> {
  await works(api, "10.0.0.5", 72, 66, LAPTOP);
  await works(api, "10.0.0.6", 48, 42, LAPTOP);
  await works(api, "10.0.0.7", 24, 18, LAPTOP);
  return [await deviceAt(api, "10.0.0.5"), await deviceAt(api, "10.0.0.6"), await deviceAt(api, "10.0.0.7")];
}
