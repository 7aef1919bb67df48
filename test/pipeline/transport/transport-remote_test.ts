// The syslog-ng of a sensor's machine, and the nginx of the appliance in front of the real ingest, with TLS between them.

import assert from "node:assert/strict";
import { type Proxy, startIngestProxy } from "../../support/proxies.ts";
import { append, expectedOf, recordText, sensorFiles } from "../../support/transport/transport-files.ts";
import {
  delay,
  freePort,
  programPath,
  runProgram,
  transportTest,
  waitFor,
} from "../../support/transport/transport-programs.ts";
import { installSyslogNg } from "../../support/transport/transports.ts";
import {
  assertSame,
  deliversFiles,
  type Delivery,
  readStored,
  untilStored,
  withDelivery,
} from "./transport-delivery.ts";

const NEEDS = { programs: ["syslog-ng", "nginx", "openssl", "curl"] };

/** Runs the commands of the documentation: the authority, the appliance's certificate, and one for each machine. */
async function makeCertificates(folder: string, machines: readonly string[]): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  await runCommands(folder, [(await documented()).authority]);
  await issueCertificates(folder, machines);
}

/** Certificates of the appliance and of machines, by the authority in this folder. */
async function issueCertificates(folder: string, machines: readonly string[]): Promise<void> {
  const { appliance, machine } = await documented();
  await runCommands(folder, [
    appliance.replaceAll("ndr.example.org", "localhost"),
    ...machines.map((name) => machine.replaceAll("branch", name)),
  ]);
}

async function runCommands(folder: string, commands: readonly string[]): Promise<void> {
  for (const command of commands) await runProgram("/bin/sh", ["-ec", `cd ${folder}\n${command}`]);
}

async function documented() {
  const page = await Deno.readTextFile(new URL("../../../src/docs/remote-sensors.md", import.meta.url));
  const commands = /^## Certificates$.*?^```sh\n(.*?)^```$/ms.exec(page)?.[1]?.split(/(?<!\\)\n/) ?? [];
  const [authority, appliance, machine] = commands;
  assert.ok(authority && appliance && machine && commands.join("").includes("openssl"), "three commands");
  return { authority, appliance, machine };
}

interface Branch extends Delivery {
  /** The folder with the authority and everybody's certificates, and that of the machine itself. */
  tls: string;
  own: string;
  /** Where the appliance receives. */
  port: number;
  /** Starts the appliance's nginx. */
  openPort(): Promise<Proxy>;
  /** Gives the machine a certificate: of this name, from a folder. */
  certify(name: string, folder?: string): Promise<void>;
}

/** A sensor's machine, whose transport is not started yet, and the appliance's certificates. */
async function withBranch(body: (branch: Branch) => Promise<void>): Promise<void> {
  const tls = await Deno.makeTempDir({ prefix: "ndr-tls-" });
  const own = `${tls}/own`;
  const port = await freePort();
  const certify = async (name: string, folder = tls) => {
    await Deno.mkdir(own, { recursive: true });
    await Deno.copyFile(`${tls}/ca.crt`, `${own}/ca.crt`);
    for (const kind of ["crt", "key"]) {
      await Deno.copyFile(`${folder}/${name}.${kind}`, `${own}/branch.${kind}`);
    }
  };
  try {
    await makeCertificates(tls, ["branch", "unlisted"]);
    await certify("branch");
    let coreUrl = "";
    await withDelivery(
      (setup) => {
        coreUrl = setup.coreUrl;
        return installSyslogNg({ ...setup, coreUrl: `https://localhost:${port}`, tls: own }, ["eve", "zeek"]);
      },
      (delivery) =>
        body({
          ...delivery,
          tls,
          own,
          port,
          certify,
          openPort: () => startIngestProxy(coreUrl, { port, tls, names: ["branch"] }),
        }),
    );
  } finally {
    await Deno.remove(tls, { recursive: true });
  }
}

await transportTest(
  "syslog-ng delivers the files of another machine over TLS byte for byte, each record once",
  NEEDS,
  () =>
    withBranch(async (branch) => {
      await using _ = await branch.openPort();
      await deliversFiles(branch);
    }),
);

