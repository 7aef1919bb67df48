import type { ReplayResult } from "./types.ts";
import { span } from "../../kit/text.ts";
import { count } from "./progress.ts";

/** The result of a replay as lines for people. */
export function summaryOf(result: ReplayResult, elapsedMs: number): string[] {
  const { accepted, duplicates, rejected } = result;
  const records = accepted + duplicates + rejected;
  const skipped = result.skipped.reduce((sum, skip) => sum + skip.count, 0);
  const rate = elapsedMs > 0 ? `, ${count(Math.round(records / (elapsedMs / 1000)))} records/s` : "";
  const lines = [
    ...table([
      ["acknowledged", count(records), `in ${span(elapsedMs)}${rate}`],
      ["  accepted", count(accepted), ""],
      ["  duplicates", count(duplicates), duplicates > 0 ? "already stored by the service" : ""],
      ["  rejected", count(rejected), rejected > 0 ? "kept by the service with a reason" : ""],
      ["skipped", count(skipped), skipped > 0 ? "not sent" : ""],
    ]),
  ];
  const kinds = Object.entries(result.kinds);
  if (kinds.length > 0) {
    lines.push("", "By kind", ...table(kinds.map(([kind, lines]) => [`  ${kind}`, count(lines), ""])));
  }
  if (result.skipped.length > 0) {
    const rows = result.skipped.map(({ reason, count: skips, examples }) => {
      return [`  ${reason}`, count(skips), examples.join(", ") + (skips > examples.length ? ", …" : "")];
    });
    lines.push("", "Skipped", ...table(rows));
  }
  const { filesWithoutRecords } = result;
  if (filesWithoutRecords.length > 0) {
    lines.push("", `Files without records, skipped: ${count(filesWithoutRecords.length)}`);
    lines.push(...filesWithoutRecords.map((file) => `  ${file}`));
  }
  if (rejected > 0) {
    lines.push("", "Rejected", ...result.rejections.map(({ place, reason }) => `  ${place}  ${reason}`));
    const rest = rejected - result.rejections.length;
    if (rest > 0) lines.push(`  and ${count(rest)} more`);
  }
  if (result.rejectedAlerts > 0) {
    lines.push("", `WARNING: ${count(result.rejectedAlerts)} of the rejected lines are Suricata alerts.`);
  }
  for (const { file, message } of result.damaged) {
    lines.push("", `${file}: ${message}. Everything before it was sent.`);
  }
  if (result.shiftSeconds !== 0) {
    const direction = result.shiftSeconds > 0 ? "later" : "earlier";
    lines.push("", `All times were shifted ${count(Math.abs(result.shiftSeconds))} s ${direction}.`);
  }
  return lines;
}

/** Three columns: text, number, remark. */
function table(rows: string[][]): string[] {
  const first = Math.max(...rows.map(([text]) => text!.length));
  const second = Math.max(...rows.map(([, number]) => number!.length));
  return rows.map(([text, number, remark]) =>
    `${text!.padEnd(first)}  ${number!.padStart(second)}  ${remark}`.trimEnd()
  );
}
