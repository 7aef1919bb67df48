// The shipped syslog-ng transport, with the real program, into the real ingest.

import assert from "node:assert/strict";
import { freePort, transportTest, waitFor } from "../../support/transport/transport-programs.ts";
import { append } from "../../support/transport/transport-files.ts";
import { installSyslogNg, type TransportSetup } from "../../support/transport/transports.ts";
import { storedRejections } from "../record/ingest-harness.ts";
import {
  deliversFiles,
  losesNothingWhileRefused,
  readStored,
  untilStored,
  withDelivery,
} from "./transport-delivery.ts";

const NEEDS = { programs: ["syslog-ng"] };
const piecesOf = (...pieces: string[]) => (setup: TransportSetup) => installSyslogNg(setup, pieces);

await transportTest(
  "syslog-ng delivers Suricata's and Zeek's files byte for byte, each record once",
  NEEDS,
  () => withDelivery(piecesOf("eve", "zeek"), deliversFiles),
);

await transportTest(
  "syslog-ng loses nothing while the core refuses it, its buffer is full and it is killed",
  NEEDS,
  () =>
    withDelivery(piecesOf("zeek"), (delivery) => losesNothingWhileRefused(delivery, "kill"), {
      smallBuffer: true,
    }),
);

await transportTest(
  "syslog-ng accepts nfacctd's and Unbound's lines",
  NEEDS,
  () =>
    withDelivery(piecesOf("netflow", "unbound"), async (delivery) => {
      const { db, transport, dir } = delivery;
      const flow = (times: string) => `{"event_type": "purge", "ip_src": "192.0.2.1", ${times}, "bytes": 1}`;
      const flows = [
        flow(
          `"timestamp_start": "2026-01-02T03:04:05.678000Z", "timestamp_end": "2026-01-02T03:04:06.000000Z"`,
        ),
        flow(
          `"timestamp_start": "1970-01-01T00:00:00.000000Z", "timestamp_end": "2026-01-02T03:04:07.000000Z"`,
        ),
        flow(
          `"timestamp_start": "", "timestamp_end": "", "timestamp_arrival": "2026-01-02T03:04:08.123456Z"`,
        ),
      ];
      const query = String
        .raw`[1767323045] unbound[12:0] reply: 192.0.2.9 a\"b\\c.example. A IN NOERROR 0.012345 0 45`;
      const iso = "2026-01-02T03:04:05.123+01:00 unbound[12:0] query: 2001:db8::9 example.com. AAAA IN";
      const ascii = "Jan 02 03:04:05 unbound[12:0] info: 192.0.2.9 example.com. A IN";
      await append(`${dir}/flows.json`, [...flows, flow(`"no": "time"`)]);
      await append(`${dir}/unbound.log`, [
        "[1767323044] unbound[12:0] info: start of service (unbound 1.17.1).",
        query,
        iso,
        ascii,
      ]);
      transport.start();
      await untilStored(delivery, 5, 2);
      assert.deepEqual(
        (await readStored(db)).map((row) => [row.kind, row.observed_at, row.payload]).sort(),
        [
          ["netflow.flow", "2026-01-02T03:04:05.678Z", flows[0]],
          ["netflow.flow", "2026-01-02T03:04:07Z", flows[1]],
          ["netflow.flow", "2026-01-02T03:04:08.123456Z", flows[2]],
          ["unbound.query", "2026-01-02T02:04:05.123Z", JSON.stringify({ message: iso })],
          ["unbound.query", "2026-01-02T03:04:05Z", JSON.stringify({ message: query })],
        ],
      );
      assert.deepEqual((await storedRejections(db)).map(({ line }) => line), [ascii, flow(`"no": "time"`)]);
    }),
);

/** A syslog message's program and text, and the resulting ingest line or rejected line. */
const EVE = String
  .raw`{"timestamp":"2026-01-02T03:04:05.5+0000","flow_id":18446744073709551615,"event_type":"flow","x":1.10,"u":"\u00e9é\ud83d\ude00\/"}`;
const ZEEK = `{"ts":1767323045.1234567,"uid":"C1","_path":"conn","n":9007199254740993}`;
const TAGGED = `{"ts":1767323045.25,"uid":"C2"}`;
const LINE = `{"kind":"zeek.dns","observed_at":"2026-01-02T03:04:05Z","payload":{"ts":1.0,"n":1e2}}`;
const QUERY = "[1767323045] unbound[12:0] query: 192.0.2.9 example.com. A IN";
const MESSAGES: readonly [program: string, text: string][] = [
  ["suricata", EVE],
  ["relay", JSON.stringify({ host: "gw", ts: 1, message: EVE.replace("551615", "551614") })],
  ["relay", JSON.stringify({ message: ZEEK })],
  ["zeek_ssl", TAGGED],
  ["relay", LINE],
  ["unbound", "[12:0] info: 192.0.2.9 example.org. A IN"],
  ["relay", JSON.stringify({ message: QUERY })],
  ["unbound", "[12:0] info: start of service (unbound 1.17.1)."],
  ["suricata", EVE.replace('"flow"', '"fileinfo"')],
  ["zeek_weird", TAGGED],
  ["cron", "no record at all"],
];

await transportTest("syslog-ng unwraps syslog messages byte for byte", NEEDS, async () => {
  const syslogPort = await freePort();
  await withDelivery(piecesOf("syslog"), async (delivery) => {
    const { db, transport } = delivery;
    transport.start();
    await waitFor(() => transport.output().includes("Accepting connections"), () => transport.output());
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: syslogPort });
    const text = MESSAGES.map(([program, message]) =>
      `<134>1 2026-01-02T04:04:05.654321+01:00 gw ${program} - - - ${message}\n`
    ).join("");
    await new Blob([text]).stream().pipeTo(connection.writable);
    await untilStored(delivery, 7, 1);
    assert.deepEqual((await readStored(db)).map((row) => [row.kind, row.observed_at, row.payload]), [
      ["suricata.flow", "2026-01-02T03:04:05.5Z", EVE],
      ["suricata.flow", "2026-01-02T03:04:05.5Z", EVE.replace("551615", "551614")],
      ["zeek.conn", "2026-01-02T03:04:05.1234567Z", ZEEK],
      ["zeek.ssl", "2026-01-02T03:04:05.25Z", TAGGED],
      ["zeek.dns", "2026-01-02T03:04:05Z", `{"ts":1.0,"n":1e2}`],
      ["unbound.query", "2026-01-02T03:04:05.654321Z", `{"message":"unbound: ${MESSAGES[5]![1]}"}`],
      ["unbound.query", "2026-01-02T03:04:05Z", JSON.stringify({ message: QUERY })],
    ]);
    assert.deepEqual((await storedRejections(db)).map(({ line }) => line), ["no record at all"]);
  }, { syslogPort });
});