await transportTest(
  "syslog-ng loses nothing when the appliance's port goes away and comes back under load",
  NEEDS,
  () =>
    withBranch(async (branch) => {
      const { db, transport, dir } = branch;
      const lines = Array.from(
        { length: 40_000 },
        (_, index) => `{"ts":${1_767_323_045 + index}.5,"uid":"C${index}","pad":"${"x".repeat(300)}"}`,
      );
      const stored = async () => (await readStored(db)).length;
      await append(`${dir}/zeek/conn.log`, lines);
      transport.start();
      let before = 0;
      for (let closing = 1; closing <= 3; closing++) {
        await using _ = await branch.openPort();
        const at = before;
        await waitFor(async () => await stored() > at, () => transport.output().slice(-2000), 60);
        before = await stored();
        assert.ok(before < lines.length, `closing ${closing} is under load: ${before} of ${lines.length}`);
      }
      await using _ = await branch.openPort();
      await untilStored(branch, lines.length, 0);
      assertSame((await readStored(db)).map(({ payload }) => payload), lines);
    }),
);

/** The fingerprint of the certificate that the port serves to this machine. */
async function served({ port, tls }: Pick<Branch, "port" | "tls">): Promise<string> {
  const client = `-cert ${tls}/branch.crt -key ${tls}/branch.key`;
  const text = await runProgram("/bin/sh", [
    "-ec",
    `openssl s_client -connect localhost:${port} ${client} </dev/null 2>/dev/null | openssl x509 -noout -fingerprint`,
  ]);
  return text.trim();
}

/** Appends connections to Zeek's log, a hundred at a time, until it is stopped; returns all of them. */
function keepWriting(path: string): { stop(): Promise<string[]> } {
  let stopped = false;
  const writing = (async () => {
    const all: string[] = [];
    while (!stopped) {
      const lines = Array.from({ length: 100 }, (_, at) => `{"ts":1767323045.5,"uid":"C${all.length + at}"}`);
      await append(path, lines);
      all.push(...lines);
      await delay(50);
    }
    return all;
  })();
  // A failure is reported by `stop`.
  writing.catch(() => {});
  return { stop: () => (stopped = true, writing) };
}

await transportTest(
  "every certificate is exchanged while records flow: the appliance's, the machine's, the authority's; none is lost",
  NEEDS,
  () =>
    withBranch(async (branch) => {
      const { db, transport, dir, tls, own, certify } = branch;
      const next = `${tls}/next`;
      await makeCertificates(next, ["branch"]);
      await using port = await branch.openPort();
      const flows = async () => {
        const before = (await readStored(db)).length;
        const explain = () => transport.output().slice(-3000);
        await waitFor(async () => (await readStored(db)).length > before, explain, 60);
      };
      const restart = async () => {
        await transport.stop();
        transport.start();
      };
      const certifyAppliance = async (folder: string) => {
        const before = await served(branch);
        for (const kind of ["crt", "key"]) {
          await Deno.copyFile(`${folder}/appliance.${kind}`, `${tls}/appliance.${kind}`);
        }
        port.reload();
        await waitFor(async () => await served(branch) !== before, () => "the port serves the former one");
      };
      /** The authorities that both sides trust. */
      const trust = async (text: string) => {
        for (const folder of [tls, own]) await Deno.writeTextFile(`${folder}/ca.crt`, text);
        port.reload();
        await restart();
        await flows();
      };
      await append(`${dir}/zeek/conn.log`, ['{"ts":1767323045.5,"uid":"first"}']);
      transport.start();
      const writing = keepWriting(`${dir}/zeek/conn.log`);
      await flows();

      // By the same authority.
      const former = await Deno.readTextFile(`${tls}/ca.crt`);
      const renewed = `${tls}/renewed`;
      await Deno.mkdir(renewed);
      for (const kind of ["crt", "key"]) await Deno.copyFile(`${tls}/ca.${kind}`, `${renewed}/ca.${kind}`);
      await issueCertificates(renewed, ["branch"]);
      await certifyAppliance(renewed);
      await flows();
      await certify("branch", renewed);
      await Deno.copyFile(`${tls}/ca.crt`, `${own}/ca.crt`);
      await restart();
      await flows();

      // By another one: both are trusted, then every certificate is exchanged, then the former is trusted no more.
      const present = await Deno.readTextFile(`${next}/ca.crt`);
      await trust(former + present);
      await certifyAppliance(next);
      await flows();
      for (const kind of ["crt", "key"]) {
        await Deno.copyFile(`${next}/branch.${kind}`, `${own}/branch.${kind}`);
      }
      await restart();
      await flows();
      await trust(present);

      const lines = ['{"ts":1767323045.5,"uid":"first"}', ...await writing.stop()];
      await untilStored(branch, lines.length, 0);
      assertSame((await readStored(db)).map(({ payload }) => payload), lines);
      const curl = await programPath("curl");
      const status = (folder: string) =>
        runProgram(curl, [
          ...[
            "--silent",
            "--output",
            "/dev/null",
            "--write-out",
            "%{http_code}",
            "--cacert",
            `${tls}/ca.crt`,
          ],
          ...["--cert", `${folder}/branch.crt`, "--key", `${folder}/branch.key`],
          `${port.url.replace("127.0.0.1", "localhost")}/internal/v1/ingest/events`,
        ]);
      assert.deepEqual([await status(next), await status(renewed)], ["405", "400"]);
    }),
);

