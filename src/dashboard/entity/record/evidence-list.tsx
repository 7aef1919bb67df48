/// <reference lib="dom" />
import { useEffect, useEffectEvent, useId, useRef } from "react";
import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import type { EvidenceItem, FlowObservation } from "../../../contract/flow/flow.ts";
import { EVIDENCE_KINDS } from "./evidence-kinds.ts";
import { plural } from "../../ui/format.ts";
import { flowEvidence } from "./evidence-query.ts";
import { useSignedIn } from "../../base/session.ts";
import { Icon } from "../../ui/icons.tsx";
import { AddressChip, EntityChip } from "../entity-chip.tsx";
import { LinkedText } from "../linked-text.tsx";
import { endsSelection, isWidget } from "../../ui/row-click.ts";
import { Foreign } from "../../ui/foreign.tsx";
import { AroundRecord } from "./around-record.tsx";
import { RawRecord } from "./raw-record.tsx";
import { RecordFacts } from "./record-facts.tsx";
import { ErrorState, SkeletonBlock } from "../../ui/states.tsx";
import { Time } from "../../ui/time/time.tsx";
import { to } from "../../base/links.ts";
import { useStepState } from "../../base/step-memory.ts";

const STEP = 12;

function RecordBehind({ item }: { item: EvidenceItem }) {
  const { tenant } = useSignedIn();
  const { data, error, isPending, refetch } = useQuery(flowEvidence(tenant, item.flow_id));
  if (isPending) return <SkeletonBlock />;
  if (error) return <ErrorState what="The record" error={error} retry={() => void refetch()} />;
  const observation = data.find(({ evidence_id }) => evidence_id === item.evidence_id);
  if (observation === undefined) {
    return <p className="notice">No retained observation of the flow has this evidence id.</p>;
  }
  return (
    <>
      <Ends observation={observation} />
      <RecordFacts observation={observation} />
      <AroundRecord
        at={observation.start}
        src={observation.src}
        dst={observation.dst}
        origin={observation}
      />
      <RawRecord observation={observation} />
    </>
  );
}

/** Both ends, service and sensor of a record; each leads on. */
function Ends({ observation }: { observation: FlowObservation }) {
  const { src, dst, sensor_id } = observation;
  return (
    <p className="evidence-ends">
      <AddressChip
        ip={src.ip}
        origin={observation}
        deviceId={src.device_id}
        country={src.geo?.country}
        asn={src.geo?.asn}
        field="src.ip"
      />
      <span className="muted">to</span>
      <AddressChip
        ip={dst.ip}
        origin={observation}
        deviceId={dst.device_id}
        country={dst.geo?.country}
        asn={dst.geo?.asn}
        field="dst.ip"
      />
      {dst.port !== 0 && (
        <>
          <span className="muted">port</span>
          <EntityChip kind="port" value={dst.port} field="dst.port" />
        </>
      )}
      <span className="muted">seen by</span>
      <EntityChip kind="sensor" value={sensor_id} />
    </p>
  );
}

/** A record to show: each new object opens its row and moves the focus to it. */
export interface Reveal {
  evidenceId: string;
}

interface EvidenceRowProps {
  item: EvidenceItem;
  /** Set for the row that is to be shown. */
  reveal: Reveal | null;
}

function EvidenceRow({ item, reveal }: EvidenceRowProps) {
  const [open, setOpen] = useStepState(`evidence ${item.evidence_id}`, false);
  const panel = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const show = useEffectEvent(() => {
    setOpen(true);
    opener.current?.focus({ preventScroll: true });
    opener.current?.scrollIntoView({ block: "center" });
  });
  useEffect(() => {
    if (reveal !== null) show();
  }, [reveal]);
  return (
    <li
      className={`evidence${open ? " evidence-open" : ""}${reveal === null ? "" : " evidence-revealed"}`}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !open) return;
        setOpen(false);
        opener.current?.focus();
      }}
    >
      <div
        className="evidence-row"
        onClick={(event) => {
          if (event.detail < 2 && !isWidget(event) && !endsSelection()) setOpen(!open);
        }}
      >
        <button
          type="button"
          ref={opener}
          className="evidence-opener"
          data-row
          aria-expanded={open}
          aria-controls={panel}
          onClick={() => setOpen(!open)}
        >
          <Icon name="chevron" className="turn" />
          <span className="evidence-time soft">
            <Time at={item.observed_at} />
          </span>
          <span className="evidence-kind">{EVIDENCE_KINDS[item.kind]}</span>
        </button>
        <LinkedText text={item.summary} className="evidence-summary" />
        <span className="evidence-source muted">
          <Foreign text={item.sensor_id} />
          <span className="chip">{item.trust}</span>
        </span>
      </div>
      <div id={panel} className="evidence-panel" hidden={!open}>
        {open && (
          <>
            <RecordBehind item={item} />
            <Link {...to.flow(item.flow_id)} className="link small">
              All observations of this flow
            </Link>
          </>
        )}
      </div>
    </li>
  );
}

interface EvidenceListProps {
  items: EvidenceItem[];
  /** Distinguishes the lists of a page. */
  name?: string;
  reveal?: Reveal | null;
}

/** Evidence in order; each row opens the sensor's record. */
export function EvidenceList({ items, name = "evidence", reveal = null }: EvidenceListProps) {
  const [wanted, setCount] = useStepState(name, STEP);
  const revealed = items.findIndex(({ evidence_id }) => evidence_id === reveal?.evidenceId);
  const count = Math.max(wanted, revealed + 1);
  const rest = items.length - count;
  return (
    <>
      <ol className="evidence-list">
        {items.slice(0, count).map((item, at) => (
          <EvidenceRow key={item.evidence_id} item={item} reveal={at === revealed ? reveal : null} />
        ))}
      </ol>
      {rest > 0 && (
        <div className="more">
          <button type="button" className="button" onClick={() => setCount(count + 4 * STEP)}>
            Show {plural(Math.min(rest, 4 * STEP), "more item", "more items")}
          </button>
          <span className="muted small">{count} of {items.length}</span>
        </div>
      )}
    </>
  );
}
