import assert from "node:assert/strict";
import fc from "fast-check";
import type { KerberosFacts, SmbFacts, SshFacts } from "../../record/facts.ts";
import { BRUTE_DETECTOR, LOGONS } from "./detector.ts";
import { playSeen as play, type Seen, sumOf, times } from "../../../../test/support/detect/play-fixtures.ts";

function ssh(authSuccess: boolean | null, authAttempts: number | null = 1): SshFacts {
  return {
    type: "ssh",
    version: 2,
    clientSoftware: "libssh",
    serverSoftware: "OpenSSH",
    hassh: null,
    hasshServer: null,
    hostKey: null,
    authSuccess,
    authAttempts,
  };
}

function kerberos(more: Partial<KerberosFacts>): KerberosFacts {
  return {
    type: "kerberos",
    messageType: "ERROR",
    client: null,
    realm: "CORP",
    service: "krbtgt/CORP",
    encryption: null,
    ticketEncryption: null,
    weakEncryption: null,
    error: null,
    ...more,
  };
}

function smb(status: string, user: string): SmbFacts {
  const nothing = {
    dialect: "3.11",
    share: null,
    filename: null,
    namedPipe: null,
    domain: "CORP",
    host: null,
    rpcInterface: null,
    rpcOperation: null,
  };
  return { type: "smb", command: "SMB2_COMMAND_SESSION_SETUP", status, user, ...nothing };
}

const failures = (count: number, step = 10): Seen[] =>
  times(count, (index) => ({ at: index * step, dst: "10.0.0.9 22", facts: ssh(false, 3) }));

Deno.test("brute force: failed SSH logons, then a successful one, are reported", () => {
  const names = { "10.0.0.5": "ws-5", "10.0.0.9": "srv" };
  const failed = play(BRUTE_DETECTOR, failures(100), { names });
  assert.equal(failed.best!.title, "ws-5 guesses passwords on srv over SSH");
  assert.ok(failed.best!.score >= 45, String(failed.best!.score));
  assert.equal(sumOf(failed.best!), failed.best!.score);
  assert.equal(failed.best!.technique, "T1110.001");
  assert.deepEqual(failed.best!.deviceIds, ["device 10.0.0.5", "device 10.0.0.9"]);
  assert.ok(failed.results.length <= 8);

  const success: Seen = { at: 1010, dst: "10.0.0.9 22", facts: ssh(true) };
  const { best } = play(BRUTE_DETECTOR, [...failures(100), success, success], { names });
  assert.equal(best!.title, "ws-5 guesses passwords on srv over SSH, and got in");
  assert.ok(best!.score >= failed.best!.score + 20);
  assert.equal(sumOf(best!), best!.score);
  const late = play(BRUTE_DETECTOR, [...failures(100), { ...success, at: 20_000 }], { names });
  assert.equal(late.best!.score, failed.best!.score);
});

Deno.test("brute force: a few failures are not reported", () => {
  assert.equal(play(BRUTE_DETECTOR, failures(5)).best, null);
  assert.equal(play(BRUTE_DETECTOR, failures(19, 14_400)).best, null);
  const works = times(500, (index): Seen => ({ at: index, dst: "10.0.0.9 22", facts: ssh(true) }));
  assert.equal(play(BRUTE_DETECTOR, works).best, null);
});

Deno.test("brute force: Kerberos spraying is reported, and an outdated password stays low", () => {
  const one = (count: number) =>
    times(count, (index): Seen => ({
      at: index * 20,
      dst: "10.0.0.1 88",
      facts: kerberos({ error: "KDC_ERR_PREAUTH_FAILED", client: "svc-backup/CORP" }),
    }));
  assert.ok(play(BRUTE_DETECTOR, one(100)).best!.score < 40);
  assert.equal(play(BRUTE_DETECTOR, one(20)).best, null);
  const many = times(60, (index): Seen => ({
    at: index * 5,
    dst: "10.0.0.1 88",
    facts: kerberos({ error: "KDC_ERR_PREAUTH_FAILED", client: `user${index}/CORP` }),
  }));
  const { best } = play(BRUTE_DETECTOR, many);
  assert.equal(best!.title, "10.0.0.5 tries passwords for many accounts over Kerberos");
  assert.ok(best!.score >= 45);
  assert.equal(best!.technique, "T1110.003");
  const required = times(500, (index): Seen => ({
    at: index,
    dst: "10.0.0.1 88",
    facts: kerberos({ error: "KDC_ERR_PREAUTH_REQUIRED", client: `user${index}` }),
  }));
  assert.equal(play(BRUTE_DETECTOR, required).best, null, "every logon starts with this error");
});

