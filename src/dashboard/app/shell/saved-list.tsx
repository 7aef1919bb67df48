import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import type { ResultKind } from "../../../contract/filter/tree.ts";
import type { SavedSearch } from "../../../contract/search/saved-search.ts";
import type { Mark } from "../../base/feed.ts";
import { type Target, to } from "../../base/links.ts";
import { useSignedIn } from "../../base/session.ts";
import { chosenRange, type RangeSearch } from "../../base/time/range.ts";
import { combinedFilter, DEFAULT_VIEW } from "../../incident/triage/triage-views.ts";
import { aggregate } from "../../search/search-queries.ts";
import { Foreign } from "../../ui/foreign.tsx";
import { formatCount, formatExact, plural } from "../../ui/format.ts";
import { Icon, type IconName } from "../../ui/icons.tsx";
import { visibleText } from "../../ui/json-text.ts";
import { rangePhrase } from "../../ui/time/range-control.tsx";

/** Each count is a request: further searches are listed without one. */
const COUNTED = 8;
const FLOWS_MILLISECONDS = 60_000;

interface Kind {
  icon: IconName;
  noun: string;
  target: (filter: string) => Target;
  /** When it is counted again; flows change all the time. */
  marks: readonly Mark[];
}

const KINDS: Readonly<Record<ResultKind, Kind>> = {
  flows: { icon: "flows", noun: "flow", target: (filter) => to.explore({ filter }), marks: [] },
  devices: {
    icon: "devices",
    noun: "device",
    target: (filter) => to.devices({ filter }),
    marks: ["device"],
  },
  incidents: {
    icon: "incidents",
    noun: "open incident",
    target: (filter) => to.triage({ filter }),
    marks: ["incident"],
  },
};

/** Shared ones first, each group by name as the API sorts it. */
export function SavedList({ searches }: { searches: readonly SavedSearch[] }) {
  const [whole, setWhole] = useState(false);
  const sorted = [
    ...searches.filter(({ scope }) => scope === "shared"),
    ...searches.filter(({ scope }) => scope !== "shared"),
  ];
  const rest = sorted.length - COUNTED;
  return (
    <div className="nav-section">
      <h2 className="nav-heading" id="nav-saved">Saved searches</h2>
      <ul aria-labelledby="nav-saved">
        {sorted.slice(0, whole ? undefined : COUNTED).map((saved, at) => (
          <li key={saved.saved_search_id}>
            <SavedLink saved={saved} counts={at < COUNTED} />
          </li>
        ))}
        {rest > 0 && (
          <li>
            <button
              type="button"
              className="nav-link nav-more"
              aria-expanded={whole}
              onClick={() => setWhole(!whole)}
            >
              <Icon name={whole ? "up" : "down"} />
              <span className="nav-name">{whole ? "Fewer" : `${rest} more`}</span>
            </button>
          </li>
        )}
      </ul>
    </div>
  );
}

function SavedLink({ saved, counts }: { saved: SavedSearch; counts: boolean }) {
  const { name, text, kind, scope } = saved;
  const { icon, target } = KINDS[kind];
  const filter = text === "" ? `all ${kind}` : text;
  return (
    <Link
      {...target(text)}
      className="nav-link"
      title={visibleText(`${name} (${scope === "shared" ? "shared" : "only you"}): ${filter}`)}
      activeOptions={{ exact: true, includeSearch: true }}
    >
      <Icon name={icon} />
      <span className="nav-name clip">
        <Foreign text={name} />
      </span>
      {counts && <SavedCount saved={saved} />}
    </Link>
  );
}

/** How many rows the list behind the link has: flows within the page's time range, incidents among open work. */
function SavedCount({ saved: { kind, text } }: { saved: SavedSearch }) {
  const { tenant, session } = useSignedIn();
  const search: RangeSearch = useSearch({ strict: false });
  const range = chosenRange(search);
  const { marks, noun } = KINDS[kind];
  const isFlows = kind === "flows";
  const { data } = useQuery({
    ...aggregate(tenant, {
      kind,
      text: kind === "incidents" ? combinedFilter(DEFAULT_VIEW, text) : text,
      range: isFlows ? range : null,
      suppressed: kind === "incidents" ? false : undefined,
    }, session.csrf_token),
    meta: { marks },
    refetchInterval: isFlows ? FLOWS_MILLISECONDS : false,
    staleTime: FLOWS_MILLISECONDS,
    // A number that the list itself would give; the list reports what is wrong.
    retry: false,
  });
  if (data === undefined) return null;
  const count = data.groups.reduce((sum, { total }) => sum + Number(total), Number(data.other?.total ?? 0));
  // Too many to count all of them.
  const more = data.complete ? "" : "+";
  const what = `${plural(count, noun)}${data.complete ? "" : " or more"}`;
  return (
    <span className="nav-count" title={isFlows ? `${what}, ${rangePhrase(range)}` : what}>
      {count < 100_000 ? formatExact(count) : formatCount(count)}
      {more}
      <span className="hidden">{` ${noun}${count === 1 ? "" : "s"}`}</span>
    </span>
  );
}
