import { Link } from "@tanstack/react-router";
import type { Flow, FlowName } from "../../contract/flow/flow.ts";
import { nameReason } from "./flow-parts.tsx";
import { EntityChip } from "../entity/entity-chip.tsx";
import { to } from "../base/links.ts";

/** The reason for a name, and the flow that shows it. */
function Reason({ name, flow }: { name: FlowName; flow: string }) {
  return (
    <span>
      {nameReason(name)}
      {name.flow_id !== flow && (
        <>
          {" "}
          <Link {...to.flow(name.flow_id)} className="link">(its flow)</Link>
        </>
      )}
    </span>
  );
}

/** Names of a flow's server, best known first, each with its sources. */
export function FlowNames({ flow }: { flow: Flow }) {
  const names = Map.groupBy(flow.names, ({ of, name }) => `${of} ${name}`);
  return (
    <ul className="rows">
      {[...names].map(([key, [first, ...rest]]) =>
        first && (
          <li key={key} className="row">
            <span className="row-main">
              <EntityChip
                kind="domain"
                value={first.name}
                className={first.via === "dns" ? "soft" : "strong"}
              />
              <span className="row-note">
                {[first, ...rest].map((name) => (
                  <Reason key={name.evidence_id} name={name} flow={flow.flow_id} />
                ))}
              </span>
            </span>
            <EntityChip kind="address" value={flow[first.of].ip} className="muted" />
          </li>
        )
      )}
    </ul>
  );
}
