import type { CaseEvidence, CaseFinding, IncidentCase } from "../../../contract/incident/case.ts";
import type { Severity } from "../../../contract/record/kinds.ts";
import { techniqueLabel } from "../../../kit/attack.ts";
import { renderDocument } from "../../../kit/html/document.ts";
import { type Html, html, type HtmlValue } from "../../../kit/html/html.ts";
import { mapStrings, plainLine, plainLines } from "../../../kit/plain-text.ts";
import { percent } from "../../../kit/text.ts";
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

/** Records below one finding, the newest; the appendix has all of them. */
const FINDING_RECORDS = 10;

/** Severity is a word in a frame whose weight differs, so that it can be read without colours. */
const STYLE = `
.head { border-bottom: 2px solid var(--ink); padding-bottom: 2mm; margin-bottom: 3mm; }
.tlp { float: right; font-weight: 700; border: 1px solid var(--ink); padding: 0.5mm 2mm; }
.tag { display: inline-block; border: 1px solid var(--ink); border-radius: 1mm; padding: 0 1.5mm; font-size: 9pt; white-space: nowrap; }
.tag.medium { font-weight: 600; border-width: 1.5px; } .tag.high { font-weight: 700; border-width: 2px; }
.tag.critical { font-weight: 700; background: var(--ink); color: #fff; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.facts { display: flex; flex-wrap: wrap; gap: 1mm 4mm; align-items: baseline; }
.finding { border-left: 1mm solid var(--line); padding-left: 3mm; margin: 0 0 4mm; }
.finding.leading { border-left-color: var(--ink); }
table { table-layout: fixed; } h3 { margin-bottom: 2mm; }
.time { font-variant-numeric: tabular-nums; white-space: nowrap; }
blockquote { margin: 0 0 2mm; padding-left: 3mm; border-left: 1mm solid var(--line); white-space: pre-wrap; }
.appendix { break-before: page; } .appendix table { font-size: 8pt; }
`;

/** The case as a document of its own for a browser, a printer and an archive: no script, no request. */
export function renderHtml(given: IncidentCase): string {
  // Comments keep their lines; in any other text a line break or a control that deceives is shown as its code.
  const value = { ...mapStrings(given, plainLine), history: mapStrings(given.history, plainLines) };
  return renderDocument({
    title: `${value.incident.title} – incident report`,
    style: STYLE,
    body: html`
      ${head(value)}${happened(value)}${talks(value)}${devices(value)}${techniques(value)}
      ${intelligence(value)}${history(value)}${related(value)}
      <h2>Next steps</h2>
      <ul>${value.next_steps.map((step) => html`<li>${step}</li>`)}</ul>
      ${appendix(value)}
    `,
  });
}

function tag(severity: Severity): Html {
  return html`<span class="tag ${severity}">${SEVERITY_WORDS[severity]}</span>`;
}

function head({ incident, site, tlp }: IncidentCase): Html {
  return html`
    <div class="head">
      ${tlp && html`<span class="tlp">TLP:${tlp.toUpperCase()}</span>`}
      <p class="muted">Incident report, ${site.display_name}</p>
      <h1>${incident.title}</h1>
      <p class="facts">
        ${tag(incident.severity)}
        <span>Score ${scoreText(incident.score)} of 100</span>
        <span>${STATUS_WORDS[incident.status]}</span>
        <span>${incident.assignee === null ? "Unassigned" : `Assigned to ${incident.assignee}`}</span>
        <span class="time">${spanText(incident.first_seen, incident.last_seen)}</span>
      </p>
      <p class="muted">All times are in UTC. Incident ${incident.id}, revision ${incident.revision}.
        ${incident.url && html`<a href="${incident.url}">Open in the dashboard</a>`}</p>
    </div>
    <p>${incident.summary}</p>
    ${incident.suppressed &&
      html`<p>Suppressed until ${timeText(incident.suppressed.until)}: ${incident.suppressed.reason}</p>`}
  `;
}

function happened(value: IncidentCase): Html {
  const evidence = new Map(value.evidence.map((one) => [one.evidence_id, one]));
  return html`
    <h2>What happened</h2>
    ${value.phases.length === 0 && html`<p>No finding is recorded.</p>`}
    ${value.phases.map(({ name, severity, first_seen, last_seen, findings }) =>
      html`
        <h3>${name} ${tag(severity)} <span class="muted time">${spanText(first_seen, last_seen)}</span></h3>
        ${findings.map((finding) => findingOf(finding, evidence))}
      `
    )}
  `;
}

function findingOf(finding: CaseFinding, evidence: ReadonlyMap<string, CaseEvidence>): Html {
  const records = finding.evidence_ids.flatMap((id) => evidence.get(id) ?? []);
  const shown = records.slice(-FINDING_RECORDS);
  const { technique, sentence, title, explanation } = finding;
  return html`
    <div class="finding${finding.leading && " leading"}">
      <p><strong><span class="time">${timeText(finding.first_seen)}</span> ${title}</strong></p>
      <p class="facts muted">
        ${tag(finding.severity)}
        <span>Score ${scoreText(finding.score)}, confidence ${percent(finding.confidence)}</span>
        ${technique !== null && html`<span>${techniqueLabel(technique)}</span>`}
        ${finding.device_name !== null && html`<span>Device: ${finding.device_name}</span>`}
        ${finding.leading && html`<span>Leading finding</span>`}
      </p>
      ${sentence !== title && html`<p>${sentence}</p>`}
      ${explanation !== "" && html`<p><strong>Why it matters:</strong> ${explanation}</p>`}
      ${shown.length > 0 && evidenceTable(shown)}
      ${records.length > shown.length &&
        html`<p class="muted">The newest ${shown.length} of ${records.length} records; the appendix has all of them.</p>`}
    </div>
  `;
}

