import { Link } from "@tanstack/react-router";
import type { Flow } from "../../contract/flow/flow.ts";
import { to } from "../base/links.ts";
import { EntityChip } from "../entity/entity-chip.tsx";
import { AroundRecord } from "../entity/record/around-record.tsx";
import { plural } from "../ui/format.ts";
import { Observations } from "./observations.tsx";

/** A flow in place: the values that identify it, and each sensor's observation. */
export function FlowDetail({ flow }: { flow: Flow }) {
  const { community_id, vlan_id, observation_count, names, flow_id } = flow;
  return (
    <div className="flow-detail">
      <div className="flow-values">
        <span className="soft">{plural(observation_count, "observation")}</span>
        {[...new Set(names.map(({ name }) => name))].map((name) => (
          <EntityChip key={name} kind="domain" value={name} />
        ))}
        {vlan_id !== null && <EntityChip kind="vlan" value={vlan_id} />}
        {community_id !== null && (
          <EntityChip kind="value" value={community_id} field="community_id" className="mono" />
        )}
        <Link {...to.flow(flow_id)} className="link small">Open as a page</Link>
      </div>
      <AroundRecord at={flow.start} src={flow.src} dst={flow.dst} origin={flow.primary_evidence} />
      <Observations flow={flow_id} />
    </div>
  );
}
