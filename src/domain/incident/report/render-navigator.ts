import type { IncidentCase, NavigatorLayer } from "../../../contract/incident/case.ts";
import type { Severity } from "../../../contract/record/kinds.ts";
import { ATTACK_VERSION } from "../../../kit/attack.ts";
import { stringifyJson } from "../../../kit/json/json.ts";
import { plainLine } from "../../../kit/plain-text.ts";
import { shortened } from "../../../kit/text.ts";
import { scoreText, SEVERITY_WORDS, spanText, STATUS_WORDS } from "./words.ts";

/** Readable behind black text, and in the order of their lightness. */
const COLOURS: Record<Severity, string> = {
  info: "#e8edf2",
  low: "#ffe9a8",
  medium: "#ffc766",
  high: "#ff9a5c",
  critical: "#f26b6b",
};

/** Length of a comment, which the Navigator shows beside the pointer. */
const MAX_COMMENT = 1000;

/**
 * The techniques of the incident as a layer of the ATT&CK Navigator, format 4.5: the score and the colour of each are
 * those of its worst finding. A finding whose technique ATT&CK would not recognise is left out.
 */
export function renderNavigator(value: IncidentCase): string {
  const { incident, tlp } = value;
  const findings = new Map(
    value.phases.flatMap(({ findings }) => findings).map((one) => [one.analysis_id, one]),
  );
  const techniques = value.techniques.filter(({ url }) => url !== null).map((one) => {
    const own = one.analysis_ids.flatMap((id) => findings.get(id) ?? []);
    return {
      techniqueID: one.technique,
      score: one.score,
      color: COLOURS[one.severity],
      comment: shortened(own.map(({ title }) => plainLine(title)).join("; "), MAX_COMMENT),
      enabled: true,
      metadata: own.map(({ first_seen, last_seen, title }) => ({
        name: spanText(first_seen, last_seen),
        value: plainLine(title),
      })),
      showSubtechniques: false,
    };
  });
  const parents = techniques.flatMap(({ techniqueID }) => {
    const [parent, child] = techniqueID.split(".");
    return child === undefined ? [] : [parent!];
  });
  const known = new Set(techniques.map(({ techniqueID }) => techniqueID));
  const layer: NavigatorLayer = {
    name: shortened(plainLine(incident.title), 120),
    versions: { attack: ATTACK_VERSION, navigator: "5.1.0", layer: "4.5" },
    domain: "enterprise-attack",
    description: plainLine(incident.summary),
    sorting: 3,
    layout: { layout: "side", showID: true, showName: true, expandedSubtechniques: "annotated" },
    hideDisabled: false,
    techniques: [
      ...techniques.map((one) =>
        parents.includes(one.techniqueID) ? { ...one, showSubtechniques: true } : one
      ),
      // A sub-technique is only visible if its technique has `showSubtechniques`.
      ...[...new Set(parents)].filter((parent) => !known.has(parent)).map((techniqueID) => ({
        techniqueID,
        color: "",
        comment: "",
        enabled: true,
        metadata: [],
        showSubtechniques: true,
      })),
    ],
    gradient: { colors: [COLOURS.info, COLOURS.medium, COLOURS.critical], minValue: 0, maxValue: 100 },
    legendItems: (Object.keys(COLOURS) as Severity[]).map((severity) => ({
      label: SEVERITY_WORDS[severity],
      color: COLOURS[severity],
    })),
    metadata: [
      { name: "Incident", value: incident.id },
      { name: "Revision", value: String(incident.revision) },
      {
        name: "Severity",
        value: `${SEVERITY_WORDS[incident.severity]}, score ${scoreText(incident.score)} of 100`,
      },
      { name: "Status", value: STATUS_WORDS[incident.status] },
      { name: "Activity (UTC)", value: spanText(incident.first_seen, incident.last_seen) },
      ...tlp === null ? [] : [{ name: "TLP", value: `TLP:${tlp.toUpperCase()}` }],
    ],
    links: incident.url === null ? [] : [{ label: "Open in the dashboard", url: incident.url }],
  };
  return `${stringifyJson(layer)}\n`;
}
