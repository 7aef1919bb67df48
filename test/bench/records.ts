// Bench records: real Zeek records, multiplied. Each copy is another connection of one made-up hour, from a site of 600
// hosts. As in a real office (m57: 8 % of a day's connections are the first to their server), a host mostly returns to
// its few servers and sometimes meets a new one. Everything else of the payload stays.

import { gunzipSync } from "node:zlib";

const SAMPLE = new URL("../data/sample", import.meta.url).pathname;

interface Template {
  kind: string;
  /** The payload cut at the places that differ from copy to copy. */
  make(copy: Copy): string;
}

interface Copy {
  number: number;
  seconds: number;
  client: string;
  clientPort: number;
  server: string;
}

function lines(path: string): string[] {
  const bytes = Deno.readFileSync(`${SAMPLE}/${path}`);
  const text = new TextDecoder().decode(path.endsWith(".gz") ? gunzipSync(bytes) : bytes);
  return text.split("\n").filter((line) => line.startsWith("{"));
}

function zeekTemplates(kind: string, path: string, prefix: string): Template[] {
  return lines(path).map((line) => ({
    kind,
    make: ({ number, seconds, client, clientPort, server }) =>
      line
        .replace(/"ts":\s*"?[^,"]+"?/, `"ts":${seconds.toFixed(6)}`)
        .replace(/"uid":\s*"[^"]+"/, `"uid":"C${number.toString(36).padStart(16, "0")}"`)
        .replace(new RegExp(`"${prefix}orig_h":\\s*"[^"]+"`), `"${prefix}orig_h":"${client}"`)
        .replace(new RegExp(`"${prefix}orig_p":\\s*\\d+`), `"${prefix}orig_p":${clientPort}`)
        .replace(new RegExp(`"${prefix}resp_h":\\s*"[^"]+"`), `"${prefix}resp_h":"${server}"`),
  }));
}

/** Whose turn it is: people do not take turns, so neither do their hosts (all would be beacons otherwise). */
function hostOf(number: number): number {
  return (Math.imul(number + 1, 0x9e3779b1) >>> 7) % 600;
}

/** Nine in ten of a host's connections go to its dozen servers, the rest anywhere. */
function serverOf(number: number, host: number): string {
  const spread = (number * 2654435761) >>> 0;
  const choice = spread % 10 === 0 ? spread % 16_000 : host * 5 + spread % 12;
  return `198.51.${(choice >> 8) % 64}.${1 + choice % 250}`;
}

/** `count` ingest lines, newest `now` (seconds); seven in ten are connections, the rest DNS transactions. */
export function benchLines(count: number, now: number, seed = 0): string[] {
  const connections = [
    ...zeekTemplates("zeek.conn", "apt29-nashua/conn.ndjson.gz", "id_"),
    ...zeekTemplates("zeek.conn", "saitama/conn.ndjson", "id."),
  ];
  const questions = [
    ...zeekTemplates("zeek.dns", "saitama/dns.ndjson", "id."),
    ...zeekTemplates("zeek.dns", "apt29-nashua/dns.ndjson", "id_"),
  ];
  const result: string[] = [];
  for (let i = 0; i < count; i++) {
    const number = seed + i;
    const isConnection = number % 10 < 7;
    const set = isConnection ? connections : questions;
    const template = set[number % set.length]!;
    const seconds = now - 3600 + (i / count) * 3600;
    const host = hostOf(number);
    const copy: Copy = {
      number,
      seconds,
      client: `10.1.${Math.floor(host / 200)}.${1 + host % 200}`,
      clientPort: 1024 + (number * 13) % 64000,
      server: isConnection ? serverOf(number, host) : "10.1.0.250",
    };
    const observedAt = new Date(seconds * 1000).toISOString();
    result.push(`{"kind":"${template.kind}","observed_at":"${observedAt}","payload":${template.make(copy)}}`);
  }
  return result;
}
