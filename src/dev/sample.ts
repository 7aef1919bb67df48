import type { RegisteredSource } from "../config/sources.ts";
import type { RecordKind } from "../contract/record/kinds.ts";
import { messageOf } from "../kit/errors.ts";
import type { Logger } from "../observe/log.ts";
import type { StateFiles } from "./state-files.ts";

/** One recording: the files of one sensor, sent as one stream. */
interface Recording {
  tenantId: string;
  /** A kind that its sensor must be allowed to send. */
  kind: RecordKind;
  files: string[];
}

/** Real, labelled captures; see test/data/sample/ORIGIN.md for what is in them. */
const RECORDINGS: Recording[] = [
  { tenantId: "main", kind: "zeek.conn", files: ["brobeat/conn.log", "brobeat/dns.log"] },
  { tenantId: "main", kind: "suricata.alert", files: ["cdmcs/eve.ndjson.gz"] },
  { tenantId: "main", kind: "suricata.alert", files: ["wrccdc-2017/alerts.json"] },
  {
    tenantId: "branch",
    kind: "zeek.conn",
    files: ["apt29-nashua/conn.ndjson.gz", "apt29-nashua/dns.ndjson"],
  },
  { tenantId: "branch", kind: "zeek.conn", files: ["saitama/conn.ndjson", "saitama/dns.ndjson"] },
];

/** Sends files to the ingest; the engine of `ndr replay`. */
type SendRecording = (options: {
  files: string[];
  url: string;
  token: string;
  shiftToNow: boolean;
  stateFile: () => string;
}) => Promise<{ accepted: number; outcome: string }>;

interface SampleOptions {
  /** Folder with test/data/sample, or of an executable without it. */
  folder: string;
  coreUrl: string;
  sources: readonly RegisteredSource[];
  files: StateFiles;
  send: SendRecording;
  logger: Logger;
}

const DONE = "sample-loaded";

/** Loads the sample once per state directory, with times shifted to the present. */
export async function loadSample(options: SampleOptions): Promise<void> {
  const { files, logger } = options;
  if (await files.exists(DONE)) return;
  try {
    await Deno.stat(options.folder);
  } catch {
    logger.info("this program has no sample records; send some with `ndr replay`");
    return;
  }
  for (const [index, recording] of RECORDINGS.entries()) {
    const source = options.sources.find(({ source }) =>
      source.tenantId === recording.tenantId && source.allowedKinds.has(recording.kind)
    );
    if (!source) continue;
    try {
      const { accepted, outcome } = await options.send({
        files: recording.files.map((file) => `${options.folder}/${file}`),
        url: options.coreUrl,
        token: source.token.reveal(),
        shiftToNow: true,
        stateFile: () => files.path(`sample-${index}.json`),
      });
      logger.info("sample records loaded", { sensor: source.source.sensorId, accepted, outcome });
      if (outcome !== "complete") return;
    } catch (error) {
      logger.warn("sample records could not be loaded", { message: messageOf(error) });
      return;
    }
  }
  await files.write(DONE, "");
}
