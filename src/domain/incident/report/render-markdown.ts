import type { CaseEvidence, CaseFinding, IncidentCase } from "../../../contract/incident/case.ts";
import { techniqueLabel } from "../../../kit/attack.ts";
import { percent } from "../../../kit/text.ts";
import { markdownCode, markdownQuote, markdownText } from "./escape-markdown.ts";
import {
  allFlowsText,
  bytesText,
  entryText,
  partyText,
  scoreText,
  SEVERITY_WORDS,
  spanText,
  STATUS_WORDS,
  timeText,
  truncationText,
} from "./words.ts";

/** Records below one finding, the newest, and rows of the other tables: a ticket is read, the JSON file has all. */
const FINDING_RECORDS = 8;
const MAX_ROWS = 25;

/** The case for a ticket or a wiki, in CommonMark with tables. */
export function renderMarkdown(value: IncidentCase): string {
  return `${
    [
      ...head(value),
      ...happened(value),
      ...talks(value),
      ...devices(value),
      ...techniques(value),
      ...intelligence(value),
      ...history(value),
      ...related(value),
      "## Next steps",
      value.next_steps.map((step) => `- ${markdownText(step)}`).join("\n"),
    ].join("\n\n")
  }\n`;
}

function head({ incident, site, tlp }: IncidentCase): string[] {
  const facts = [
    `**${SEVERITY_WORDS[incident.severity]}**`,
    `score ${scoreText(incident.score)} of 100`,
    STATUS_WORDS[incident.status],
    incident.assignee === null ? "unassigned" : `assigned to ${markdownText(incident.assignee)}`,
    ...tlp === null ? [] : [`TLP:${tlp.toUpperCase()}`],
  ];
  const about = [
    `Activity: ${spanText(incident.first_seen, incident.last_seen)}. All times are in UTC.`,
    `Site: ${markdownText(site.display_name)}. Incident ${incident.id}, revision ${incident.revision}.`,
    ...incident.url === null ? [] : [`Page: <${incident.url}>`],
  ];
  return [
    `# ${markdownText(incident.title)}`,
    facts.join(", "),
    about.join("  \n"),
    markdownText(incident.summary),
    ...incident.suppressed === null ? [] : [
      `Suppressed until ${timeText(incident.suppressed.until)}: ${markdownText(incident.suppressed.reason)}`,
    ],
  ];
}

function happened(value: IncidentCase): string[] {
  const evidence = new Map(value.evidence.map((one) => [one.evidence_id, one]));
  const truncated = truncationText(value);
  return [
    "## What happened",
    ...truncated === null ? [] : [truncated],
    ...value.phases.flatMap(({ name, severity, first_seen, last_seen, findings }) => [
      `### ${name} (${SEVERITY_WORDS[severity]}, ${spanText(first_seen, last_seen)})`,
      ...findings.flatMap((finding) => findingLines(finding, evidence)),
    ]),
  ];
}

function findingLines(finding: CaseFinding, evidence: ReadonlyMap<string, CaseEvidence>): string[] {
  const { technique } = finding;
  const facts = [
    SEVERITY_WORDS[finding.severity],
    `score ${scoreText(finding.score)}`,
    `confidence ${percent(finding.confidence)}`,
    ...technique === null ? [] : [markdownText(techniqueLabel(technique))],
    ...finding.device_name === null ? [] : [`device ${markdownText(finding.device_name)}`],
    ...finding.leading ? ["leading finding"] : [],
  ];
  const records = finding.evidence_ids.flatMap((id) => evidence.get(id) ?? []);
  const shown = records.slice(-FINDING_RECORDS);
  return [
    `**${timeText(finding.first_seen)}: ${markdownText(finding.title)}**  \n${facts.join(", ")}`,
    ...finding.sentence === finding.title ? [] : [markdownText(finding.sentence)],
    ...finding.explanation === "" ? [] : [`Why it matters: ${markdownText(finding.explanation)}`],
    ...shown.length === 0 ? [] : [
      table(
        ["Time", "Sensor", "Record", "What it shows"],
        shown.map((one) => [
          timeText(one.observed_at),
          markdownText(one.sensor_id),
          markdownText(one.record_kind),
          markdownCode(one.summary),
        ]),
      ),
    ],
    ...records.length > shown.length ? [`The newest ${shown.length} of ${records.length} records.`] : [],
  ];
}

function talks({ talks }: IncidentCase): string[] {
  return section(
    "Who talked to whom",
    talks,
    ["From", "To", "Service", "Evidence flows", "Sent", "Received", "All flows", "When"],
    (talk) => [
      markdownText(partyText(talk.src)),
      markdownText(partyText(talk.dst)),
      markdownText(talk.services.slice(0, 3).join(", ")),
      String(talk.flows),
      bytesText(talk.bytes_out),
      bytesText(talk.bytes_in),
      allFlowsText(talk),
      spanText(talk.first_seen, talk.last_seen),
    ],
  );
}

function devices({ devices }: IncidentCase): string[] {
  const head = ["Device", "Type", "Owner", "Addresses", "Hardware addresses", "Tags"];
  return section("Devices", devices, head, (device) => [
    markdownText(device.name),
    markdownText(device.device_type.replaceAll("_", " ")),
    markdownText(device.owner ?? "–"),
    device.addresses.join(", "),
    markdownText(device.mac_addresses.join(", ") || "–"),
    markdownText(device.tags.join(", ") || "–"),
  ]);
}

function techniques({ techniques }: IncidentCase): string[] {
  return section(
    "Techniques (MITRE ATT&CK)",
    techniques,
    ["Technique", "Name", "Tactics", "Score"],
    (one) => [
      one.url === null ? markdownText(one.technique) : `[${one.technique}](${one.url})`,
      markdownText(one.name),
      one.tactics.map(({ name }) => name).join(", ") || "–",
      scoreText(one.score),
    ],
  );
}

function intelligence({ intelligence }: IncidentCase): string[] {
  if (intelligence.length === 0) return [];
  const head = ["Indicator", "Kind", "List", "Description", "Records"];
  return section("Threat intelligence", intelligence, head, (one) => [
    markdownCode(one.indicator),
    one.kind,
    markdownText(one.list),
    markdownText(one.description ?? "–"),
    String(one.evidence_ids.length),
  ]);
}

function history({ history }: IncidentCase): string[] {
  if (history.length === 0) return ["## History", "No one has worked on the incident yet."];
  return [
    "## History",
    ...history.map((entry) => {
      const line = `${timeText(entry.at)}, ${markdownText(entry.actor)}: ${markdownText(entryText(entry))}`;
      return entry.comment === null ? line : `${line}\n\n${markdownQuote(entry.comment)}`;
    }),
  ];
}

function related({ related }: IncidentCase): string[] {
  if (related.length === 0) return [];
  return section("Related incidents", related, ["Incident", "Severity", "Status", "Last seen"], (one) => [
    markdownText(one.title),
    SEVERITY_WORDS[one.severity],
    STATUS_WORDS[one.status],
    timeText(one.last_seen),
  ]);
}

function section<T>(
  title: string,
  rows: readonly T[],
  head: readonly string[],
  cells: (row: T) => string[],
): string[] {
  if (rows.length === 0) return [`## ${title}`, "None."];
  const more = rows.length - MAX_ROWS;
  return [
    `## ${title}`,
    table(head, rows.slice(0, MAX_ROWS).map(cells)),
    ...more > 0 ? [`The first ${MAX_ROWS} of ${rows.length}.`] : [],
  ];
}

function table(head: readonly string[], rows: readonly string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
