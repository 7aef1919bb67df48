import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import type { DeviceDetail } from "../../contract/device.ts";
import { ABSENT, formatShare, formatWord } from "../format.ts";
import { siteQuery } from "../queries.ts";
import { useSignedIn } from "../session.tsx";
import { Foreign } from "./names.tsx";
import { Time } from "./time.tsx";

const SOURCES = {
  observed: "read off its traffic",
  inventory: "from the inventory",
  human_confirmed: "confirmed by a person",
};

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="wrap">{children}</dd>
    </div>
  );
}

function Values({ values, mono = false }: { values: string[]; mono?: boolean }) {
  if (values.length === 0) return ABSENT;
  return (
    <ul className={mono ? "values mono" : "values"}>
      {values.map((value) => (
        <li key={value}>
          <Foreign text={value} />
        </li>
      ))}
    </ul>
  );
}

/** Who a device is, and how we know. */
export function DeviceFacts({ device }: { device: DeviceDetail }) {
  const { tenant } = useSignedIn();
  const { data: site } = useQuery(siteQuery(tenant));
  const vlans = device.vlan_ids.map((id) => {
    const name = site?.vlans.find(({ vlan_id }) => vlan_id === id)?.name;
    return name ? `${id} ${name}` : String(id);
  });
  return (
    <dl className="facts">
      <Fact name="Type">
        {formatWord(device.device_type)}
        <span className="muted small">
          {" "}
          {SOURCES[device.classification_source]}, confidence {formatShare(device.confidence)}
        </span>
      </Fact>
      <Fact name="Addresses">
        <Values values={device.addresses} mono />
      </Fact>
      <Fact name="MAC">
        <Values values={device.mac_addresses} mono />
      </Fact>
      <Fact name="VLAN">
        <Values values={vlans} />
      </Fact>
      <Fact name="Owner">{device.owner === null ? ABSENT : <Foreign text={device.owner} />}</Fact>
      <Fact name="Tags">
        {device.tags.length === 0 ? ABSENT : (
          <span className="chips">
            {device.tags.map((tag) => <Foreign key={tag} text={tag} className="chip" />)}
          </span>
        )}
      </Fact>
      <Fact name="First seen">
        <Time at={device.first_seen} />
      </Fact>
      <Fact name="Last seen">
        <Time at={device.last_seen} />
      </Fact>
    </dl>
  );
}
