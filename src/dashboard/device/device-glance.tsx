import type { ReactNode } from "react";
import type { DeviceDetail } from "../../contract/device/device.ts";
import { ABSENT, formatShare } from "../ui/format.ts";
import { Meter, typeName } from "../entity/device/device-type.tsx";
import { EntityChip } from "../entity/entity-chip.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { Ago, Time } from "../ui/time/time.tsx";
import { usePart } from "../entity/parts.tsx";
import { Fact } from "../ui/fact.tsx";

const MOST = 4;

const TYPE_SOURCES = {
  observed: "by behaviour",
  inventory: "by inventory",
  human_confirmed: "confirmed by a person",
};
/** The source of a device's name. */
export const NAME_SOURCES = {
  person: "named by a person",
  inventory: "named by inventory",
  dhcp: "named by DHCP",
  kerberos: "named by Kerberos (machine account)",
  smb: "named by SMB",
  address: "unnamed",
};
export const VLAN_SOURCES = { tag: "from its frames", network: "by address" };

/** The first values, one per line, and how many more there are. */
function Values({ values }: { values: { key: string; shown: ReactNode }[] }) {
  if (values.length === 0) return ABSENT;
  const rest = values.length > MOST + 1 ? values.slice(MOST) : [];
  return (
    <ul className="values">
      {values.slice(0, values.length - rest.length).map(({ key, shown }) => <li key={key}>{shown}</li>)}
      {rest.length > 0 && (
        <li className="muted small" title={rest.map(({ key }) => key).join(", ")}>{rest.length} more</li>
      )}
    </ul>
  );
}

export function MacAddress({ mac, randomized }: { mac: string; randomized: boolean }) {
  return (
    <>
      <span className="mono nowrap">{mac}</span>
      {randomized && (
        <span className="chip mark" title="Locally administered address, not assigned by a vendor">
          randomised
        </span>
      )}
    </>
  );
}

function Type({ device }: { device: DeviceDetail }) {
  const { device_type, classification_source: source, confidence } = device;
  const TypeProposal = usePart("TypeProposal");
  return (
    <>
      <Foreign text={typeName(device_type)} className="strong" />
      <span className="type-source small soft">
        {TYPE_SOURCES[source]}
        <Meter share={confidence} />
        {formatShare(confidence)}
      </span>
      <TypeProposal device={device} />
    </>
  );
}

/** The device's identity and its sources. */
export function DeviceGlance({ device }: { device: DeviceDetail }) {
  const randomized = new Set(device.leases.flatMap((lease) => lease.mac_randomized ? lease.mac_address : []));
  return (
    <section className="card glance" aria-label="Identity">
      <dl className="facts facts-inline">
        <Fact wrap name="Type">
          <Type device={device} />
        </Fact>
        <Fact wrap name="Addresses">
          <Values
            values={device.addresses.map((ip) => ({
              key: ip,
              shown: <EntityChip kind="address" value={ip} deviceId={device.device_id} />,
            }))}
          />
        </Fact>
        <Fact wrap name="MAC">
          <Values
            values={device.mac_addresses.map((mac) => ({
              key: mac,
              shown: <MacAddress mac={mac} randomized={randomized.has(mac)} />,
            }))}
          />
        </Fact>
        <Fact wrap name="VLAN">
          <Values
            values={device.vlans.map(({ vlan_id, name, source }) => ({
              key: String(vlan_id),
              shown: (
                <span title={VLAN_SOURCES[source]}>
                  <EntityChip kind="vlan" field="device.vlan" value={vlan_id} />{" "}
                  {name !== null && <Foreign text={name} />}
                </span>
              ),
            }))}
          />
        </Fact>
        <Fact wrap name="Owner">
          {device.owner === null ? ABSENT : <EntityChip kind="value" field="owner" value={device.owner} />}
        </Fact>
        <Fact wrap name="Tags">
          {device.tags.length === 0 ? ABSENT : (
            <span className="chips">
              {device.tags.map((tag) => (
                <span key={tag} className="chip">
                  <EntityChip kind="value" field="tag" value={tag} />
                </span>
              ))}
            </span>
          )}
        </Fact>
        <Fact wrap name="Seen">
          <Ago at={device.last_seen} />
          <p className="small soft">
            since <Time at={device.first_seen} short />
          </p>
        </Fact>
      </dl>
    </section>
  );
}
