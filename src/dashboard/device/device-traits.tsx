import type { DeviceDetail } from "../../contract/device/device.ts";
import { type SightingRow, Sightings } from "./sightings.tsx";
import { Empty } from "../ui/states.tsx";

const FINGERPRINTS = {
  ja3: "JA3",
  ja3s: "JA3S",
  ja4: "JA4",
  ja4s: "JA4S",
  hassh: "HASSH",
  hassh_server: "HASSH server",
};
const SOFTWARE = { ssh_client: "SSH client", ssh_server: "SSH server" };
const ACCOUNTS = { smb_user: "SMB", kerberos_principal: "Kerberos" };

type Certificate = DeviceDetail["certificates"][number];

/** A certificate by its subject, otherwise by its fingerprint. */
function certificateRow({ subject, fingerprint, ...sighting }: Certificate): SightingRow {
  if (subject === null) return { ...sighting, kind: "fingerprint", value: fingerprint ?? "" };
  return {
    ...sighting,
    field: "certificate.subject",
    value: subject,
    ...fingerprint === null ? {} : { detail: fingerprint },
  };
}

interface TraitList {
  title: string;
  note?: string;
  rows: SightingRow[];
}

/** Traits read from a device's traffic, in lists of at most 100; empty lists are left out. */
function listsOf(device: DeviceDetail): TraitList[] {
  const lists: TraitList[] = [
    {
      title: "Domains",
      note: "asked for",
      rows: device.domains.map((row) => ({ ...row, value: row.domain, kind: "domain" as const })),
    },
    {
      title: "Fingerprints",
      rows: device.fingerprints.map(({ kind, ...row }) => ({
        ...row,
        kind: "fingerprint" as const,
        field: kind,
        note: FINGERPRINTS[kind],
      })),
    },
    {
      title: "User agents",
      rows: device.user_agents.map((row) => ({ ...row, field: "user_agent" as const })),
    },
    {
      title: "Accounts",
      note: "used for sign-in",
      rows: device.accounts.map(({ kind, ...row }) => ({
        ...row,
        kind: "user" as const,
        note: ACCOUNTS[kind],
      })),
    },
    { title: "Logon domains", rows: device.logon_domains },
    {
      title: "Software",
      rows: device.software.map(({ kind, ...row }) => ({
        ...row,
        field: kind === "ssh_client" ? "ssh.client" as const : "ssh.server" as const,
        note: SOFTWARE[kind],
      })),
    },
    { title: "Certificates", note: "it offers", rows: device.certificates.map(certificateRow) },
    { title: "SSH host keys", note: "it offers", rows: device.ssh_host_keys },
  ];
  return lists.filter(({ rows }) => rows.length > 0);
}

export function traitCount(device: DeviceDetail): number {
  return listsOf(device).reduce((sum, { rows }) => sum + rows.length, 0);
}

/** All traits of a device, over all time. */
export function DeviceTraits({ device }: { device: DeviceDetail }) {
  const lists = listsOf(device);
  if (lists.length === 0) {
    return (
      <div className="card">
        <Empty icon="search" title="No traits yet">
          <p className="soft">
            Domains, fingerprints, accounts and certificates appear as soon as a sensor reports DNS, TLS,
            HTTP, SSH, SMB or Kerberos traffic of this device.
          </p>
        </Empty>
      </div>
    );
  }
  return (
    <div className="pairs pairs-long">
      {lists.map((list) => <Sightings key={list.title} {...list} />)}
    </div>
  );
}
