// The reference of detectors, rendered from their descriptions.

import type { Detector, StateType } from "../../../src/domain/detect/kernel/detector.ts";
import { LEARNING, LEARNING_DAYS, MIN_RECORDS } from "../../../src/domain/detect/kernel/learning.ts";
import { SEEN_NETWORKS } from "../../../src/domain/health/local-networks.ts";
import { PREVALENCE } from "../../../src/domain/detect/kernel/prevalence.ts";
import type { ScenarioKind } from "../../../src/domain/detect/kernel/result.ts";
import { DETECTORS } from "../../../src/domain/detect/registry.ts";
import { bullets, GENERATED_NOTE, type GeneratedPage, section } from "./markdown.ts";
import { tacticName, tacticsOf, techniqueLabel, techniqueUrl } from "../../../src/kit/attack.ts";

const KIND_TEXTS: Readonly<Record<ScenarioKind, string>> = {
  callback: "callbacks to a command-and-control server",
  names: "names that a device looks up",
  transport: "how a connection is made",
  sensor: "what the sensor itself reports",
  reach: "attempts against other hosts",
  device: "what kind of device it is",
};

export const DETECTOR_REFERENCE: GeneratedPage = {
  path: "src/docs/detectors.md",
  render: () =>
    [
      GENERATED_NOTE,
      "# Detectors",
      "A result scores 0 to 100: below 20 is `info` and not reported, 20 is `low`, 40 `medium`, 60 `high` and " +
      "80 `critical`. The score is the sum of parts that every result lists. The technique is MITRE ATT&CK; a " +
      "result may name a narrower one than its detector. Flows are connections with counters from Zeek, " +
      "Suricata or a flow exporter.",
      "**Baseline** is what a detector must know of the site first. A tenant's learning phase lasts until " +
      `${LEARNING_DAYS} days of its records have brought at least ${MIN_RECORDS} records each; during it, results ` +
      "that depend on a baseline stay `info` or silent. [Detection](detection.md) describes how results become " +
      "incidents.",
      "Detectors of one **kind** examine the same traits of the same traffic, so an incident counts only the best " +
      "result of each kind.",
      "`sites.yaml` defines which addresses are internal. Without it, private ranges are assumed to be internal, " +
      "and a peer in another private range than the device's counts as external, except for `lateral-movement`.",
      ...DETECTORS.map(detectorSection),
      section(
        2,
        "State that all detectors share",
        "A state is deleted after the stated days without a change. Sizes are upper bounds; most states take less " +
          "than 300 bytes.",
        [LEARNING, PREVALENCE].map(stateText).join("\n"),
      ),
      section(
        2,
        "State that health reads",
        "Networks that look local and are not configured; [Health](health.md#networks-that-look-local) describes how " +
          "they are found.",
        stateText(SEEN_NETWORKS),
      ),
    ].join("\n\n") + "\n",
};

function detectorSection({ info, states, feeds }: Detector): string {
  const { modelId, version, title, technique, kind, description, meaning, checks } = info;
  return section(
    2,
    title,
    description,
    bullets([
      ["Model", `\`${modelId}\`, version ${version}`],
      [
        "Technique",
        technique === null
          ? "none"
          : `[${techniqueLabel(technique)}](${techniqueUrl(technique)}), ${
            tacticsOf(technique).map(tacticName).join(", ")
          }`,
      ],
      ["Kind", kind === undefined ? undefined : `\`${kind}\`, ${KIND_TEXTS[kind]}`],
      ["Records", info.sources],
      ["Feeds", feeds.map((feed) => `\`${feed}\``).join(", ")],
      ["Baseline", info.baseline],
    ]),
    `What it means: ${meaning.charAt(0).toLowerCase()}${meaning.slice(1)}`,
    listed("What to check", checks),
    listed("Reports", info.reports),
    listed("Not reported, or limited", info.ignores),
    `State:\n\n${states.map(stateText).join("\n")}`,
  );
}

function listed(title: string, entries: readonly string[]): string {
  return entries.length === 0 ? "" : `${title}:\n\n${entries.map((entry) => `- ${entry}`).join("\n")}`;
}

function stateText({ id, name, keepDays, maxBytes }: StateType<unknown>): string {
  return `- ${name} (type ${id}): kept for ${keepDays} days, at most ${sizeText(maxBytes)}`;
}

/** `350 bytes`, `4.2 kB`. */
function sizeText(bytes: number): string {
  return bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`;
}
