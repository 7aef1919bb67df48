// The report as sections of tables, written for a terminal or as Markdown.

import { type CaptureOutcome, DISTURBING, type JudgedIncident } from "./judge.ts";
import { confusionsOf, figuresOf, jitterFigures } from "./figures.ts";
import { countedSeverities, detectorRows, type Totals, totalsOf } from "./tables.ts";

interface Section {
  title: string;
  /** Text in place of a table without rows. */
  empty: string;
  head: string[];
  rows: string[][];
}

interface ReportOptions {
  /** Lists every incident of every capture, not only the noteworthy ones. */
  all: boolean;
}

function sectionsOf(outcomes: readonly CaptureOutcome[], { all }: ReportOptions): Section[] {
  const sections = [
    figures(outcomes),
    jitters(outcomes),
    confusions(outcomes),
    detectors(outcomes),
    scenarios(outcomes),
    invisible(outcomes),
    benign(outcomes),
  ];
  const others = outcomes.filter(({ verdict }) => verdict !== "benign");
  if (all) sections.push(incidents("Incidents of the other captures", others, () => true));
  else sections.push(incidents("False incidents of the other captures", others, isFalse));
  return sections;
}

function figures(outcomes: readonly CaptureOutcome[]): Section {
  const { rows, total, benignDays } = figuresOf(outcomes);
  return {
    title: "Figures of each detector",
    empty: "None.",
    head: [
      "detector",
      "attacks",
      "found by it",
      "recall",
      "medium or higher",
      "lookalikes",
      "alarms",
      "true incidents",
      "false incidents",
      "precision",
      "false per 100 device-days",
    ],
    rows: [...rows, total].map((row) => [
      row.detector,
      String(row.attacks),
      String(row.found),
      ratio(row.found, row.attacks),
      String(row.disturbing),
      String(row.lookalikes),
      String(row.alarms),
      String(row.true),
      String(row.false),
      ratio(row.true, row.true + row.false),
      benignDays === 0 ? "" : (100 * row.benignFalse / benignDays).toFixed(2),
    ]),
  };
}

/** Empty without a denominator. */
function ratio(part: number, whole: number): string {
  return whole === 0 ? "" : (part / whole).toFixed(2);
}

function jitters(outcomes: readonly CaptureOutcome[]): Section {
  return {
    title: "Callbacks by jitter",
    empty: "No scenario states the jitter of its callbacks.",
    head: ["jitter", "attacks", "found", "recall", "medium or higher"],
    rows: jitterFigures(outcomes).map(({ jitter, attacks, found, disturbing }) => [
      `${jitter} %`,
      String(attacks),
      String(found),
      ratio(found, attacks),
      String(disturbing),
    ]),
  };
}

function confusions(outcomes: readonly CaptureOutcome[]): Section {
  return {
    title: "Confusions",
    empty: "None: every attack was found by the expected detector, and there is no false incident.",
    head: ["what happened", "expected", "reported by", "times"],
    rows: confusionsOf(outcomes).map(({ what, expected, reported, count }) => [
      what,
      expected || "nothing",
      reported || "nothing",
      String(count),
    ]),
  };
}

function detectors(outcomes: readonly CaptureOutcome[]): Section {
  return {
    title: "Detectors and captures",
    empty: "No detector reported anything, and none should have.",
    head: ["detector", "capture", "found", "missed", "false", "unjudged"],
    rows: detectorRows(outcomes).map((row) => [
      row.detector,
      row.capture,
      row.found.map(({ id, severity }) => `${id} (${severity})`).join(", "),
      row.missed.join(", "),
      countedSeverities(row.false),
      countedSeverities(row.unjudged),
    ]),
  };
}

