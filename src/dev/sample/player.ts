// Sends the sample: the day so far as fast as the core accepts it, then each record when it is due.

import type { RegisteredSource } from "../../config/sources.ts";
import type { RecordKind } from "../../contract/record/kinds.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Logger } from "../../observe/log.ts";
import type { StateFiles } from "../state-files.ts";
import { type Anchor, type Due, dueBetween, type Plan, planTrack } from "./schedule.ts";
import { type Track, TRACKS } from "./tracks.ts";
import { pause } from "../../kit/threads/pause.ts";

/** A recorded line with its time, in microseconds. */
interface RecordedLine {
  text: string;
  micros: number;
  /** The line with all its times shifted by whole seconds. */
  shifted(seconds: number): string;
}

/** Reads and sends recordings: the engine of `ndr replay`. */
export interface SampleTools {
  read(file: string, kind: RecordKind | null): Promise<RecordedLine[]>;
  /** Lines of a sensor's log that are damaged or no record, and what a log shipper makes of one. */
  readOtherLines(file: string, kind: RecordKind): Promise<string[]>;
  shipLine(text: string, kind: RecordKind, micros: number): string;
  /** False if the signal aborted first. Throws if the core refuses the lines. */
  send(token: string, lines: readonly string[], signal: AbortSignal): Promise<boolean>;
}

interface SampleOptions {
  /** Folder with test/data, or a folder of an executable without it. */
  folder: string;
  sources: readonly RegisteredSource[];
  files: StateFiles;
  tools: SampleTools;
  logger: Logger;
  /** Shows a line of progress to the user. */
  print: (line: string) => void;
  /** Called once when the history is complete, also at a restart. */
  onComplete: () => Promise<void>;
  signal: AbortSignal;
}

/** What has been sent, across restarts. */
interface Progress extends Anchor {
  /** By track: the time of the newest record sent. */
  sent: Record<string, number>;
}

interface Playing {
  track: Track;
  token: string;
  plan: Plan;
  /** The line of a record that is due. */
  lineOf(due: Due): string;
}

/** Written when the history is complete. */
const DONE = "sample-loaded";
const PROGRESS = "sample.json";
const BATCH_LINES = 500;
const TICK_MS = 2000;
const PRINT_EVERY_MS = 5000;
/** After a longer break the records between are left out, as a sensor's buffer would have dropped them. */
const LONGEST_BREAK = 24 * 3_600_000_000;

/** Plays the sample until the signal aborts. Never throws. */
export async function playSample(options: SampleOptions): Promise<void> {
  const { logger, signal } = options;
  try {
    const progress = await readProgress(options.files);
    const playing = await openTracks(options, progress);
    if (playing.length === 0) {
      logger.info("this program has no sample records; send some with `ndr replay`");
      return;
    }
    await catchUp(options, playing, progress);
    if (signal.aborted) return;
    await options.files.write(DONE, "");
    await options.onComplete();
    await keepPlaying(options, playing, progress);
  } catch (error) {
    if (!signal.aborted) logger.warn("the sample stopped", { message: messageOf(error) });
  }
}

async function readProgress(files: StateFiles): Promise<Progress> {
  const known = await files.readText(PROGRESS);
  if (known !== null) return JSON.parse(known) as Progress;
  const now = new Date();
  const progress = { loadedAt: now.getTime() * 1000, zoneMinutes: -now.getTimezoneOffset(), sent: {} };
  // Saved before the first batch, so that a restart sends the same bytes again, which the core recognises.
  await files.write(PROGRESS, JSON.stringify(progress));
  return progress;
}

async function openTracks(options: SampleOptions, anchor: Anchor): Promise<Playing[]> {
  const playing: Playing[] = [];
  for (const track of TRACKS) {
    const token = options.sources.find(({ source }) =>
      source.tenantId === track.tenantId && source.allowedKinds.has(track.kind)
    )?.token.reveal();
    if (token === undefined) continue;
    const opened = await openTrack(options, track, anchor);
    if (opened === null) return [];
    playing.push({ track, token, ...opened });
  }
  return playing;
}

