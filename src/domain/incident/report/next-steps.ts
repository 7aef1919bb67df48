import type { CaseFinding, CasePhase, IncidentCase } from "../../../contract/incident/case.ts";
import { hostPort, list, plural, size } from "../../../kit/text.ts";
import { partyText } from "./words.ts";

/** Names in one step; the report has all of them. */
const MAX_NAMED = 4;

type Known = Pick<IncidentCase, "incident" | "phases" | "talks" | "history">;

/** What to do next, by the incident's status and the phases that were seen; one sentence each. */
export function nextSteps({ incident, phases, talks, history }: Known): string[] {
  if (incident.status === "resolved" || incident.status === "false_positive") {
    const closing = history.findLast(({ to }) => to === incident.status);
    const by = closing === undefined ? "" : ` by ${closing.actor}`;
    return [
      incident.status === "resolved"
        ? `The incident was resolved${by}. Reopen it if the activity returns.`
        : `The incident was closed as a false positive${by}. Reopen it if the activity changes.`,
    ];
  }
  const steps = incident.assignee === null ? ["Assign the incident to the person who works on it."] : [];
  for (const phase of phases) steps.push(...STEPS[phase.phase]?.(phase, talks) ?? []);
  return [...steps, "Record the outcome with a comment, and set the status to resolved or false positive."];
}

const STEPS: Partial<
  Record<CasePhase["phase"], (phase: CasePhase, talks: IncidentCase["talks"]) => string[]>
> = {
  first_sign: (phase) => [
    `Check what ${devicesIn(phase)} exposed to the outside, and whether one of the attempts succeeded.`,
  ],
  foothold: (phase) => [
    `Isolate ${devicesIn(phase)}, and keep memory and disk as they are until they have been copied.`,
  ],
  movement: (phase) => [
    `Check which accounts were used from ${
      devicesIn(phase)
    }, and change the passwords of those that may be known.`,
  ],
  control: (phase) => {
    const targets = targetsIn(phase);
    const block = targets === ""
      ? []
      : [`Block ${targets} at the firewall or the resolver, and search for other devices that contact it.`];
    return [...block, `Find the program on ${devicesIn(phase)} that opens the connections.`];
  },
  theft: (phase, talks) => {
    const sentOf = ({ bytes_out, all_flows }: (typeof talks)[number]) =>
      all_flows?.bytes_out ?? bytes_out ?? 0;
    // What moved between the site's own devices has not left it.
    const [largest] = talks.filter((talk) => talk.dst.device_id === null && sentOf(talk) > 0)
      .sort((a, b) => Number(sentOf(b)) - Number(sentOf(a)));
    const sent = largest === undefined
      ? ""
      : ` Most was sent from ${partyText(largest.src)} to ${partyText(largest.dst)}: ${
        size(sentOf(largest))
      } in ${plural(largest.all_flows?.flows ?? largest.flows, "flow")}.`;
    return [`Establish which data ${devicesIn(phase)} sent or lost.${sent}`];
  },
};

function devicesIn({ findings }: CasePhase): string {
  const names = [...new Set(findings.flatMap(({ device_name }) => device_name ?? []))];
  return names.length === 0 ? "the devices" : some(names);
}

function targetsIn({ findings }: CasePhase): string {
  const first = (finding: CaseFinding) => finding.destinations.slice(0, 1);
  const strongest = findings.toSorted((a, b) => b.score - a.score).flatMap(first);
  const names = strongest.flatMap(({ ip, name, port }) => {
    const host = name ?? ip;
    return host === null ? [] : [port === null ? host : hostPort(host, port)];
  });
  return some([...new Set(names)]);
}

function some(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return more > 0 ? list([...names.slice(0, MAX_NAMED), `${more} more`]) : list(names);
}