Deno.test("brute force: many weakly encrypted tickets are reported", () => {
  const tickets = (weakEncryption: boolean) =>
    times(60, (index): Seen => ({
      at: index,
      dst: "10.0.0.1 88",
      facts: kerberos({ messageType: "TGS-REP", service: `MSSQLSvc/db${index}`, weakEncryption }),
    }));
  const { best } = play(BRUTE_DETECTOR, tickets(true));
  assert.equal(best!.title, "10.0.0.5 collects weakly encrypted Kerberos tickets");
  assert.equal(best!.technique, "T1558.003");
  assert.equal(play(BRUTE_DETECTOR, tickets(false)).best, null);
});

Deno.test("brute force: SMB failures on one server and on many are reported", () => {
  const on = (ip: (index: number) => string) =>
    times(60, (index): Seen => ({
      at: index * 2,
      dst: `${ip(index)} 445`,
      facts: smb("STATUS_LOGON_FAILURE", "administrator"),
    }));
  assert.match(
    play(BRUTE_DETECTOR, on(() => "10.0.0.9")).best!.title,
    /guesses passwords on 10\.0\.0\.9 over SMB/,
  );
  const many = play(BRUTE_DETECTOR, on((index) => `10.0.1.${index}`)).best!;
  assert.equal(many.title, "10.0.0.5 fails to log on to many servers over SMB");
  const fine = times(200, (index): Seen => ({
    at: index,
    dst: "10.0.0.9 445",
    facts: smb("STATUS_SUCCESS", `user${index}`),
  }));
  assert.equal(play(BRUTE_DETECTOR, fine).best, null);
});

Deno.test("brute force: SSH sessions with hundreds of foreign servers are reported", () => {
  const seen = times(425, (index): Seen => ({
    at: index * 280,
    dst: `198.51.${index >> 8}.${index & 255} 22`,
    facts: ssh(null, null),
  }));
  const { best } = play(BRUTE_DETECTOR, seen);
  assert.equal(best!.title, "10.0.0.5 opens SSH sessions to many servers outside");
  assert.ok(best!.score >= 40 && best!.score < 60, String(best!.score));
  const inside = seen.map((one) => ({ ...one, dst: one.dst!.replace("198.51", "10.9") }));
  assert.equal(play(BRUTE_DETECTOR, inside).best, null, "an administrator's workstation");
});

Deno.test("brute force: sessions known from flows only are reported in large numbers and stay low", () => {
  const flows = times(2000, (index): Seen => ({
    at: index,
    seconds: 3,
    src: `10.0.0.5 ${40_000 + index}`,
    dst: "10.0.0.9 3389",
    out: [1800, 14],
    in: [2300, 12],
  }));
  const { best } = play(BRUTE_DETECTOR, flows);
  assert.match(best!.title, /opens many short RDP sessions to 10\.0\.0\.9/);
  assert.ok(best!.score < 40);
  assert.equal(play(BRUTE_DETECTOR, flows.slice(0, 60)).best, null);
  const worked: Seen = { at: -5, dst: "10.0.0.9 22", facts: ssh(true) };
  const polls = flows.map((flow) => ({ ...flow, dst: "10.0.0.9 22" }));
  assert.equal(play(BRUTE_DETECTOR, [worked, ...polls]).best, null, "a poll with a successful logon");
});

