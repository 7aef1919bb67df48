// Questions of a morning's triage, about the day of the sample.

import assert from "node:assert/strict";
import type { Ran } from "../command.ts";
import { waitFor } from "../transport/transport-programs.ts";
import { SAMPLE_SECONDS } from "../up.ts";

/** With what a line of the answer looks like. */
const QUESTIONS: [question: string, answer: RegExp][] = [
  [
    "open incidents of high severity or higher",
    /^\S+ \S+ +(?:high|critical) .*172\.16\.253\.129.*beaconing/m,
  ],
  ["who is beaconing?", /172\.16\.253\.129/],
  ["what did 172.16.253.129 do in the last 2 days", /172\.16\.253\.129:\d+ +188\.173\.32\.149:91 /],
  ["who talked to 188.173.32.149", /172\.16\.253\.129/],
  ["which devices have the most incidents", /^(?:\d+\.){3}\d+ +[1-9]\d*$/m],
  ["malware incidents in the last 7 days", /Malware traffic of 10\.10\.3\.73 \(ET CNC\)/],
  ["dns lookups that failed in the last 2 days, by device", /^Training machine +[1-9]\d*$/m],
  ["top talkers in the last 2 days", /^10\.77\.0\.14 +[\d.]+ MB$/m],
  ["who uploaded the most in the last 2 days", /^SRC\.IP +SRC\.BYTES *\n(?:\d+\.){3}\d+ +[\d.]+ MB$/m],
  ["connections per hour in the last 2 days", /^TIME +COUNT *\n\S+ \S+ +\d+$/m],
  ["new devices in the last 7 days", /^\S+ \S+ +10\.10\.4\.50 /m],
  ["connections longer than an hour in the last 2 days", /38\.229\.70\.33:9001 /],
];

/** Asks `ndr search` each question until its answer is there: records are acknowledged before they are processed. */
export async function assertMorningAnswers(ask: (...args: string[]) => Promise<Ran>): Promise<void> {
  for (const [question, answer] of QUESTIONS) {
    let last: Ran | null = null;
    await waitFor(
      async () => {
        last = await ask("--tenant", "main", ...question.split(" "));
        return last.code === 0 && answer.test(last.stdout);
      },
      () => `${question}: ${last?.stderr}${last?.stdout}`,
      SAMPLE_SECONDS,
    );
    assert.doesNotMatch(last!.stderr, /not understood/i, question);
  }
}
