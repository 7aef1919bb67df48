import { Link } from "@tanstack/react-router";
import type { FieldName } from "../../contract/filter/fields.ts";
import { formatExact, plural } from "../ui/format.ts";
import { useFirstRows } from "../ui/first-rows.tsx";
import { EntityChip } from "../entity/entity-chip.tsx";
import type { EntityKind } from "../entity/entity-kinds.ts";
import { visibleText } from "../ui/json-text.ts";
import { Foreign } from "../ui/foreign.tsx";
import { Card } from "../ui/page.tsx";
import { Ago } from "../ui/time/time.tsx";
import { to } from "../base/links.ts";

/** An observed value; its time links to the newest flow with it. */
export interface SightingRow {
  value: string;
  /** What it is. Default: a value of the field. */
  kind?: EntityKind;
  /** The field that finds it. Default: the kind's; a value without both cannot be searched for. */
  field?: FieldName;
  /** The kind of value, in lists that mix them. */
  note?: string;
  /** A second line. */
  detail?: string;
  count: number;
  last_seen: string;
  flow_id: string;
}

/** Domains, fingerprints or accounts: value, count, last seen. */
export function Sightings({ title, note, rows: all }: { title: string; note?: string; rows: SightingRow[] }) {
  const { rows, more } = useFirstRows(all);
  return (
    <Card
      title={title}
      note={[formatExact(all.length), ...note === undefined ? [] : [note]].join(", ")}
      flush
    >
      <ul className="sightings">
        {rows.map(({ value, kind = "value", field, note, detail, count, last_seen, flow_id }) => (
          <li key={`${note} ${value} ${detail}`}>
            <span className="sighting-value">
              {note !== undefined && <span className="chip">{note}</span>}
              {kind === "value" && field === undefined
                ? <Foreign text={value} className="mono" />
                : <EntityChip kind={kind} field={field} value={value} />}
              {detail !== undefined && <Foreign text={detail} className="mono small muted sighting-detail" />}
            </span>
            <span className="number soft" title={`Seen ${plural(count, "time")}`}>{formatExact(count)}×</span>
            <span className="number muted">
              <Link {...to.flow(flow_id)} className="link" data-row>
                <Ago at={last_seen} />
                <span className="hidden">, newest flow with {visibleText(value)}</span>
              </Link>
            </span>
          </li>
        ))}
      </ul>
      {more}
    </Card>
  );
}