/** Null if the program comes without the recordings. */
async function openTrack(
  { folder, tools }: SampleOptions,
  track: Track,
  anchor: Anchor,
): Promise<Pick<Playing, "plan" | "lineOf"> | null> {
  const paths = track.files.map((file) => `${folder}/${file}`);
  if (!await exists(paths[0]!)) return null;
  const isPlayed = (text: string) => track.only?.test(text) !== false && !track.except?.test(text);
  if (track.others) {
    const all = (await Promise.all(paths.map((path) => tools.readOtherLines(path, track.kind)))).flat();
    const texts = all.filter(isPlayed);
    const plan = planTrack(track, texts.map((_, index) => index * 1_000_000), anchor);
    return { plan, lineOf: ({ index, at }) => tools.shipLine(texts[index]!, track.kind, at) };
  }
  const kind = track.kind === "netflow.flow" ? track.kind : null;
  const all = (await Promise.all(paths.map((path) => tools.read(path, kind)))).flat();
  // Some recordings repeat lines; sending them twice adds nothing.
  const lines = [...new Map(all.map((line) => [line.text, line])).values()]
    .filter(({ text }) => isPlayed(text));
  const plan = planTrack(track, lines.map(({ micros }) => micros), anchor);
  return { plan, lineOf: ({ index, shift }) => lines[index]!.shifted(shift) };
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch {
    return false;
  }
}

/** Sends the history, in the order of time: detectors learn from what came before. */
async function catchUp(
  options: SampleOptions,
  playing: readonly Playing[],
  progress: Progress,
): Promise<void> {
  const started = Date.now();
  const isFirst = Object.keys(progress.sent).length === 0;
  const missed = dueSince(playing, progress, started * 1000);
  const total = count(missed.length);
  if (isFirst) {
    options.print(
      `Sample: ${total} recorded sensor records, with times shifted to the last 24 hours, load in the background ` +
        "(NDR_UP_SAMPLE=off starts empty)",
    );
  }
  let printed = started;
  const isSent = await deliver(options, missed, progress, (sent) => {
    if (Date.now() - printed < PRINT_EVERY_MS) return;
    printed = Date.now();
    options.print(`Sample: ${count(sent)} of ${total} records (${Math.floor(sent / missed.length * 100)} %)`);
  });
  if (!isSent) return;
  const seconds = Math.round((Date.now() - started) / 1000);
  options.print(`Sample: ${total} records sent in ${seconds} s; more arrive as long as this runs`);
}

async function keepPlaying(
  options: SampleOptions,
  playing: readonly Playing[],
  progress: Progress,
): Promise<void> {
  do await pause(TICK_MS, options.signal); while (
    await deliver(options, dueSince(playing, progress, Date.now() * 1000), progress)
  );
}

/** A record that is due, and the track that plays it. */
interface Cue {
  one: Playing;
  due: Due;
}

function dueSince(playing: readonly Playing[], progress: Progress, until: number): Cue[] {
  const cues = playing.flatMap((one) => {
    const { track, plan } = one;
    const sent = progress.sent[track.id] ?? plan.from - 1;
    const isLong = progress.sent[track.id] !== undefined && plan.period > 0;
    const after = isLong ? Math.max(sent, until - LONGEST_BREAK) : sent;
    return dueBetween(plan, after, until).map((due) => ({ one, due }));
  });
  return cues.sort((a, b) => a.due.at - b.due.at);
}

/** False if the signal aborted first. */
async function deliver(
  { tools, files, signal }: SampleOptions,
  cues: readonly Cue[],
  progress: Progress,
  onSent: (sent: number) => void = () => {},
): Promise<boolean> {
  let sent = 0;
  for (const batch of batches(cues)) {
    for (const [token, lines] of linesByToken(batch)) {
      if (!await tools.send(token, lines, signal)) return false;
    }
    for (const { one, due } of batch) progress.sent[one.track.id] = due.at;
    await files.write(PROGRESS, JSON.stringify(progress));
    onSent(sent += batch.length);
  }
  return !signal.aborted;
}

/** Cuts between different times only, because progress is a time. */
function* batches(cues: readonly Cue[]): Generator<readonly Cue[]> {
  for (let start = 0; start < cues.length;) {
    let end = Math.min(start + BATCH_LINES, cues.length);
    while (end < cues.length && cues[end]!.due.at === cues[end - 1]!.due.at) end++;
    yield cues.slice(start, end);
    start = end;
  }
}

function linesByToken(batch: readonly Cue[]): Map<string, string[]> {
  const lines = new Map<string, string[]>();
  for (const { one, due } of batch) {
    const known = lines.get(one.token);
    if (known === undefined) lines.set(one.token, [one.lineOf(due)]);
    else known.push(one.lineOf(due));
  }
  return lines;
}

function count(number: number): string {
  return number.toLocaleString("en-US");
}
