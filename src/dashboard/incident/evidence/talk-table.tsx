import { Link } from "@tanstack/react-router";
import { to } from "../../base/links.ts";
import type { Window } from "../../base/time/range.ts";
import { serviceNames } from "../../entity/service-name.ts";
import { Foreign } from "../../ui/foreign.tsx";
import { ABSENT, formatBytes, plural } from "../../ui/format.ts";
import { SEVERITY_ORDER } from "../../ui/severity.ts";
import { SortHeader, sortRows, TableBox, useSorting } from "../../ui/table.tsx";
import { SeverityTag } from "../../ui/tags.tsx";
import { Time } from "../../ui/time/time.tsx";
import { flowsBetween, type TalkLink, type TalkNode } from "./talk-graph.ts";
import { TalkNodeName } from "./talk-node.tsx";

interface TalkTableProps {
  links: readonly TalkLink[];
  nodes: ReadonlyMap<string, TalkNode>;
  /** The incident's own time, for the flows of a row. */
  window: Window;
  selected: string | null;
  toggle: (link: TalkLink) => void;
}

const SHOWN_SERVICES = 4;

/** What each column sorts by; what is not stated comes last in a descending order. */
const SORTS = {
  sent: (link: TalkLink) => link.sent ?? -1,
  received: (link: TalkLink) => link.received ?? -1,
  first: (link: TalkLink) => link.firstSeen,
  severity: (link: TalkLink) =>
    link.severity === null ? -1 : SEVERITY_ORDER.length - SEVERITY_ORDER.indexOf(link.severity),
};

/** Who talked to whom, the largest transfer first; a row's button selects its evidence, its link finds all its flows. */
export function TalkTable({ links, nodes, window, selected, toggle }: TalkTableProps) {
  const { sorting, toggle: sort } = useSorting<keyof typeof SORTS>(null);
  const rows = sorting === null ? links : sortRows([...links], SORTS[sorting.key], sorting.down);
  const header = (name: keyof typeof SORTS, label: string, isNumber: boolean) => (
    <SortHeader
      name={name}
      sorting={sorting}
      toggle={sort}
      down={name !== "first"}
      className={isNumber ? "number" : ""}
    >
      {label}
    </SortHeader>
  );
  return (
    <TableBox
      label="Who talked to whom"
      head={
        <>
          <th scope="col">From and to</th>
          <th scope="col">Services and ports</th>
          {header("sent", "Sent", true)}
          {header("received", "Received", true)}
          {header("first", "First and last", false)}
          {header("severity", "Severity", false)}
          <th scope="col">Evidence</th>
          <th scope="col" className="talk-explore">All flows</th>
        </>
      }
    >
      {rows.map((link) => (
        <tr key={link.key} className={link.key === selected ? "talk-selected" : undefined}>
          <td className="talk-ends">
            <TalkNodeName node={nodes.get(link.from)!} /> <span className="muted">→</span>{" "}
            <TalkNodeName node={nodes.get(link.to)!} />
          </td>
          <td>
            <Foreign text={servicesText(link)} />
          </td>
          <td className="number nowrap">{formatBytes(link.sent)}</td>
          <td className="number nowrap">{formatBytes(link.received)}</td>
          <td>
            <Time at={link.firstSeen} short /> to <Time at={link.lastSeen} after={link.firstSeen} short />
          </td>
          <td className="nowrap">
            {link.severity === null ? ABSENT : <SeverityTag severity={link.severity} />}
          </td>
          <td className="nowrap">
            {link.evidenceIds.length === 0 ? ABSENT : (
              <button
                type="button"
                className="link-button"
                aria-pressed={link.key === selected}
                aria-label={`${plural(link.evidenceIds.length, "record")} of ${
                  nodes.get(link.from)!.label
                } to ${nodes.get(link.to)!.label}`}
                onClick={() => toggle(link)}
              >
                {plural(link.evidenceIds.length, "record")}
              </button>
            )}
          </td>
          <td className="talk-explore">
            <FlowsLink link={link} from={nodes.get(link.from)!} to={nodes.get(link.to)!} window={window} />
          </td>
        </tr>
      ))}
    </TableBox>
  );
}

/** The order that has the largest transfer of a pair first; none if no sensor measured its bytes. */
function largestFirst({ sent, received }: TalkLink): string | undefined {
  if (sent === null && received === null) return undefined;
  return (sent ?? 0) >= (received ?? 0) ? "-src.bytes" : "-dst.bytes";
}

/** Between a number and its unit no line ends. */
const UNIT_SPACE = /(?<=\d) /g;
const NO_BREAK = "\u00a0";

interface FlowsLinkProps {
  link: TalkLink;
  from: TalkNode;
  to: TalkNode;
  window: Window;
}

/** Evidence is often a small part of the pair's flows, so the link says how much there is. */
function FlowsLink({ link, from, to: end, window }: FlowsLinkProps) {
  const { all } = link;
  const sort = largestFirst(link);
  const filter = flowsBetween(from, end);
  if (filter === null) return ABSENT;
  const amount = all === null
    ? "Flows"
    : [plural(all.flows, "flow"), ...all.bytes === null ? [] : [formatBytes(all.bytes)]].join(", ");
  return (
    <Link
      {...to.explore({ filter, sort, scope: window })}
      className="link"
      aria-label={`${amount} of ${from.label} to ${end.label}`}
      title={sort === undefined ? undefined : "The largest transfer first"}
    >
      {amount.replaceAll(UNIT_SPACE, NO_BREAK)}
    </Link>
  );
}

/** `dce_rpc, smb · 135, 445`; a port that stands for an unknown service is written once. */
function servicesText({ services, ports }: TalkLink): string {
  const named = serviceNames(
    services.flatMap((one) => /^\d/.test(one) ? [] : one.split(",")).slice(0, SHOWN_SERVICES),
  );
  const numbers = ports.slice(0, SHOWN_SERVICES).join(", ") + (ports.length > SHOWN_SERVICES ? ", …" : "");
  return [named, numbers].filter((part) => part !== "").join(" · ") || ABSENT;
}
