import { useEffect, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { to } from "../../base/links.ts";
import { manyIncidents } from "../../entity/incident/incident-queries.ts";
import { useSignedIn } from "../../base/session.ts";
import { aggregate } from "../../search/search-queries.ts";
import { formatExact, plural } from "../../ui/format.ts";
import { Foreign } from "../../ui/foreign.tsx";
import type { Range } from "../../base/time/range.ts";
import { isTarget, type ResponseTarget, targetFilter } from "../response-labels.ts";

const DAY: Range = { preset: "24h" };
const MOST_ADDRESSES = 100;
const SHOWN_INCIDENTS = 5;
const PAUSE_MILLISECONDS = 300;

/** The target once it has been still for a moment: an address is typed. */
function useStill(target: ResponseTarget): ResponseTarget {
  const [still, setStill] = useState(target);
  const { kind, value } = target;
  useEffect(() => {
    const timer = setTimeout(() => setStill({ kind, value }), PAUSE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [kind, value]);
  return still;
}

interface PreviewProps {
  /** The incident that the action is for. */
  incidentId: string;
  target: ResponseTarget;
}

/** What an action would have met in the last day: the traffic of its target, and other open incidents. */
export function ResponsePreview({ incidentId, target: entered }: PreviewProps) {
  const target = useStill(entered);
  if (!isTarget(target)) return null;
  return (
    <section className="suppression-preview" aria-label="Preview">
      <Matches incidentId={incidentId} target={target} />
    </section>
  );
}

function Matches({ incidentId, target }: PreviewProps) {
  const { tenant, session } = useSignedIn();
  const text = targetFilter(target);
  const flows = useQuery({
    ...aggregate(tenant, {
      kind: "flows",
      text,
      range: DAY,
      groupBy: [target.kind === "device" ? "dst.ip" : "src.ip"],
      limit: MOST_ADDRESSES,
    }, session.csrf_token),
    placeholderData: undefined,
  });
  const open = `(status:open or status:investigating) ${text}`;
  const incidents = useQuery({
    ...manyIncidents(tenant, { filter: open }, DAY),
    placeholderData: undefined,
  });
  const error = flows.error ?? incidents.error;
  if (error) return <p className="muted small" role="status">No preview: {error.message}</p>;
  if (flows.data === undefined || incidents.data === undefined) {
    return <p className="muted small" role="status">Looking for matches…</p>;
  }
  const { groups, other, complete } = flows.data;
  const count = groups.reduce((sum, { total }) => sum + Number(total), Number(other?.total ?? 0));
  const ends = groups.filter(({ key }) => key[0] !== null).length;
  const others = incidents.data.data.filter(({ id }) => id !== incidentId);
  return (
    <>
      <p role="status">
        In the last 24 hours: <span className="strong">{flowText(count)}</span>
        {ends > 0 &&
          ` ${target.kind === "device" ? "to" : "from"} ${
            other === null ? plural(ends, "address", "addresses") : `more than ${ends} addresses`
          }`}
        {!complete && " (only the newest were examined)"}, {incidents.data.next_cursor === null
          ? others.length === 0 ? "no other open incident" : plural(others.length, "other open incident")
          : `more than ${others.length} other open incidents`}.{" "}
        <Link {...to.explore({ filter: text, range: DAY })} className="link" target="_blank">
          Show the flows
        </Link>
      </p>
      {others.length > 0 && (
        <ul>
          {others.slice(0, SHOWN_INCIDENTS).map(({ id, title }) => (
            <li key={id} className="wrap">
              <Link {...to.incident(id)} className="link" target="_blank">
                <Foreign text={title} />
              </Link>
            </li>
          ))}
          {others.length > SHOWN_INCIDENTS && (
            <li>
              <Link {...to.triage({ filter: text })} className="link" target="_blank">
                All of them in triage
              </Link>
            </li>
          )}
        </ul>
      )}
    </>
  );
}

function flowText(count: number): string {
  return count === 0 ? "no flows" : `${formatExact(count)} ${count === 1 ? "flow" : "flows"}`;
}
