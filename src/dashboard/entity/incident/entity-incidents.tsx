import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { to } from "../../base/links.ts";
import { manyIncidents } from "./incident-queries.ts";
import { useSignedIn } from "../../base/session.ts";
import { Foreign } from "../../ui/foreign.tsx";
import { Card } from "../../ui/page.tsx";
import { plural } from "../../ui/format.ts";
import { ErrorState, SkeletonRows } from "../../ui/states.tsx";
import { SeverityTag } from "../../ui/tags.tsx";
import { StatusTag } from "./status-tag.tsx";
import { useRange } from "../../ui/time/range-control.tsx";
import { Time } from "../../ui/time/time.tsx";

const SHOWN = 4;

/** Incidents whose evidence has the entity, the worst first. */
export function EntityIncidents(
  { text, none = "No incident has evidence of it in this period." }: { text: string; none?: string },
) {
  const { tenant } = useSignedIn();
  const [range] = useRange();
  const { data, error, isPending, refetch } = useQuery(manyIncidents(tenant, { filter: text }, range));
  const incidents = data?.data.toSorted((a, b) => b.score - a.score) ?? [];
  return (
    <Card
      title="Incidents"
      note={data &&
        (data.next_cursor === null ? plural(incidents.length, "incident") : `${incidents.length} and more`)}
      flush
      action={<Link {...to.triage({ filter: text })} className="link small">In triage</Link>}
    >
      <div className="entity-list">
        {isPending
          ? <SkeletonRows rows={3} />
          : error && !data
          ? <ErrorState what="The incidents" error={error} retry={() => void refetch()} />
          : incidents.length === 0
          ? <p className="card-text muted">{none}</p>
          : (
            <ul className="rows">
              {incidents.slice(0, SHOWN).map(({ id, title, severity, status, suppressed, last_seen }) => (
                <li key={id} className="row">
                  <span className="row-main">
                    <Link {...to.incident(id)} className="row-link" data-row>
                      <Foreign text={title} />
                    </Link>
                    <span className="row-note">
                      <SeverityTag severity={severity} /> <StatusTag status={status} />
                      {suppressed && <span className="muted">suppressed</span>}
                    </span>
                  </span>
                  <span className="soft small">
                    <Time at={last_seen} short />
                  </span>
                </li>
              ))}
            </ul>
          )}
      </div>
    </Card>
  );
}
