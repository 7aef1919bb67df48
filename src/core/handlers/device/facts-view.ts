import type { DeviceDetail } from "../../../contract/device/device.ts";
import type { DeviceFactKind } from "../../../domain/device/fact.ts";
import { macKind } from "../../../domain/device/mac-kind.ts";
import { formatMillis } from "../../../kit/time.ts";
import type { StoredFact } from "../../../store/device/facts.ts";
import type { GrantedLease } from "../../../store/device/dhcp-leases.ts";

const SECOND = 1_000_000;
/** RFC 2131: a lease of infinite duration. */
const INFINITE = 0xffffffff;

/** The parts of a device's detail made from observed facts and leases; both newest first. */
type FactLists = Pick<
  DeviceDetail,
  | "mac_addresses"
  | "leases"
  | "host_names"
  | "domains"
  | "fingerprints"
  | "user_agents"
  | "software"
  | "accounts"
  | "logon_domains"
  | "certificates"
  | "ssh_host_keys"
>;

export function deviceFactsView(facts: readonly StoredFact[], leases: readonly GrantedLease[]): FactLists {
  const of = <K extends DeviceFactKind>(...kinds: readonly K[]) =>
    facts.flatMap((fact) => kinds.filter((kind) => kind === fact.kind).map((kind) => ({ fact, kind })))
      .sort((a, b) => b.fact.lastSeen - a.fact.lastSeen);
  const valued = ({ fact }: { fact: StoredFact }) => ({ ...sightingView(fact), value: fact.value });
  const named = <K extends DeviceFactKind>({ fact, kind }: { fact: StoredFact; kind: K }) => ({
    ...sightingView(fact),
    kind,
    value: fact.value,
  });
  return {
    mac_addresses: [...new Set(leases.map(({ mac }) => mac))],
    leases: leases.map(leaseView),
    host_names: hostNames(facts, leases),
    domains: of("domain").map(({ fact }) => ({ ...sightingView(fact), domain: fact.value })),
    fingerprints: of("ja3", "ja3s", "ja4", "ja4s", "hassh", "hassh_server").map(named),
    user_agents: of("user_agent").map(valued),
    software: of("ssh_client", "ssh_server").map(named),
    accounts: of("smb_user", "kerberos_principal").map(named),
    logon_domains: of("smb_domain").map(valued),
    certificates: of("certificate").map(({ fact }) => ({
      ...sightingView(fact),
      // If the sensor does not log the fingerprint, the subject is stored as the value.
      fingerprint: fact.value === fact.detail ? null : fact.value,
      subject: fact.detail,
    })),
    ssh_host_keys: of("ssh_host_key").map(valued),
  };
}

function sightingView({ count, firstSeen, lastSeen, evidenceId, flowId }: StoredFact) {
  return {
    count,
    first_seen: formatMillis(firstSeen),
    last_seen: formatMillis(lastSeen),
    evidence_id: evidenceId,
    flow_id: flowId,
  };
}

function leaseView(lease: GrantedLease): DeviceDetail["leases"][number] {
  const { grantedAt, leaseSeconds } = lease;
  return {
    ip: lease.ip,
    mac_address: lease.mac,
    mac_randomized: macKind(lease.mac) === "randomized",
    host_name: lease.hostName,
    client_id: lease.clientId,
    vendor_class: lease.vendorClass,
    server_ip: lease.serverIp,
    granted_at: formatMillis(grantedAt),
    expires_at: leaseSeconds === null || leaseSeconds === INFINITE
      ? null
      : formatMillis(grantedAt + leaseSeconds * SECOND),
    first_seen: formatMillis(lease.firstSeen),
    last_seen: formatMillis(lease.lastSeen),
    evidence_id: lease.evidenceId,
    flow_id: lease.flowId,
  };
}

type HostName = Pick<StoredFact, "firstSeen" | "lastSeen" | "evidenceId" | "flowId"> & {
  name: string;
  source: DeviceDetail["host_names"][number]["source"];
};

const NAME_SOURCES: Partial<Record<DeviceFactKind, HostName["source"]>> = {
  smb_host: "smb",
  kerberos_principal: "kerberos",
};

/** One entry per name and source: a client may have leased several addresses under one name. */
function hostNames(
  facts: readonly StoredFact[],
  leases: readonly GrantedLease[],
): DeviceDetail["host_names"] {
  const names = new Map<string, HostName>();
  const add = (found: HostName) => {
    const key = `${found.source} ${found.name}`;
    const known = names.get(key);
    if (!known) names.set(key, found);
    else {
      const newest = found.lastSeen > known.lastSeen ? found : known;
      names.set(key, { ...newest, firstSeen: Math.min(known.firstSeen, found.firstSeen) });
    }
  };
  for (const lease of leases) {
    if (lease.hostName !== null) add({ ...lease, name: lease.hostName, source: "dhcp" });
  }
  for (const fact of facts) {
    const source = NAME_SOURCES[fact.kind];
    if (source && fact.detail !== null) add({ ...fact, name: fact.detail, source });
  }
  return [...names.values()].sort((a, b) => b.lastSeen - a.lastSeen).map((found) => ({
    name: found.name,
    source: found.source,
    first_seen: formatMillis(found.firstSeen),
    last_seen: formatMillis(found.lastSeen),
    evidence_id: found.evidenceId,
    flow_id: found.flowId,
  }));
}
