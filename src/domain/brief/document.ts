// The daily brief as a self-contained HTML document that prints on two pages of A4.

import type { BriefIncident, DailyBrief } from "../../contract/brief/brief.ts";
import { renderDocument } from "../../kit/html/document.ts";
import { type Html, html } from "../../kit/html/html.ts";
import {
  type BriefSection,
  type BriefTable,
  dayInWords,
  figuresOf,
  moreInWords,
  sectionsOf,
  type ShownFigure,
} from "./sections.ts";
import { clockOf } from "./day.ts";
import { parseTimestamp } from "../../kit/time.ts";

/** Sections of the first page; the others begin the second one. */
const FIRST_PAGE: ReadonlySet<BriefSection["id"]> = new Set(["incidents", "decisions"]);

const STYLE = `
h1 { margin-bottom: 1mm; } h2 { margin: 4mm 0 1mm; border-bottom: .4mm solid var(--accent); padding-bottom: .5mm; }
h3 { margin: 2mm 0 .5mm; color: var(--muted); font-weight: 600; }
p { margin-bottom: 1mm; } .lead { font-size: 11pt; }
.figures { display: grid; grid-template-columns: repeat(6, 1fr); gap: 2mm; margin: 3mm 0 0; padding: 0; }
.figures div { background: var(--panel); padding: 1.5mm 2mm; } .figures dt { font-size: 8pt; color: var(--muted); }
.figures dd { margin: 0; font-size: 13pt; font-weight: 600; line-height: 1.25; }
.figures dd.before { font-size: 8pt; font-weight: 400; color: var(--muted); }
table { font-size: 8.5pt; margin-bottom: .5mm; } th, td { padding: .4mm 1.5mm; line-height: 1.2; }
th { font-size: 8pt; } svg { display: block; } .more { font-size: 8.5pt; color: var(--muted); }
.severity { font-weight: 600; white-space: nowrap; } .critical { color: #a3123a; } .high { color: #b3400a; }
.medium { color: #7a5a00; } .low, .info { color: #40506a; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 6mm; } .pair > * { min-width: 0; }
.page { break-before: page; } footer { margin-top: 3mm; font-size: 8pt; color: var(--muted); }
@media (max-width: 640px) { .figures { grid-template-columns: repeat(2, 1fr); } .pair { grid-template-columns: 1fr; } }
th, .short { white-space: nowrap; }
@media print {
  body { font-size: 8.5pt; line-height: 1.3; } h1 { font-size: 14pt; } h2 { font-size: 10.5pt; margin-top: 2.2mm; }
  h3 { font-size: 9pt; margin-top: 1.5mm; } .lead { font-size: 9.5pt; } .figures dd { font-size: 11pt; }
  table { font-size: 7.8pt; } th, .more { font-size: 7.5pt; } .page section:first-child h2 { margin-top: 0; }
}
`;

/** The whole text of the document. */
export function briefDocument(brief: DailyBrief): string {
  const sections = sectionsOf(brief);
  const [first, second] = [true, false].map((isFirst) =>
    sections.filter(({ id }) => FIRST_PAGE.has(id) === isFirst)
  );
  return renderDocument({
    title: `Daily brief of ${brief.site_name}, ${brief.date}`,
    style: STYLE,
    body: html`
      <header>
        <h1>Daily brief: ${brief.site_name}</h1>
        <p class="muted">${dayInWords(brief)}</p>
      </header>
      <p class="lead">${brief.summary.join(" ")}</p>
      ${brief.unknown.length > 0 && html`<p class="muted">${brief.unknown.join(" ")}</p>`}
      <dl class="figures">${figuresOf(brief).map((one) => figure(one, brief.complete))}</dl>
      ${first!.map((one) => sectionOf(one, brief))}
      <div class="page">${second!.map((one) => sectionOf(one, brief))}</div>
      <footer>Built from recorded data without a model. Statuses and pending decisions are those of the time of
        retrieval. Times are in ${brief.time_zone}.</footer>
    `,
  });
}

function figure({ name, value, previous, change }: ShownFigure, complete: boolean): Html {
  const arrow = change === null ? "" : change > 0 ? "▲ " : "▼ ";
  const words = change === null ? "" : change > 0 ? "more; " : "less; ";
  return html`
    <div>
      <dt>${name}</dt>
      <dd>${value}</dd>
      <dd class="before">${arrow}${words}${complete ? "day before" : "whole day before"}: ${previous}</dd>
    </div>
  `;
}

function sectionOf({ id, title, sentences, tables }: BriefSection, brief: DailyBrief): Html {
  const shown = tables.map((table) => {
    const picture = id === "traffic" ? moverBars(brief) : id === "sensors" && table === tables[0] &&
        table.title === "Hours with records"
      ? coverageStrips(brief)
      : null;
    return html`<div><h3>${table.title}</h3>${picture ?? tableOf(table)}${moreOf(table)}</div>`;
  });
  const isPair = id === "detectors" && shown.length === 2;
  return html`<section><h2>${title}</h2><p>${sentences.join(" ")}</p>
    ${isPair ? html`<div class="pair">${shown}</div>` : shown}</section>`;
}