Deno.test("brute force: FTP, VNC and SMB sessions are recognised by flow size", () => {
  const sessions = (port: number, out: Seen["out"], back: Seen["in"]) =>
    times(300, (index): Seen => ({
      at: index,
      seconds: 1,
      src: `10.0.0.5 ${40_000 + index}`,
      dst: `10.0.0.9 ${port}`,
      out,
      in: back,
    }));
  const found = (...session: Parameters<typeof sessions>) => play(BRUTE_DETECTOR, sessions(...session)).best;
  assert.match(found(21, [38, 8], [121, 8])!.title, /many short FTP sessions to 10\.0\.0\.9/);
  assert.match(found(5900, [30, 7], [52, 6])!.title, /many short VNC sessions/);
  assert.match(found(445, [1100, 9], [980, 8])!.title, /many short SMB sessions/);
  assert.ok(found(21, [38, 8], [121, 8])!.score < 40);
  assert.equal(found(21, [0, 3], [0, 1]), null, "a connection attempt on an open port");
  assert.equal(found(21, [186, 3], [120, 2]), null, "the same with headers, as Suricata counts");
  assert.equal(found(445, [4200, 30], [6100, 28]), null, "reads files");
});

Deno.test("brute force: many short sessions from outside stay low", () => {
  const sessions = times(200, (index): Seen => ({
    at: index * 2,
    seconds: 2,
    src: `198.51.100.1 ${40_000 + index}`,
    dst: "10.0.0.9 22",
    out: [1800, 14],
    in: [2300, 12],
  }));
  const { best } = play(BRUTE_DETECTOR, sessions);
  assert.match(best!.title, /^198\.51\.100\.1 opens many short SSH sessions to 10\.0\.0\.9/);
  assert.equal(best!.deviceId, "device 10.0.0.9");
  assert.ok(best!.score >= 20 && best!.score < 40);
  assert.equal(play(BRUTE_DETECTOR, sessions.slice(0, 60)).best, null);
});

Deno.test("brute force: guessing from outside stays low until a logon succeeds", () => {
  const tries = (source: number) =>
    times(200, (index): Seen => ({
      at: source * 3000 + index * 10,
      src: `198.51.100.${source} 50000`,
      dst: "10.0.0.9 22",
      facts: ssh(false),
    }));
  const { results } = play(BRUTE_DETECTOR, [...tries(1), ...tries(2)]);
  assert.ok(results.every(({ score, deviceId }) => score < 40 && deviceId === "device 10.0.0.9"));
  assert.equal(new Set(results.map(({ groupKey }) => groupKey)).size, 1);
  const success: Seen = { at: 5100, src: "198.51.100.1 50000", dst: "10.0.0.9 22", facts: ssh(true) };
  const { best } = play(BRUTE_DETECTOR, [...tries(1), success]);
  assert.match(best!.title, /, and got in$/);
  assert.ok(best!.score >= 45);
});

Deno.test("brute force: results do not depend on batches, and hostile input uses bounded space", () => {
  const seen = [...failures(80), { at: 900, dst: "10.0.0.9 22", facts: ssh(true) } as Seen];
  const whole = play(BRUTE_DETECTOR, seen);
  for (const round of [1, 9]) assert.deepEqual(play(BRUTE_DETECTOR, seen, {}, round).results, whole.results);
  for (const bytes of whole.states.values()) assert.deepEqual(LOGONS.encode(LOGONS.decode(bytes)), bytes);
  const any = fc.record({
    at: fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.constantFrom(-2e9, 6e9)),
    src: fc.ipV4().map((ip) => `${ip} 40000`),
    dst: fc.ipV4().map((ip) => `${ip} 22`),
    facts: fc.oneof(
      fc.tuple(fc.constantFrom(true, false, null), fc.nat()).map(([ok, tried]) => ssh(ok, tried)),
      fc.string().map((user) => smb("STATUS_LOGON_FAILURE", user)),
      fc.string().map((client) => kerberos({ error: "KDC_ERR_PREAUTH_FAILED", client })),
    ),
  });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 100 }), (hostile) => {
      const isInternal = (ip: string) => Number.parseInt(ip) < 128;
      for (const bytes of play(BRUTE_DETECTOR, hostile, { isInternal }).states.values()) {
        assert.ok(bytes.length < 4600);
      }
    }),
    { numRuns: 50 },
  );
});
