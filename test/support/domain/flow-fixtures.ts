// Observations and flows for tests; times in milliseconds after T0.
import type { TrustClass } from "../../../src/contract/record/kinds.ts";
import type {
  DhcpFacts,
  DnsFacts,
  HttpFacts,
  KerberosFacts,
  SmbFacts,
  SshFacts,
  TlsFacts,
} from "../../../src/domain/record/facts.ts";
import type { Count, Counters, Observation } from "../../../src/domain/record/observation.ts";
import type { FlowState } from "../../../src/domain/flow/flow.ts";
import { type Located, newFlow } from "../../../src/domain/flow/merge.ts";

const T0 = 1_600_000_000_000_000;

export function at(milliseconds: number): number {
  return T0 + milliseconds * 1000;
}

/** Both directions as counted by a packet sensor: one packet if there are bytes. */
export function session(srcBytes: Count | null, dstBytes: Count | null): Counters {
  const direction = (bytes: Count | null) => ({
    bytes,
    packets: bytes === null ? null : bytes === 0 ? 0 : 1,
  });
  return { srcToDst: direction(srcBytes), dstToSrc: direction(dstBytes), semantics: "session" };
}

/** One direction as counted by an exporter. */
export function exported(bytes: number): Counters {
  return {
    srcToDst: { bytes, packets: 1 },
    dstToSrc: { bytes: null, packets: null },
    semantics: "unidirectional_export",
  };
}

/** A TCP connection from 10.0.0.5 to a server on port 443, from `start` to `end`. */
export function observation(start: number, end: number, more: Partial<Observation> = {}): Observation {
  return {
    kind: "zeek.conn",
    evidenceKind: "flow_observation",
    source: "zeek",
    observedAt: at(start),
    start: at(start),
    end: at(end),
    src: { ip: "10.0.0.5", port: 50_000 },
    dst: { ip: "203.0.113.7", port: 443 },
    proto: "tcp",
    icmp: null,
    counters: session(100, 200),
    service: null,
    vlan: null,
    tuple: "6|10.0.0.5|50000|203.0.113.7|443",
    exporter: null,
    facts: null,
    warnings: [],
    ...more,
  };
}

let count = 0;

export function located(
  observed: Observation,
  more: Partial<Omit<Located, "observation">> & { trust?: TrustClass } = {},
): Located {
  count++;
  return {
    observation: observed,
    evidenceId: `evidence-${count}`,
    sensorId: "zeek-1",
    trust: "packet",
    receivedAt: observed.end + 1_000_000,
    batchNo: 1,
    position: count,
    nativeHash: null,
    series: null,
    ...more,
  };
}

/** A flow of one observation. */
export function flow(start: number, end: number, more: Partial<FlowState> = {}): FlowState {
  return { ...newFlow(located(observation(start, end)), `flow-${start}`, at(start)), ...more };
}

// Facts that are empty apart from what a test provides.

export function dnsFacts(more: Partial<DnsFacts> = {}): DnsFacts {
  const answer = {
    query: "a.example",
    qtype: "A",
    rcode: "NOERROR",
    answers: ["192.0.2.80"],
    answered: true,
  };
  return { type: "dns", ...answer, ...more };
}

export function tlsFacts(more: Partial<TlsFacts> = {}): TlsFacts {
  return {
    type: "tls",
    serverName: null,
    version: null,
    cipher: null,
    alpn: null,
    ja3: null,
    ja3s: null,
    ja4: null,
    ja4s: null,
    subject: null,
    issuer: null,
    serial: null,
    fingerprint: null,
    notBefore: null,
    notAfter: null,
    validation: null,
    resumed: null,
    established: null,
    ...more,
  };
}

export function httpFacts(more: Partial<HttpFacts> = {}): HttpFacts {
  return {
    type: "http",
    method: null,
    host: null,
    uri: null,
    userAgent: null,
    referrer: null,
    version: null,
    status: null,
    contentType: null,
    requestBytes: null,
    responseBytes: null,
    username: null,
    ...more,
  };
}

export function sshFacts(more: Partial<SshFacts> = {}): SshFacts {
  return {
    type: "ssh",
    version: null,
    clientSoftware: null,
    serverSoftware: null,
    hassh: null,
    hasshServer: null,
    hostKey: null,
    authSuccess: null,
    authAttempts: null,
    ...more,
  };
}

export function smbFacts(more: Partial<SmbFacts> = {}): SmbFacts {
  return {
    type: "smb",
    dialect: null,
    command: null,
    status: null,
    share: null,
    filename: null,
    namedPipe: null,
    user: null,
    domain: null,
    host: null,
    rpcInterface: null,
    rpcOperation: null,
    ...more,
  };
}

export function kerberosFacts(more: Partial<KerberosFacts> = {}): KerberosFacts {
  return {
    type: "kerberos",
    messageType: null,
    client: null,
    realm: null,
    service: null,
    encryption: null,
    ticketEncryption: null,
    weakEncryption: null,
    error: null,
    ...more,
  };
}

export function dhcpFacts(more: Partial<DhcpFacts> = {}): DhcpFacts {
  return {
    type: "dhcp",
    messageType: null,
    clientMac: null,
    clientId: null,
    hostName: null,
    vendorClass: null,
    requestedIp: null,
    assignedIp: null,
    leaseSeconds: null,
    serverIp: null,
    routers: [],
    dnsServers: [],
    subnetMask: null,
    ...more,
  };
}
