import assert from "node:assert/strict";
import fc from "fast-check";
import type { AlertFacts, SmbFacts } from "../../record/facts.ts";
import {
  anyFloat,
  anyHash,
  anyList,
  anyRecord,
  anyRef,
  anyTime,
  checkStored,
  sampleRef,
} from "../../../../test/support/detect/stored-state.ts";
import { playSeen as play, type Seen, sumOf } from "../../../../test/support/detect/play-fixtures.ts";
import { LATERAL_DETECTOR } from "./detector.ts";
import { isRemoteExecutionAlert, smbTraits, TRAITS } from "./smb-names.ts";
import {
  type ExecutionSlot,
  type ExecutionState,
  type KnownExecution,
  REMOTE_EXECUTION,
} from "./smb-state.ts";

const NOTHING: SmbFacts = {
  type: "smb",
  dialect: "3.11",
  command: "SMB2_COMMAND_CREATE",
  status: "STATUS_SUCCESS",
  share: null,
  filename: null,
  namedPipe: null,
  user: null,
  domain: null,
  host: null,
  rpcInterface: null,
  rpcOperation: null,
};

function smb(at: number, facts: Partial<SmbFacts>, more: Partial<Seen> = {}): Seen {
  return { at, service: "smb", facts: { ...NOTHING, ...facts }, ...more };
}

function open(at: number, filename: string, more: Partial<Seen> = {}): Seen {
  return smb(at, { filename }, more);
}

function alert(at: number, signature: string, more: Partial<Seen> = {}): Seen {
  const facts: AlertFacts = {
    type: "alert",
    gid: 1,
    signatureId: 9_000_001,
    revision: 1,
    signature,
    category: null,
    priority: 3,
    action: "allowed",
    metadata: {},
  };
  return { at, facts, ...more };
}

const ADMIN = smb(0, { command: "SMB2_COMMAND_TREE_CONNECT", share: "\\\\10.0.0.9\\ADMIN$" });
const PSEXEC: Seen[] = [
  open(1, "PSEXESVC.exe"),
  open(2, "svcctl"),
  open(3, "PSEXESVC"),
  open(4, "PSEXESVC-WS5-4312-stdin"),
  open(4, "PSEXESVC-WS5-4312-stdout"),
  open(4, "PSEXESVC-WS5-4312-stderr"),
];

