// Captures the traffic of a loopback port as the kernel sees it.

import { programPath, startProgram, waitFor } from "./transport/transport-programs.ts";

/** Bytes sent to and from a port, in order. */
interface Captured {
  toServer: Uint8Array;
  fromServer: Uint8Array;
  /** Number of connections opened to it. */
  connections: number;
}

const ETHERNET = 14;
const PCAP_HEADER = 24;
const PACKET_HEADER = 16;
const SYN = 0x02;
const ACK = 0x10;

/** Records while `body` runs. Needs tcpdump and root. */
export async function capture(port: number, body: () => Promise<void>): Promise<Captured> {
  const folder = await Deno.makeTempDir({ prefix: "ndr-capture-" });
  try {
    const file = `${folder}/packets`;
    const args = ["-i", "lo", "-U", "-s", "0", "-B", "8192", "-Z", "root", "-w", file, `tcp port ${port}`];
    const tcpdump = startProgram(await programPath("tcpdump"), args);
    try {
      await waitFor(() => tcpdump.output().includes("listening on"), () => tcpdump.output());
      await body();
      // The kernel takes a moment to flush captured packets to the file.
      await new Promise((resolve) => setTimeout(resolve, 1500));
    } finally {
      await tcpdump.stop("SIGINT");
    }
    if (!/\b0 packets dropped by kernel/.test(tcpdump.output())) throw new Error(tcpdump.output());
    return read(await Deno.readFile(file), port);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** IPv4 over Ethernet, as on the loopback interface. Retransmitted segments appear twice. */
function read(bytes: Uint8Array<ArrayBuffer>, port: number): Captured {
  const view = new DataView(bytes.buffer);
  if (view.getUint32(0, true) !== 0xa1b2c3d4 || view.getUint32(20, true) !== 1) {
    throw new Error("not a capture of lo");
  }
  const sent: { toServer: number[]; fromServer: number[] } = { toServer: [], fromServer: [] };
  let connections = 0;
  for (let at = PCAP_HEADER; at < bytes.length;) {
    const length = view.getUint32(at + 8, true);
    const ip = at + PACKET_HEADER + ETHERNET;
    if (view.getUint16(ip - 2) !== 0x0800) throw new Error("expected IPv4");
    const tcp = ip + (bytes[ip]! & 0xf) * 4;
    const toServer = view.getUint16(tcp + 2) === port;
    const flags = bytes[tcp + 13]!;
    if (toServer && (flags & SYN) !== 0 && (flags & ACK) === 0) connections++;
    const payload = tcp + (bytes[tcp + 12]! >> 4) * 4;
    sent[toServer ? "toServer" : "fromServer"].push(...bytes.subarray(payload, ip + view.getUint16(ip + 2)));
    at += PACKET_HEADER + length;
  }
  return {
    toServer: Uint8Array.from(sent.toServer),
    fromServer: Uint8Array.from(sent.fromServer),
    connections,
  };
}
