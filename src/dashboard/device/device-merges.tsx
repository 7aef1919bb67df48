import type { DeviceDetail } from "../../contract/device/device.ts";
import { formatLabel } from "../ui/format.ts";
import { EntityChip } from "../entity/entity-chip.tsx";
import type { Entity } from "../entity/entity-kinds.ts";
import { LinkedText } from "../entity/linked-text.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { ShortTable } from "../ui/short-table.tsx";
import { Ago, Time } from "../ui/time/time.tsx";

const ANCHORS: Record<string, string> = {
  mac: "MAC address",
  dhcp_client_id: "DHCP client id",
  dhcp_hostname: "DHCP host name",
  dhcp_vendor_class: "DHCP vendor class",
  smb_host: "SMB host",
  kerberos_principal: "Kerberos principal",
  ssh_host_key: "SSH host key",
  tls_certificate: "TLS certificate",
  tls_client: "TLS client (JA4)",
  ssh_client: "SSH client (HASSH)",
  ip_static: "Static address",
};

function anchorName(kind: string): string {
  return ANCHORS[kind] ?? formatLabel(kind);
}

/** What an anchor can be searched for as; others are in no flow. */
const ENTITIES: Record<string, Pick<Entity, "kind" | "field">> = {
  dhcp_hostname: { kind: "domain" },
  smb_host: { kind: "domain" },
  kerberos_principal: { kind: "user" },
  tls_certificate: { kind: "fingerprint" },
  tls_client: { kind: "fingerprint", field: "ja4" },
  ssh_client: { kind: "fingerprint", field: "hassh" },
  ip_static: { kind: "address" },
};

function AnchorValue({ anchor }: { anchor: DeviceDetail["identities"][number] }) {
  const entity = ENTITIES[anchor.class];
  return entity === undefined
    ? <Foreign text={anchor.value} className="mono" />
    : <EntityChip {...entity} value={anchor.value} />;
}

/** Identity anchors of a device. */
export function Identities({ identities }: { identities: DeviceDetail["identities"] }) {
  return (
    <ShortTable
      label="Identities"
      head={
        <>
          <th scope="col">Class</th>
          <th scope="col">Value</th>
          <th scope="col" className="wide-only">Source</th>
          <th scope="col" className="number">Weight</th>
          <th scope="col" className="number wide-only">Days</th>
          <th scope="col">Last seen</th>
        </>
      }
      all={identities}
      row={(anchor) => (
        <tr key={`${anchor.class} ${anchor.source} ${anchor.value}`}>
          <td className="soft nowrap">{anchorName(anchor.class)}</td>
          <td className="wrap">
            <AnchorValue anchor={anchor} />
            {anchor.randomized && <span className="chip mark">randomised</span>}
            {anchor.shared && (
              <span className="chip mark" title="Several machines have it at the same time">shared</span>
            )}
            {anchor.confirming && (
              <span className="chip chip-good mark" title="It can confirm that two devices are one">
                confirming
              </span>
            )}
          </td>
          <td className="soft wide-only">{anchor.source}</td>
          <td className="number">{anchor.weight}</td>
          <td className="number wide-only">{anchor.observed_days}</td>
          <td className="soft">
            <Ago at={anchor.last_seen} />
          </td>
        </tr>
      )}
    />
  );
}

const UNDONE = {
  contradicted: "undone: they are two machines",
  outranked: "undone: the other device was named",
  switched_off: "undone: the identity job is off",
};

interface MergesProps {
  merges: DeviceDetail["merge_events"];
  device: string;
}

/** A merged device links back here; only a separate one has a page of its own. */
function OtherDevice({ id, apart }: { id: string; apart: boolean }) {
  return <code>{apart ? <EntityChip kind="device" value={id} /> : id}</code>;
}

/** Devices that were merged with this one, with reasons, also merges that were undone. */
export function Merges({ merges, device }: MergesProps) {
  return (
    <ol className="rows">
      {merges.map((merge) => {
        const { merge_id, at, from_device_id: from, into_device_id: into } = merge;
        return (
          <li key={merge_id} className="row">
            <span className="row-main">
              <span>
                <OtherDevice id={from === device ? into : from} apart={merge.undone_at !== null} />{" "}
                <span className="soft">
                  {from === device ? "shows this device too" : "shown as this device"}
                </span>
                {merge.undo_cause !== null && <span className="chip mark">{UNDONE[merge.undo_cause]}</span>}
              </span>
              <LinkedText text={merge.reason} className="soft wrap" />
              <span className="chips">
                {merge.anchors.map((anchor) => (
                  <span key={`${anchor.class} ${anchor.value}`} className="chip">
                    {anchorName(anchor.class)} <Foreign text={anchor.value} className="mono" />
                  </span>
                ))}
              </span>
              {merge.undo_reason !== null && <LinkedText text={merge.undo_reason} className="soft wrap" />}
            </span>
            <span className="muted small">
              <Time at={at} short />
              {merge.undone_at !== null && (
                <>
                  {" "}until <Time at={merge.undone_at} short />
                </>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