Deno.test("remote execution: PsExec is high by its names, with and without its share, also while learning", () => {
  const setting = { learned: false, names: { "10.0.0.5": "ws-5", "10.0.0.9": "srv-9" } };
  const { best, results } = play(LATERAL_DETECTOR, PSEXEC, setting);
  assert.equal(best!.title, "ws-5 runs PsExec on srv-9 over SMB");
  assert.ok(best!.score >= 60 && best!.score < 80, String(best!.score));
  assert.equal(sumOf(best!), best!.score);
  assert.deepEqual(best!.deviceIds, ["device 10.0.0.5", "device 10.0.0.9"]);
  assert.deepEqual(best!.destinations, [{ ip: "10.0.0.9", name: null, port: 445 }]);
  assert.ok(results.length <= 4);
  const all = [
    ADMIN,
    ...PSEXEC,
    open(9, "winreg"),
    open(9, "atsvc"),
    alert(9, "EXAMPLE POLICY PsExec service created"),
  ];
  const most = play(LATERAL_DETECTOR, all, { types: { "10.0.0.9": "domain_controller" } }).best!;
  assert.ok(most.score > best!.score && most.score < 80, String(most.score));
  assert.match(most.summary, /A sensor's rule reports the same\.$/);
});

Deno.test("remote execution: siblings are at least medium", () => {
  const impacket = [ADMIN, open(1, "nXqPzrTb.exe"), open(2, "svcctl"), open(3, "RemCom_communicaton")];
  assert.equal(play(LATERAL_DETECTOR, impacket).best!.title, "10.0.0.5 runs RemCom on 10.0.0.9 over SMB");
  assert.ok(play(LATERAL_DETECTOR, impacket).best!.score >= 60);
  const renamed = [open(1, "Temp\\qwpoeiru.exe"), open(2, "\\svcctl")];
  assert.match(play(LATERAL_DETECTOR, renamed).best!.title, / installs and starts a program on /);
  assert.ok(play(LATERAL_DETECTOR, renamed).best!.score >= 40);
  const task = [open(1, "Temp\\update.bat"), open(2, "atsvc")];
  assert.ok(play(LATERAL_DETECTOR, task).best!.score >= 40);
  const output = [open(1, "svcctl"), open(2, "__output")];
  assert.ok(play(LATERAL_DETECTOR, output).best!.score >= 40);
  const late = [open(0, "svcctl"), open(3599, "PSEXESVC-WS5-4312-stdin")];
  assert.ok(play(LATERAL_DETECTOR, late).best!.score >= 40, "within an hour");
});

Deno.test("remote execution: any order of the records within the hour gives the same severity", () => {
  for (let from = 0; from < PSEXEC.length; from++) {
    const turned = [...PSEXEC.slice(from), ...PSEXEC.slice(0, from)];
    for (const seen of [turned, [...turned].reverse()]) {
      const { score } = play(LATERAL_DETECTOR, seen).best!;
      // A rise of less than five points is not reported again.
      assert.ok(score > 60 && score <= 65, String(score));
    }
  }
});

Deno.test("remote execution: ordinary work is not reported", () => {
  const quiet = (seen: Seen[], what: string) => assert.equal(play(LATERAL_DETECTOR, seen).best, null, what);
  quiet([open(1, "svcctl"), open(2, "winreg"), open(3, "srvsvc"), open(4, "samr")], "a management console");
  quiet([open(1, "tools\\setup.exe"), open(2, "logon.bat")], "programs on a file share");
  quiet([ADMIN, open(1, "Temp\\agent.exe")], "software distribution without a service");
  quiet([open(1, "lsarpc"), open(2, "netlogon"), open(3, "spoolss")], "a domain member, a printer");
  quiet([open(1, "Documents\\psexec notes.docx"), open(2, "svcctl.txt")], "documents about it");
  const refused = { status: "STATUS_ACCESS_DENIED" };
  quiet(["svcctl", "PSEXESVC.exe"].map((filename) => smb(1, { ...refused, filename })), "refused");
  quiet(PSEXEC.map((seen) => ({ ...seen, dst: "198.51.100.9 445" })), "another site's server");
  quiet(PSEXEC.map((seen) => ({ ...seen, dst: "10.0.0.5 445" })), "the device itself");
  quiet([alert(0, "EXAMPLE POLICY PsExec service created"), ADMIN], "an alert without records");
});

Deno.test("remote execution: what is a day apart is not one activity, and what is usual scores less", () => {
  const apart = [open(0, "svcctl"), open(90_000, "Temp\\a.exe")];
  assert.equal(play(LATERAL_DETECTOR, apart).best, null);
  const next = PSEXEC.map((seen) => ({ ...seen, at: seen.at! + 90_000 }));
  const { results } = play(LATERAL_DETECTOR, [...PSEXEC, ...next]);
  const first = Math.max(...results.filter(({ at }) => at < 1_600_080_000_000_000).map(({ score }) => score));
  const usual = Math.max(...results.filter(({ at }) => at > 1_600_080_000_000_000).map(({ score }) => score));
  assert.equal(usual, first - 15);
  const source = { types: { "10.0.0.5": "server" } };
  assert.ok(play(LATERAL_DETECTOR, PSEXEC, source).best!.score < first);
});

Deno.test("remote execution: many peers in hostile records leave a bounded state", () => {
  const many: Seen[] = [];
  for (let index = 0; index < 60; index++) {
    const dst = `10.0.${index % 2}.${index % 50 + 20} 445`;
    many.push(...PSEXEC.map((seen) => ({ ...seen, at: index + seen.at!, dst })));
  }
  const { states, results } = play(LATERAL_DETECTOR, many);
  const stored = states.get(`${REMOTE_EXECUTION.id} device 10.0.0.5`)!;
  assert.ok(stored.length <= REMOTE_EXECUTION.maxBytes && REMOTE_EXECUTION.maxBytes < 8192);
  assert.ok(results.length <= many.length);
  const batches = [1, 7, 1000].map((round) => play(LATERAL_DETECTOR, many, {}, round).results);
  assert.deepEqual(batches[0], batches[2]);
  assert.deepEqual(batches[1], batches[2]);
});

Deno.test("remote execution: names are matched without folders and in any case", () => {
  const of = (facts: Partial<SmbFacts>) => smbTraits({ ...NOTHING, ...facts });
  assert.equal(of({}), null);
  assert.equal(of({ filename: "Q3 figures.xlsx" }), null);
  assert.equal(of({ share: "\\\\fs1\\IPC$" }), null);
  assert.equal(of({ share: "\\\\fs1\\data$" }), null);
  assert.equal(of({ share: "\\\\fs1\\C$" })!.bits, TRAITS.adminShare);
  assert.equal(of({ namedPipe: "\\PIPE\\SvcCtl" })!.bits, TRAITS.services);
  assert.equal(of({ filename: "WINDOWS\\PSEXESVC.EXE" })!.bits, TRAITS.program | TRAITS.tool);
  assert.equal(of({ filename: "PSEXESVC-A-1-stdin" })!.bits, TRAITS.console | TRAITS.tool);
  assert.equal(of({ filename: "svcctl", status: "STATUS_OBJECT_NAME_NOT_FOUND" }), null);
  assert.equal(of({ filename: "svcctl", status: null })!.bits, TRAITS.services, "seen in one direction");
  assert.equal(of({ filename: "__1700000000.1234567" })!.bits, TRAITS.tool);
  assert.equal(of({ filename: "a".repeat(1024) + "\\" }), null);
});

Deno.test("remote execution: alerts that name a tool or a created service", () => {
  for (const text of ["POLICY PsExec service created", "SMB remote service installed", "RPC SVCCTL access"]) {
    assert.ok(isRemoteExecutionAlert(text), text);
  }
  for (const text of ["INFO web service request", "SMB NTLM session setup", "denial of service"]) {
    assert.ok(!isRemoteExecutionAlert(text), text);
  }
});

const anyExecution = anyRecord<ExecutionState>({
  peers: anyList(
    anyRecord<KnownExecution>({
      key: anyHash,
      slots: anyList(
        anyRecord<ExecutionSlot>({
          slot: fc.integer({ min: -1_000_000, max: 3_000_000 }),
          since: anyTime,
          last: anyTime,
          traits: fc.nat(255),
          tool: fc.nat(7),
        }),
        10,
      ),
      reportedScore: anyFloat,
      reportedSlot: fc.integer({ min: -1_000_000, max: 3_000_000 }),
      refs: anyList(anyRef, 6),
    }),
    8,
  ),
  earlier: anyList(anyRecord({ key: anyHash, since: anyTime }), 32),
});

const SAMPLE: ExecutionState = {
  peers: [{
    key: 0xfedcba98,
    slots: [{
      slot: 1_333_333,
      since: 1_600_000_000_000_000,
      last: 1_600_000_100_000_000,
      traits: 113,
      tool: 1,
    }],
    reportedScore: 65,
    reportedSlot: 1_333_333,
    refs: [sampleRef(1)],
  }],
  earlier: [{ key: 77, since: 1_600_000_000_000_000 }],
};

Deno.test("remote execution: the state survives storage, and the format does not change", () => {
  checkStored(
    REMOTE_EXECUTION,
    anyExecution,
    SAMPLE,
    "020198f5f2f60f0141345855000000004316bcc41e9000004316bcc436678400710140504000000000004134585500000000" +
      "014316bcc41e9000040000000000004000800000000000000100000000000040009000000000000001014d4316bcc41e9000" +
      "00",
  );
  const first =
    "010198f5f2f60f4316bcc41e9000004316bcc43667840071014050400000000000014316bcc41e90000400000000000040008000000000" +
    "00000100000000000040009000000000000001014d4316bcc41e900000";
  assert.deepEqual(REMOTE_EXECUTION.decode(Uint8Array.fromHex(first)), SAMPLE, "as version 1 stored it");
});