function scenarios(outcomes: readonly CaptureOutcome[]): Section {
  const rows = outcomes.flatMap(({ name, scenarios }) =>
    scenarios.map(({ scenario, found, detectors }) => {
      const missed = scenario.invisible === null ? "MISSED" : "not visible";
      const result = found ? `${found.severity}, by ${detectors.join(", ")}` : missed;
      return [name, scenario.id, scenario.technique, scenario.howKnown, result, scenario.text];
    })
  );
  return {
    title: "Scenarios",
    empty: "None.",
    head: ["capture", "scenario", "technique", "known", "found", "what happened"],
    rows,
  };
}

function invisible(outcomes: readonly CaptureOutcome[]): Section {
  const rows = outcomes.flatMap(({ name, scenarios }) =>
    scenarios.flatMap(({ scenario: { id, invisible } }) => invisible === null ? [] : [[name, id, invisible]])
  );
  return {
    title: "Scenarios that the records cannot show",
    empty: "None.",
    head: ["capture", "scenario", "why"],
    rows,
  };
}

function benign(outcomes: readonly CaptureOutcome[]): Section {
  const captures = outcomes.filter(({ verdict }) => verdict === "benign");
  return incidents("Incidents of benign captures", captures, () => true);
}

function isFalse({ judgement }: JudgedIncident): boolean {
  return judgement === "false";
}

function words({ judgement, because }: Omit<JudgedIncident, "incident">): string {
  if (judgement === "match") return `counts for ${because.join(", ")}`;
  return because.length === 0 ? judgement : `${judgement}: ${because.join(" ")}`;
}

function incidents(
  title: string,
  outcomes: readonly CaptureOutcome[],
  wanted: (judged: JudgedIncident) => boolean,
): Section {
  const rows = outcomes.flatMap(({ name, incidents }) =>
    incidents.filter(wanted).map(({ incident, ...judged }) => [
      name,
      incident.severity,
      incident.score.toFixed(1),
      incident.models.map(({ modelId }) => modelId).join(", "),
      incident.title,
      words(judged),
    ])
  );
  return {
    title,
    empty: "None.",
    head: ["capture", "severity", "score", "models", "title", "judged"],
    rows,
  };
}

/** The summary and the shortfalls. */
function closingOf(totals: Totals): string[] {
  const wrong = Object.entries(totals.false).reverse().filter(([, count]) => count > 0);
  const counts = wrong.map(([severity, count]) => `${count} ${severity}`).join(", ");
  return [
    `${totals.captures} captures: ${totals.found} of ${totals.visible} scenarios found, ${totals.missed} missed; ` +
    `${totals.invisible} more that the records cannot show, of which ${totals.invisibleFound} found.`,
    `False incidents: ${counts || "none"}. In the ${totals.benignCaptures} benign captures ` +
    `${totals.benignDisturbing} of severity ${DISTURBING} or higher.`,
    `Detectors without a scenario: ${totals.unasked.join(", ") || "none"}.`,
    ...totals.shortfalls.map((text) => `FALLS SHORT  ${text}`),
  ];
}

/** For a terminal: each column is as wide as its widest cell, except the last. */
export function asText(outcomes: readonly CaptureOutcome[], options: ReportOptions): string {
  const blocks = sectionsOf(outcomes, options).map(({ title, empty, head, rows }) =>
    [title, ...(rows.length === 0 ? [empty] : aligned([head, ...rows])).map((line) => `  ${line}`)].join("\n")
  );
  return [...blocks, closingOf(totalsOf(outcomes)).join("\n")].join("\n\n") + "\n";
}

function aligned(rows: string[][]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join("  ").trimEnd());
}

export function asMarkdown(outcomes: readonly CaptureOutcome[], options: ReportOptions): string {
  const blocks = sectionsOf(outcomes, options).map(({ title, empty, head, rows }) =>
    [
      `### ${title}`,
      "",
      rows.length === 0 ? empty : [head, head.map(() => "---"), ...rows].map(row).join("\n"),
    ]
      .join("\n")
  );
  return [closingOf(totalsOf(outcomes)).join("\n\n"), ...blocks].join("\n\n") + "\n";
}

function row(cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
}
