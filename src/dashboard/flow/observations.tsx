/// <reference lib="dom" />
import { useId } from "react";
import { useQuery } from "@tanstack/react-query";
import type { FlowObservation } from "../../contract/flow/flow.ts";
import { shownIp } from "../../kit/net/shown-ip.ts";
import { EVIDENCE_KINDS } from "../entity/record/evidence-kinds.ts";
import { ABSENT, formatLabel, formatSpan } from "../ui/format.ts";
import { flowEvidence } from "../entity/record/evidence-query.ts";
import { useSignedIn } from "../base/session.ts";
import { useStepState } from "../base/step-memory.ts";
import { Endpoint } from "./flow-parts.tsx";
import { Bytes, Packets } from "../ui/counter.tsx";
import { Icon } from "../ui/icons.tsx";
import { Place } from "../entity/intel/intel.tsx";
import { EntityChip } from "../entity/entity-chip.tsx";
import { LinkedText } from "../entity/linked-text.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { RawRecord } from "../entity/record/raw-record.tsx";
import { RecordFacts } from "../entity/record/record-facts.tsx";
import { ErrorState, SkeletonBlock } from "../ui/states.tsx";
import { Time } from "../ui/time/time.tsx";

function CounterTable({ observation }: { observation: FlowObservation }) {
  const { counters, src, dst } = observation;
  if (counters === null) return null;
  const rows = [
    { name: "Source to destination", ...counters.src_to_dst },
    { name: "Destination to source", ...counters.dst_to_src },
  ];
  return (
    <table className="counters">
      <caption className="hidden">
        Counters of {shownIp(src.ip, observation)} to {shownIp(dst.ip, observation)} from{" "}
        {observation.sensor_id}
      </caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="hidden">Direction</span>
          </th>
          <th scope="col" className="number">Bytes</th>
          <th scope="col" className="number">Packets</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, bytes, packets }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="number">
              <Bytes value={bytes} />
            </td>
            <td className="number">
              <Packets value={packets} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Observation({ observation }: { observation: FlowObservation }) {
  const [open, setOpen] = useStepState(`record ${observation.evidence_id}`, false);
  const panel = useId();
  const { start, end, counters } = observation;
  return (
    <li className="observation">
      <div className="observation-head">
        <span className="strong">
          <EntityChip kind="sensor" value={observation.sensor_id} />
        </span>
        <span className="chip">{observation.source}</span>
        <span className="chip">{observation.trust}</span>
        {observation.preferred && (
          <span className="chip chip-good" title="The flow's counters come from this observation">
            <Icon name="check" />preferred
          </span>
        )}
        <span className="soft">
          {EVIDENCE_KINDS[observation.kind]}
          {counters === null && <span className="muted">, without counters</span>}
        </span>
        <span className="muted small observation-time">
          observed <Time at={observation.observed_at} />, received <Time at={observation.received_at} />
        </span>
      </div>
      <p className="soft wrap">
        <LinkedText text={observation.summary} />
      </p>
      <div className="observation-body">
        <dl className="facts facts-inline">
          <div>
            <dt>From</dt>
            <dd>
              <Endpoint end={observation.src} side="src" origin={observation} />{" "}
              <Place end={observation.src} whole />
            </dd>
          </div>
          <div>
            <dt>To</dt>
            <dd>
              <Endpoint end={observation.dst} side="dst" origin={observation} />{" "}
              <Place end={observation.dst} whole />
            </dd>
          </div>
          <div>
            <dt>Duration</dt>
            <dd>
              {formatSpan(Date.parse(end) - Date.parse(start))} from <Time at={start} />
            </dd>
          </div>
          {counters !== null && (
            <div>
              <dt>Counters</dt>
              <dd>{formatLabel(counters.semantics)}</dd>
            </div>
          )}
          <div>
            <dt>Community ID</dt>
            <dd className="mono wrap">
              {observation.community_id === null
                ? ABSENT
                : <EntityChip kind="value" field="community_id" value={observation.community_id} />}
            </dd>
          </div>
        </dl>
        <CounterTable observation={observation} />
      </div>
      <RecordFacts observation={observation} />
      {observation.warnings.map((warning) => (
        <p key={warning} className="notice notice-warning">
          <Icon name="warning" />
          <Foreign text={warning} className="wrap" />
        </p>
      ))}
      <button
        type="button"
        className="button button-small"
        aria-expanded={open}
        aria-controls={panel}
        onClick={() => setOpen(!open)}
      >
        <Icon name="chevron" className="turn" />
        {open ? "Hide raw record" : "Raw record"}
      </button>
      <div id={panel} hidden={!open}>{open && <RawRecord observation={observation} />}</div>
    </li>
  );
}

/** Every sensor's observation of a flow. */
export function Observations({ flow }: { flow: string }) {
  const { tenant } = useSignedIn();
  const { data, error, isPending, refetch } = useQuery(flowEvidence(tenant, flow));
  if (isPending) return <SkeletonBlock />;
  if (error) return <ErrorState what="The observations" error={error} retry={() => void refetch()} />;
  if (data.length === 0) return <p className="notice">No observation of this flow is retained.</p>;
  return (
    <ol className="observations">
      {data.map((observation) => <Observation key={observation.evidence_id} observation={observation} />)}
    </ol>
  );
}