await transportTest(
  "another machine without the right certificate is refused, and its records arrive once it has it",
  NEEDS,
  () =>
    withBranch(async ({ db, transport, dir, tls, certify, openPort }) => {
      const curl = await programPath("curl");
      await using port = await openPort();
      const foreign = `${dir}/foreign`;
      await makeCertificates(foreign, ["branch"]);
      const files = new Map([...await sensorFiles()].map(([path, lines]) => [path, lines.slice(0, 40)]));
      for (const [path, lines] of files) await append(`${dir}/${path}`, lines);

      // The listed name by another authority; the right authority for a name that is not listed.
      for (
        const [name, folder, status] of [["branch", foreign, "400"], ["unlisted", undefined, "403"]] as const
      ) {
        await certify(name, folder);
        transport.start();
        await waitFor(
          () => transport.output().includes(`status_code='${status}'`),
          () => transport.output().slice(-3000),
        );
        await transport.stop();
      }
      assert.equal((await readStored(db)).length, 0);

      await certify("branch");
      transport.start();
      const expected = expectedOf(files);
      await untilStored({ db, transport }, expected.records.length, expected.rejected.length);
      assertSame((await readStored(db)).map(recordText), expected.records);

      // Nothing but the ingest is behind the port, and nothing without a certificate.
      const own = ["--cert", `${tls}/branch.crt`, "--key", `${tls}/branch.key`];
      const statusOf = (path: string, certificate: readonly string[]) =>
        runProgram(curl, [
          ...[
            "--silent",
            "--output",
            "/dev/null",
            "--write-out",
            "%{http_code}",
            "--cacert",
            `${tls}/ca.crt`,
          ],
          ...certificate,
          `${port.url.replace("127.0.0.1", "localhost")}${path}`,
        ]);
      assert.equal(await statusOf("/internal/v1/ingest/events", own), "405");
      assert.equal(await statusOf("/api/v1/health", own), "404");
      assert.equal(await statusOf("/internal/v1/ingest/events", []), "400");
    }),
);

await transportTest(
  "syslog-ng sends nothing to an appliance that another authority certified",
  NEEDS,
  () =>
    withBranch(async ({ db, transport, dir, tls, own, openPort }) => {
      const foreign = `${dir}/foreign`;
      await makeCertificates(foreign, ["branch"]);
      await Deno.copyFile(`${foreign}/ca.crt`, `${own}/ca.crt`);
      await using _ = await openPort();
      const lines = [`{"ts":1767323045.5,"uid":"C1"}`];
      await append(`${dir}/zeek/conn.log`, lines);
      transport.start();
      await waitFor(() => /certificate/.test(transport.output()), () => transport.output());
      await delay(2000);
      assert.equal((await readStored(db)).length, 0);
      await transport.stop();

      await Deno.copyFile(`${tls}/ca.crt`, `${own}/ca.crt`);
      transport.start();
      await untilStored({ db, transport }, 1, 0);
      assertSame((await readStored(db)).map(({ payload }) => payload), lines);
    }),
);
