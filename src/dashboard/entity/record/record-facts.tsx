import type { FlowObservation } from "../../../contract/flow/flow.ts";
import { certificateFault, type FactRow, factRows } from "./facts.ts";
import { EntityChip } from "../entity-chip.tsx";
import { kindOfField } from "../entity-kinds.ts";
import { Foreign } from "../../ui/foreign.tsx";
import { Time } from "../../ui/time/time.tsx";

function FactText({ row }: { row: FactRow }) {
  if (row.form === "time") return <Time at={row.text} />;
  const className = row.form === "code" ? "mono" : "";
  if (row.field) {
    return (
      <EntityChip
        kind={kindOfField(row.field)}
        field={row.field}
        value={row.text}
        className={`entity-wrap ${className}`}
      />
    );
  }
  return <Foreign text={row.text} className={className} />;
}

const NAMES = {
  dns: "DNS",
  alert: "Alert",
  anomaly: "Anomaly",
  tls: "TLS",
  http: "HTTP",
  ssh: "SSH",
  smb: "SMB",
  kerberos: "Kerberos",
  dhcp: "DHCP",
  export: "Export",
};

/** A record's facts beyond its flow and counters; nothing if there are none. */
export function RecordFacts({ observation }: { observation: FlowObservation }) {
  const { facts, start } = observation;
  const rows = facts === null ? [] : factRows(facts);
  if (facts === null || rows.length === 0) return null;
  const fault = certificateFault(facts, start);
  const weak = facts.type === "kerberos" && facts.weak_encryption === true;
  return (
    <section role="group" className="record-facts" aria-label={`${NAMES[facts.type]} details of the record`}>
      <h3>
        {NAMES[facts.type]}
        {fault !== null && <span className="chip chip-bad">certificate {fault}</span>}
        {weak && <span className="chip chip-bad">weak encryption</span>}
      </h3>
      <dl className="facts facts-inline">
        {rows.map((row) => (
          <div key={row.name} className={row.wide ? "facts-wide" : undefined}>
            <dt>{row.name}</dt>
            <dd className="wrap">
              <FactText row={row} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
