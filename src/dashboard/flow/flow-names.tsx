import { Link } from "@tanstack/react-router";
import type { Flow, FlowName } from "../../contract/flow/flow.ts";
import { nameReason } from "./flow-parts.tsx";
import { Foreign } from "../ui/names.tsx";

/** The reason for a name, and the flow that shows it. */
function Reason({ name, flow }: { name: FlowName; flow: string }) {
  return (
    <span>
      {nameReason(name)}
      {name.flow_id !== flow && (
        <>
          {" "}
          <Link to="/flows/$flowId" params={{ flowId: name.flow_id }} className="link">(its flow)</Link>
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
              <Foreign text={first.name} className={first.via === "dns" ? "soft" : "strong"} />
              <span className="row-note">
                {[first, ...rest].map((name) => (
                  <Reason key={name.evidence_id} name={name} flow={flow.flow_id} />
                ))}
              </span>
            </span>
            <span className="mono muted">{flow[first.of].ip}</span>
          </li>
        )
      )}
    </ul>
  );
}
