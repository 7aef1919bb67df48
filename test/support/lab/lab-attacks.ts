// Attacks run by the devices of the lab, with the real tools where one exists.

import { exists } from "../files.ts";
import {
  GATEWAY,
  type Host,
  type LabNetwork,
  OUTSIDE,
  PORT,
  SERVERS,
  SITES,
  TUNNEL_DOMAIN,
} from "./lab-network.ts";
import { type Program, programPath, runProgram, waitFor } from "../transport/transport-programs.ts";

const PEER = new URL("lab-peer.ts", import.meta.url).pathname;
/** The network inside the tunnel; these addresses never appear on the wire. */
const TUNNEL = { server: "10.99.0.1", port: 9000, password: "lab", bytes: 64 * 1024 };
const TUN_DEVICE = "/dev/net/tun";

/** Number of ports scanned one by one on the server. */
export const SCANNED_PORTS = 1000;
export const CALLBACKS = { count: 46, period: 2, jitter: 0.2 } as const;
/** Slow enough for softflowd, which drops packets it is too late for, to keep up with all other traffic. */
export const UPLOAD = { bytes: 300_000_000, seconds: 24 } as const;
/** Browsing lasts as long as the attacks; the last pause adds a few seconds. */
const BROWSING_SECONDS = { quiet: 85, uploader: 60 } as const;

/** What is missing to create tunnels on this machine, or null. */
export async function missingForTunnel(): Promise<string | null> {
  try {
    if (!(await exists(TUN_DEVICE))) {
      await Deno.mkdir("/dev/net", { recursive: true });
      await runProgram("/usr/bin/mknod", [TUN_DEVICE, "c", "10", "200"]);
    }
    (await Deno.open(TUN_DEVICE, { read: true, write: true })).close();
    return null;
  } catch {
    return `the right to use ${TUN_DEVICE}`;
  }
}

/** The outside services, which all attacks but the scan need. */
export async function startOutside(lab: LabNetwork): Promise<void> {
  const addresses = [OUTSIDE.controller, OUTSIDE.dropSite, ...OUTSIDE.sites];
  const ends = addresses.flatMap((address) => [address, String(PORT)]);
  await waitForOutput(peer(lab, "outside", "serve", ...ends), `listening: ${OUTSIDE.sites[2]} ${PORT}`);
}

/** Runs iodine through the resolver and sends a file through the tunnel. */
export async function tunnel(lab: LabNetwork): Promise<void> {
  const server = lab.start(
    "outside",
    await programPath("iodined"),
    ...["-f", "-c", "-P", TUNNEL.password, "-l", OUTSIDE.nameServer],
    ...[`${TUNNEL.server}/24`, TUNNEL_DOMAIN],
  );
  await waitForOutput(server, "Listening to dns");
  // -r: skip the raw mode test, which would bypass the resolver and which a firewall would block. -m: skip
  // the probe for the response size, which does not finish on a busy machine.
  const client = lab.start(
    "tunneller",
    await programPath("iodine"),
    ...["-f", "-r", "-m", "768", "-P", TUNNEL.password, GATEWAY, TUNNEL_DOMAIN],
  );
  await waitForOutput(client, "Connection setup complete", 90);
  const end = [TUNNEL.server, String(TUNNEL.port)];
  await waitForOutput(peer(lab, "outside", "serve", ...end), `listening: ${end.join(" ")}`);
  await runPeer(lab, "tunneller", "exchange", ...end, String(TUNNEL.bytes), "100");
  await client.stop("SIGINT");
}

/** Scans one port on every address of the server network, then many ports on the one server. */
export async function scan(lab: LabNetwork): Promise<void> {
  const nmap = await programPath("nmap");
  await lab.run("scanner", nmap, "-n", "-Pn", "-sS", "-p", "445", SERVERS.network);
  await lab.run("scanner", nmap, "-n", "-Pn", "-sT", "-p", `1-${SCANNED_PORTS}`, SERVERS.server);
}

export async function callBack(lab: LabNetwork, count: number = CALLBACKS.count): Promise<void> {
  const { period, jitter } = CALLBACKS;
  await runPeer(
    lab,
    "caller",
    "callback",
    OUTSIDE.controller,
    String(PORT),
    `${count}`,
    `${period}`,
    `${jitter}`,
  );
}

/** A little browsing, then the large upload to a host never contacted before. */
export async function browseAndUpload(lab: LabNetwork): Promise<void> {
  await browse(lab, "uploader");
  await upload(lab, UPLOAD.bytes);
}

export async function upload(lab: LabNetwork, bytes: number): Promise<void> {
  const seconds = Math.ceil(UPLOAD.seconds * bytes / UPLOAD.bytes);
  await runPeer(lab, "uploader", "exchange", OUTSIDE.dropSite, String(PORT), `${bytes}`, "500", `${seconds}`);
}

/** A normal user, who must not raise an incident. */
export async function browse(lab: LabNetwork, device: keyof typeof BROWSING_SECONDS): Promise<void> {
  await runPeer(lab, device, "browse", GATEWAY, String(PORT), String(BROWSING_SECONDS[device]), ...SITES);
}

/** Sends enough traffic to flush the packets libpcap still buffers for softflowd. */
export async function pushPackets(lab: LabNetwork): Promise<void> {
  await runPeer(lab, "quiet", "exchange", OUTSIDE.sites[0], String(PORT), "300", "4000000");
}

function peer(lab: LabNetwork, host: Host, ...args: string[]): Program {
  return lab.start(host, Deno.execPath(), "run", "-A", PEER, ...args);
}

function runPeer(lab: LabNetwork, host: Host, ...args: string[]): Promise<string> {
  return lab.run(host, Deno.execPath(), "run", "-A", PEER, ...args);
}

async function waitForOutput(program: Program, text: string, seconds = 30): Promise<void> {
  await waitFor(() => program.output().includes(text), () => program.output(), seconds);
}
