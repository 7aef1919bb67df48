// The resume file: the progress of a replay, so that the same command resumes it.

import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { RecordKind } from "../../contract/record/kinds.ts";
import { messageOf } from "../../kit/errors.ts";
import { sha256Hex } from "../../kit/hash.ts";
import type { Position } from "./batch.ts";
import { ReplayInputError } from "./errors.ts";
import { fingerprintOf, type Recording } from "./recording.ts";

const FORMAT = "ndr-replay/1";

const ReplayState = z.object({
  format: z.literal(FORMAT),
  /** Identity of the replay; see `replayIdentity`. */
  replay: z.string(),
  /** The first run's shift: a later one must not shift the rest differently. */
  shift_seconds: z.number().int(),
  files: z.array(z.object({
    path: z.string(),
    fingerprint: z.object({ bytes: z.number().int(), sha256: z.string() }),
    items: z.number().int(),
    bytes: z.number(),
  })),
});
type ReplayState = z.infer<typeof ReplayState>;

interface Progressed {
  shiftSeconds: number;
  /** One per recording. */
  positions: Position[];
}

/**
 * Identifies a replay: the same files to the same ingest as the same sensor with the same options. The token
 * only contributes to the hash.
 */
export function replayIdentity(
  options: { url: string; token: string; kind: RecordKind | null; shiftToNow: boolean; paths: string[] },
): string {
  const { url, token, kind, shiftToNow, paths } = options;
  return sha256Hex(JSON.stringify([FORMAT, url, sha256Hex(token), kind, shiftToNow, paths]));
}

/**
 * Default folder of resume files: `$NDR_STATE_DIR/replay` for the service user, else the person's state
 * folder. `null` if the environment has neither.
 */
export function defaultStateFile(env: (name: string) => string | undefined, identity: string): string | null {
  const file = `replay-${identity.slice(0, 16)}.json`;
  const service = env("NDR_STATE_DIR");
  if (service) return join(service, "replay", file);
  const xdg = env("XDG_STATE_HOME");
  if (xdg) return join(xdg, "ndr", file);
  const home = env("HOME");
  return home ? join(home, ".local", "state", "ndr", file) : null;
}

/** One replay's resume file. */
export class StateFile {
  constructor(readonly path: string, readonly identity: string) {}

  /**
   * The progress of an earlier run, `null` without one, or `changed` with a file that is not the same any
   * more: then the replay must start over. Throws ReplayInputError if the file is something else.
   */
  async load(recordings: Recording[]): Promise<Progressed | { changed: string } | null> {
    const state = await this.#read();
    if (state === null) return null;
    if (state.replay !== this.identity || state.files.length !== recordings.length) {
      throw new ReplayInputError(
        `${this.path}: is the resume file of another replay (other files, options, address or token): ` +
          "choose another one with --state, or remove it",
      );
    }
    for (const [index, { fingerprint }] of state.files.entries()) {
      const recording = recordings[index]!;
      const now = await fingerprintOf(recording.path, fingerprint.bytes);
      if (now.sha256 !== fingerprint.sha256) return { changed: recording.file };
    }
    const positions = state.files.map(({ items, bytes }) => ({ items, bytes }));
    return { shiftSeconds: state.shift_seconds, positions };
  }

  /** Replaces the file atomically, so that a crash leaves the old or the new one. */
  async save(recordings: Recording[], progressed: Progressed): Promise<void> {
    const state: ReplayState = {
      format: FORMAT,
      replay: this.identity,
      shift_seconds: progressed.shiftSeconds,
      files: recordings.map(({ path, fingerprint }, index) => {
        return { path, fingerprint, ...progressed.positions[index]! };
      }),
    };
    try {
      await mkdir(dirname(this.path), { recursive: true });
      const next = `${this.path}.next`;
      await writeFile(next, JSON.stringify(state) + "\n", { mode: 0o600 });
      await rename(next, this.path);
    } catch (error) {
      throw new ReplayInputError(`${this.path}: cannot write the resume file: ${messageOf(error)}`);
    }
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }

  async #read(): Promise<ReplayState | null> {
    let text: string;
    try {
      text = await readFile(this.path, "utf8");
    } catch (error) {
      if ((error as { code?: string }).code === "ENOENT") return null;
      throw new ReplayInputError(`${this.path}: cannot read the resume file: ${messageOf(error)}`);
    }
    const state = ReplayState.safeParse(jsonOrNull(text));
    if (state.success) return state.data;
    throw new ReplayInputError(
      `${this.path}: is not a resume file of ndr replay: choose another one with --state`,
    );
  }
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