function tableOf({ columns, rows }: BriefTable): Html {
  const type = (at: number) => columns[at]!.number ? "number" : columns[at]!.name in MAX_CELLS ? "" : "short";
  return html`
    <table>
      <thead>
        <tr>${columns.map(({ name }, at) => html`<th class="${type(at)}">${name}</th>`)}</tr>
      </thead>
      <tbody>${rows.map((row) =>
        html`<tr>${row.map((cell, at) => cellOf(columns[at]!.name, cell, type(at)))}</tr>`
      )}</tbody>
    </table>
  `;
}

const SEVERITIES: Readonly<Record<string, true>> = {
  info: true,
  low: true,
  medium: true,
  high: true,
  critical: true,
} satisfies Record<BriefIncident["severity"], true>;

/** Longest cells, in characters, with which a row takes one line in print; others are never long. */
const MAX_CELLS: Readonly<Record<string, number>> = {
  Incident: 56,
  Device: 26,
  Target: 44,
  Reason: 66,
  Suppression: 34,
  Component: 52,
  Detector: 30,
};

function cellOf(column: string, full: string, type: string): Html {
  const cell = cutTo(full, MAX_CELLS[column] ?? full.length);
  return column === "Severity" && Object.hasOwn(SEVERITIES, cell)
    ? html`<td class="short"><span class="severity ${cell}">${cell}</span></td>`
    : html`<td class="${type}">${cell}</td>`;
}

function moreOf(table: BriefTable): Html | null {
  const more = moreInWords(table);
  return more === null ? null : html`<p class="more">${more}</p>`;
}

const BAR = { left: 215, width: 240, row: 17, height: 6 };

/** Two bars per device, of the day and of the day before, on one scale, with their values. */
function moverBars(brief: DailyBrief): Html {
  const { items } = brief.traffic.movers;
  const table = sectionsOf(brief).find(({ id }) => id === "traffic")!.tables[0]!;
  const most = Math.max(1, ...items.flatMap((one) => [Number(one.bytes), Number(one.previous_bytes ?? 0)]));
  const length = (bytes: number | bigint) => Math.max(0.5, Number(bytes) / most * BAR.width).toFixed(1);
  const height = items.length * BAR.row + 2;
  return html`
    <svg viewBox="0 0 680 ${height}" width="100%" role="img" aria-label="Traffic by device" font-size="9.5"
      fill="#16202c">${items.map((one, at) => {
        const [name, day, before] = table.rows[at]!;
        const y = at * BAR.row;
        return html`<text x="0" y="${y + 11}">${cutTo(name!, 30)}</text>
        <rect x="${BAR.left}" y="${y + 1}" width="${
          length(one.bytes)
        }" height="${BAR.height}" fill="#1f5fbf"></rect>
        ${
          one.previous_bytes !== null &&
          html`<rect x="${BAR.left}" y="${y + 8}" width="${
            length(one.previous_bytes)
          }" height="${BAR.height}" fill="#a9b8cb"></rect>`
        }
        <text x="${BAR.left + BAR.width + 10}" y="${y + 11}">${day}, day before: ${before}</text>`;
      })}</svg>
  `;
}

const STRIP = { left: 190, cell: 16, gap: 1.5, row: 15, top: 12 };
const STATES = new Map<boolean | null, { fill: string; name: string }>([
  [true, { fill: "#2f7d57", name: "records received" }],
  [false, { fill: "#c2402b", name: "silent" }],
  [null, { fill: "#dfe4ea", name: "unknown" }],
]);

/** The hours of each sensor. Silent ones are smaller as well, so that the strip reads without colours. */
function coverageStrips({ sensors: { hours, coverage }, time_zone }: DailyBrief): Html {
  const height = STRIP.top + coverage.items.length * STRIP.row + 14;
  const x = (at: number) => STRIP.left + at * (STRIP.cell + STRIP.gap);
  return html`
    <svg viewBox="0 0 680 ${height}" width="100%" role="img" aria-label="Hours with records by sensor"
      font-size="9.5" fill="#16202c">${hours.map((hour, at) =>
        at % 6 === 0 &&
        html`<text x="${x(at)}" y="8" font-size="8" fill="#56616f">${
          clockOf(parseTimestamp(hour)!.micros, time_zone)
        }</text>`
      )}${coverage.items.map(({ sensor_id, received }, row) => {
        const y = STRIP.top + row * STRIP.row;
        return html`<text x="0" y="${y + 9}">${cutTo(sensor_id, 30)}</text>${
          received.map((state, at) =>
            html`<rect x="${x(at)}" y="${state === false ? y + 6 : y}" width="${STRIP.cell}" height="${
              state === false ? 5 : 11
            }" fill="${STATES.get(state)!.fill}"></rect>`
          )
        }`;
      })}${[...STATES.values()].map(({ fill, name }, at) =>
        html`
          <rect x="${STRIP.left + at * 110}" y="${height - 9}" width="8" height="8" fill="${fill}"></rect>
          <text x="${STRIP.left + at * 110 + 12}" y="${height -
            2}" font-size="8" fill="#56616f">${name}</text>
        `
      )}</svg>
  `;
}

function cutTo(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
