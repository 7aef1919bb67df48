// The parts of the developers' guide that the code knows: each name is followed by the first sentence of its docstring.

import { MAY_IMPORT } from "../rules/import-rules.ts";
import { bullets, type GeneratedBlock } from "./markdown.ts";

const ROOT = new URL("../../../", import.meta.url);
const PAGE = "src/docs/develop.md";
const STAGES_FILE = "src/pipeline/stages/stages.ts";

/** An exported name and the file that declares it. */
type Place = readonly [name: string, path: string];

/** The shapes of a record, in the order in which it takes them. */
const RECORD_SHAPES: readonly Place[] = [
  ["RecordLine", "src/domain/record/record-line.ts"],
  ["IncomingRecord", "src/store/record/packed-batch.ts"],
  ["IncomingRejection", "src/store/record/packed-batch.ts"],
  ["PackedBatch", "src/store/record/packed-batch.ts"],
  ["IncomingBatch", "src/store/record/ingest.ts"],
  ["CommittedBatch", "src/store/record/ingest.ts"],
  ["ParsedBatch", "src/store/record/parsed-batch.ts"],
  ["PendingBatch", "src/store/record/pending.ts"],
  ["ReadObservation", "src/domain/record/observation.ts"],
  ["NormalisedRecord", "src/pipeline/run/packed-records.ts"],
  ["ParsedRecord", "src/pipeline/run/parsed-record.ts"],
  ["Round", "src/pipeline/stages/stage.ts"],
  ["FlowState", "src/domain/flow/flow.ts"],
  ["Step", "src/pipeline/stages/correlate.ts"],
  ["StoredObservation", "src/store/flow/evidence.ts"],
  ["Sighting", "src/domain/detect/kernel/detector.ts"],
  ["DetectorResult", "src/domain/detect/kernel/result.ts"],
  ["Finding", "src/pipeline/stages/incident-round.ts"],
  ["LoggedEvent", "src/store/connector/event-log.ts"],
];

const SHAPES: GeneratedBlock = {
  path: PAGE,
  name: "record-shapes",
  render: () =>
    RECORD_SHAPES.map(([name, path], at) => `${at + 1}. \`${name}\` (\`${path}\`): ${purposeOf(name, path)}`)
      .join("\n"),
};

const STAGES: GeneratedBlock = {
  path: PAGE,
  name: "stages",
  render: () => bullets(stages().map(([name, path]) => [`\`${name}\` (\`${path}\`)`, purposeOf(name, path)])),
};

const IMPORTS: GeneratedBlock = {
  path: PAGE,
  name: "imports",
  render: () =>
    bullets(
      Object.entries(MAY_IMPORT).map(([folder, others]) => [
        `\`${folder}\``,
        others.length === 0 ? "nothing else" : others.map((other) => `\`${other}\``).join(", "),
      ]),
    ),
};

export const DEVELOP_BLOCKS: readonly GeneratedBlock[] = [SHAPES, STAGES, IMPORTS];

/** The stages of a round in their order, and their files. */
function stages(): Place[] {
  const source = read(STAGES_FILE);
  const files = new Map(
    Array.from(source.matchAll(/import \{ (\w+) \} from "\.\/([\w-]+\.ts)"/g), ([, name, file]) => [
      name!,
      `src/pipeline/stages/${file}`,
    ]),
  );
  const [, names] = /STAGES[^=]*= \[([^\]]*)\]/.exec(source) ?? [];
  return names!.split(",").map((name) => name.trim()).filter((name) => name !== "").map((
    name,
  ) => [name, files.get(name)!]);
}

/**
 * The first sentence of the docstring of an exported declaration.
 *
 * @throws Error if the file declares no such name, or the name has no docstring
 */
function purposeOf(name: string, path: string): string {
  const declaration = new RegExp(
    String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\s*export (?:interface|type|class|const) ${name}\b`,
  );
  const [, comment] = declaration.exec(read(path)) ?? [];
  if (comment === undefined) throw new Error(`${path}: expected an exported ${name} with a docstring`);
  const text = comment.split("\n").map((line) => line.replace(/^\s*\*? ?/, "").trim()).join(" ").trim();
  return /^.*?[.;](?= |$)/.exec(text)?.[0].replace(/;$/, ".") ?? text;
}

function read(path: string): string {
  return Deno.readTextFileSync(new URL(path, ROOT));
}
