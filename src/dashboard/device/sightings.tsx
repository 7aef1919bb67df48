import { Link } from "@tanstack/react-router";
import { formatExact, plural } from "../ui/format.ts";
import { useFirstRows } from "../ui/first-rows.tsx";
import { Foreign } from "../ui/names.tsx";
import { Card } from "../ui/page.tsx";
import { Ago } from "../ui/time/time.tsx";

/** An observed value; links to the newest flow. */
export interface SightingRow {
  value: string;
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
        {rows.map(({ value, note, detail, count, last_seen, flow_id }) => (
          <li key={`${note} ${value} ${detail}`}>
            <span className="sighting-value">
              {note !== undefined && <span className="chip">{note}</span>}
              <Link to="/flows/$flowId" params={{ flowId: flow_id }} className="mono" data-row>
                <Foreign text={value} />
              </Link>
              {detail !== undefined && <Foreign text={detail} className="mono small muted sighting-detail" />}
            </span>
            <span className="number soft" title={`Seen ${plural(count, "time")}`}>{formatExact(count)}×</span>
            <span className="number muted">
              <Ago at={last_seen} />
            </span>
          </li>
        ))}
      </ul>
      {more}
    </Card>
  );
}
