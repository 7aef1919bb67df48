import type { FlowObservation } from "../../../contract/flow/flow.ts";
import { addressOf } from "../../base/api.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { RecordViewer } from "./record-viewer.tsx";
import { Foreign } from "../../ui/foreign.tsx";
import { Time } from "../../ui/time/time.tsx";
import { formatExact } from "../../ui/format.ts";

/** The sensor's record behind an observation, with its provenance. */
export function RawRecord({ observation }: { observation: FlowObservation }) {
  const { raw } = observation;
  if (raw === null) {
    return (
      <p className="notice">
        The record behind this observation is past its retention; the facts read from it are still shown.
      </p>
    );
  }
  const rawRecord = addressOf("getRawRecord", { params: { evidence_id: observation.evidence_id } });
  return (
    <div className="raw">
      <dl className="facts facts-inline">
        <div>
          <dt>Kind</dt>
          <dd className="mono">{raw.kind}</dd>
        </div>
        <div>
          <dt>Sensor</dt>
          <dd className="mono">
            <Foreign text={observation.sensor_id} />
          </dd>
        </div>
        <div>
          <dt>Observed, as sent</dt>
          <dd className="mono">
            <Foreign text={raw.observed_at} />
          </dd>
        </div>
        <div>
          <dt>Received</dt>
          <dd>
            <Time at={observation.received_at} />
          </dd>
        </div>
        {observation.source_event_id !== null && observation.source_event_id !== raw.event_id && (
          <div>
            <dt>Native flow id</dt>
            <dd className="mono wrap">
              <Foreign text={observation.source_event_id} />
            </dd>
          </div>
        )}
        <div className="facts-wide">
          <dt>Event id</dt>
          <dd className="mono wrap event-id">
            {raw.event_id}
            <CopyButton text={raw.event_id} label="Copy id" />
          </dd>
        </div>
      </dl>
      {raw.truncated && (
        <p className="notice">
          The record has {formatExact(raw.payload_bytes)} bytes; only its beginning is shown.{" "}
          <a href={rawRecord} download>Download the whole record</a>.
        </p>
      )}
      <RecordViewer json={raw.payload} kind={raw.kind} />
      {!raw.truncated && (
        <p>
          <a href={rawRecord} download>Download this record</a>
        </p>
      )}
    </div>
  );
}
