/// <reference lib="dom" />
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Suppression, SuppressionPreview } from "../../contract/review/suppression.ts";
import { missingOf } from "./suppression-pattern.ts";
import { call } from "../base/api.ts";
import { to } from "../base/links.ts";
import { useSignedIn } from "../base/session.ts";
import { plural } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { useDebounced } from "../search/use-debounced.ts";

type Pattern = Suppression["pattern"];

const PAUSE_MILLISECONDS = 300;

interface PreviewProps {
  pattern: Pattern;
  /** The incident that should be covered, if any. */
  incidentId?: string;
  /** The text of a pattern's source. */
  nameOf: (source: string) => string;
  /** Fills the form with a suggested pattern. */
  use: (pattern: Pattern) => void;
}

/** What a pattern would match now, before anything is suppressed. */
export function Preview({ pattern: entered, incidentId, nameOf, use }: PreviewProps) {
  const { tenant, session } = useSignedIn();
  const pattern: Pattern = JSON.parse(useDebounced(JSON.stringify(entered), PAUSE_MILLISECONDS));
  const { data, error } = useQuery({
    queryKey: [tenant, "suppression-preview", pattern, incidentId],
    queryFn: ({ signal }) =>
      call("previewSuppression", {
        body: { pattern, incident_id: incidentId },
        csrf: session.csrf_token,
        signal,
      }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (error) return <p className="muted small" role="status">No preview: {error.message}</p>;
  if (data === undefined) return <p className="muted small" role="status">Looking for matches…</p>;
  return (
    <section className="suppression-preview" aria-label="Preview">
      <div role="status">
        {data.accepted
          ? <Matches preview={data} />
          : <Faults missing={missingOf(pattern)} faults={data.faults} />}
      </div>
      <Suggestions preview={data} pattern={pattern} nameOf={nameOf} use={use} />
    </section>
  );
}

function Faults({ missing, faults }: { missing: string | null } & Pick<SuppressionPreview, "faults">) {
  if (missing !== null) return <p className="soft">{missing}</p>;
  return (
    <ul className="soft">
      {faults.map(({ field, message }) => <li key={`${field} ${message}`} className="wrap">{message}</li>)}
    </ul>
  );
}

function Matches({ preview }: { preview: SuppressionPreview }) {
  const { open_incidents, results, truncated, first_incidents, covers_incident } = preview;
  return (
    <>
      <p>
        <span className="strong">
          {plural(open_incidents, "open incident")}
        </span>{" "}
        would be suppressed, {plural(results, "result")} of open incidents match
        {truncated && "; only the newest open incidents were examined"}.
      </p>
      {covers_incident === false && (
        <p className="notice notice-warning">
          <Icon name="warning" />
          <span>It does not cover this incident: some of its results do not match.</span>
        </p>
      )}
      {first_incidents.length > 0 && (
        <details>
          <summary className="small">Which incidents</summary>
          <ul>
            {first_incidents.map(({ id, title }) => (
              <li key={id}>
                <Link {...to.incident(id)} className="link" target="_blank">
                  <Foreign text={title} />
                </Link>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Suggestions(
  { preview: { suggestions, accepted, covers_incident }, pattern, nameOf, use }: {
    preview: SuppressionPreview;
    pattern: Pattern;
    nameOf: (source: string) => string;
    use: (pattern: Pattern) => void;
  },
) {
  const others = suggestions.filter((one) =>
    JSON.stringify(fieldsOf(one.pattern)) !== JSON.stringify(fieldsOf(pattern))
  );
  if (others.length === 0) return null;
  return (
    <details open={!accepted || covers_incident === false}>
      <summary className="small">Other patterns for this incident</summary>
      <ul className="suppression-suggestions">
        {others.map((one) => (
          <li key={JSON.stringify(one.pattern)}>
            <button type="button" className="link-button" onClick={() => use(one.pattern)}>
              <Foreign text={wordsOf(one.pattern, nameOf)} />
            </button>{" "}
            <span className="muted small">
              {one.covers_incident ? "covers this incident" : plural(one.results, "result")}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function fieldsOf({ source, destination, port, detector }: Pattern) {
  return [source, destination, port, detector];
}

function wordsOf(
  { source, destination, port, detector }: Pattern,
  nameOf: (source: string) => string,
): string {
  return [
    detector,
    source !== null && `from ${nameOf(source)}`,
    destination !== null && `to ${destination}`,
    port !== null && `port ${port}`,
  ].filter(Boolean).join(", ");
}