function evidenceTable(records: readonly CaseEvidence[]): Html {
  return table(
    ["Time", "Sensor", "From", "To", "What it shows"],
    [12, 15, 20, 20, 33],
    records.map((one) => [
      timeText(one.observed_at),
      `${one.sensor_id}, ${one.record_kind}`,
      partyText(one.src),
      partyText(one.dst),
      one.summary,
    ]),
  );
}

function talks({ talks }: IncidentCase): Html {
  return section(
    "Who talked to whom",
    table(
      ["From", "To", "Service", "Evidence flows", "Sent", "Received", "All flows", "When", "Severity"],
      [15, 16, 10, 8, 9, 9, 11, 11, 11],
      talks.map((talk) => [
        partyText(talk.src),
        partyText(talk.dst),
        talk.services.slice(0, 5).join(", "),
        number(talk.flows),
        number(bytesText(talk.bytes_out)),
        number(bytesText(talk.bytes_in)),
        allFlowsText(talk),
        spanText(talk.first_seen, talk.last_seen),
        talk.severity && tag(talk.severity),
      ]),
    ),
  );
}

function devices({ devices }: IncidentCase): Html {
  return section(
    "Devices",
    table(
      ["Device", "Type", "Owner", "Addresses", "Hardware addresses", "Tags", "Seen"],
      [16, 13, 12, 16, 17, 12, 14],
      devices.map((device) => [
        html`<strong>${device.name}</strong>`,
        device.device_type.replaceAll("_", " "),
        device.owner ?? "–",
        device.addresses.join(", "),
        device.mac_addresses.join(", ") || "–",
        device.tags.join(", ") || "–",
        spanText(device.first_seen, device.last_seen),
      ]),
    ),
  );
}

function techniques({ techniques }: IncidentCase): Html {
  return section(
    "Techniques (MITRE ATT&CK)",
    table(
      ["Technique", "Name", "Tactics", "Score", "Severity"],
      [14, 33, 30, 10, 13],
      techniques.map((one) => [
        one.url === null ? one.technique : html`<a href="${one.url}">${one.technique}</a>`,
        one.name,
        one.tactics.map(({ name }) => name).join(", ") || "–",
        number(scoreText(one.score)),
        tag(one.severity),
      ]),
    ),
  );
}

function intelligence({ intelligence }: IncidentCase): HtmlValue {
  if (intelligence.length === 0) return null;
  return section(
    "Threat intelligence",
    table(
      ["Indicator", "Kind", "List", "Description", "Records"],
      [32, 10, 20, 28, 10],
      intelligence.map((one) => [
        html`<code>${one.indicator}</code>`,
        one.kind,
        one.list,
        one.description ?? "–",
        number(one.evidence_ids.length),
      ]),
    ),
  );
}

function history({ history }: IncidentCase): Html {
  return html`
    <h2>History</h2>
    ${history.length === 0 && html`<p>No one has worked on the incident yet.</p>`}
    ${history.map((entry) =>
      html`
        <p><span class="time">${timeText(entry.at)}</span> <strong>${entry.actor}</strong>: ${entryText(
          entry,
        )}</p>
        ${entry.comment !== null && html`<blockquote>${entry.comment}</blockquote>`}
      `
    )}
  `;
}

function related({ related }: IncidentCase): HtmlValue {
  if (related.length === 0) return null;
  return section(
    "Related incidents",
    table(
      ["Incident", "Severity", "Status", "Last seen"],
      [55, 13, 14, 18],
      related.map((one) => [
        one.title,
        tag(one.severity),
        STATUS_WORDS[one.status],
        timeText(one.last_seen),
      ]),
    ),
  );
}

function appendix(value: IncidentCase): HtmlValue {
  if (value.evidence.length === 0) return null;
  const truncated = truncationText(value);
  return html`
    <div class="appendix">
      <h2>Appendix: all records (${value.evidence.length})</h2>
      ${truncated !== null && html`<p>${truncated}</p>`}
      ${evidenceTable(value.evidence)}
    </div>
  `;
}

function section(title: string, content: Html): Html {
  return html`<h2>${title}</h2>${content}`;
}

interface NumberCell {
  number: string | number;
}

function number(value: string | number): NumberCell {
  return { number: value };
}

type Cell = Html | string | null | NumberCell;

/** A table; `widths` in percent keep columns readable beside one with long texts. */
function table(head: readonly string[], widths: readonly number[], rows: readonly (readonly Cell[])[]): Html {
  if (rows.length === 0) return html`<p>None.</p>`;
  const isNumber = (cell: Cell | undefined): cell is NumberCell =>
    typeof cell === "object" && cell !== null && "number" in cell;
  return html`
    <table>
      <colgroup>${widths.map((width) => html`<col style="width: ${width}%">`)}</colgroup>
      <thead>
        <tr>${head.map((name, at) =>
          isNumber(rows[0]![at]) ? html`<th class="number">${name}</th>` : html`<th>${name}</th>`
        )}</tr>
      </thead>
      <tbody>${rows.map((cells) =>
        html`<tr>${
          cells.map((cell) =>
            isNumber(cell) ? html`<td class="number">${cell.number}</td>` : html`<td>${cell}</td>`
          )
        }</tr>`
      )}</tbody>
    </table>
  `;
}
