import assert from "node:assert/strict";
import { alert, DAY, HOUR, smb } from "../../../../test/support/detect/attack-records.ts";
import { T0 } from "../../../../test/support/detect/detector-fixtures.ts";
import {
  playSeen as play,
  type Seen,
  type Setting,
  sumOf,
} from "../../../../test/support/detect/play-fixtures.ts";
import { LATERAL_DETECTOR } from "./detector.ts";

const CLIENT = "10.0.0.5";
const DC = "10.0.0.9";
const OTHER_DC = "10.0.0.10";

function call(at: number, operation: number | null, src = CLIENT, dst = DC, rpcInterface = "drsuapi"): Seen {
  const facts = smb({ filename: "lsass", rpcInterface, rpcOperation: operation });
  return { at, src: `${src} 49812`, dst: `${dst} 445`, facts };
}

function ruleOf(
  at: number,
  src: string,
  dst: string,
  signature = "EXAMPLE Possible DCSync DsGetNCChanges",
): Seen {
  return { at, src, dst, facts: alert(signature, "A suspicious request") };
}

/** An answered query, which shows that the host is a directory server. */
function ldap(at: number, server: string): Seen {
  return { at, src: "10.0.0.77 50123", dst: `${server} 389`, out: [900, 9], in: [4000, 9] };
}

function best(seen: Seen[], setting: Setting = {}) {
  return play(LATERAL_DETECTOR, seen, setting).best;
}

Deno.test("replication: a client that replicates the directory is high from one request, also while learning", () => {
  const setting = { names: { [CLIENT]: "ws-5", [DC]: "dc-1" } };
  for (const more of [{}, { learned: false }]) {
    const result = best([ldap(0, DC), call(60, 0), call(61, 3), call(62, 3)], { ...setting, ...more })!;
    assert.equal(result.title, "ws-5 replicates the directory of dc-1 (DCSync)");
    assert.equal(result.technique, "T1003.006");
    assert.ok(result.score >= 60 && result.score < 80, String(result.score));
    assert.equal(sumOf(result), result.score);
    assert.deepEqual(result.deviceIds, [`device ${CLIENT}`, `device ${DC}`]);
  }
  assert.equal(play(LATERAL_DETECTOR, [call(1, 3), call(2, 3), call(900, 3)]).results.length, 1);
});

Deno.test("replication: an alert about it is high in either direction, over any port", () => {
  const [client, server] = [`${CLIENT} 49812`, `${DC} 49667`];
  for (const [src, dst] of [[client, server], [server, client]] as const) {
    const result = best([ldap(0, DC), ruleOf(60, src, dst)])!;
    assert.ok(result.score >= 60, String(result.score));
    assert.equal(result.deviceId, `device ${CLIENT}`);
    assert.match(result.summary, /as a sensor's rule reports\. It does not answer/);
  }
  const both = best([ldap(0, DC), call(60, 3), ruleOf(61, client, server)])!;
  assert.ok(both.score > best([ldap(0, DC), call(60, 3)])!.score);
});

Deno.test("replication: directory servers replicate among themselves", () => {
  const known = [ldap(0, DC), ldap(1, OTHER_DC)];
  const seen = [
    call(60, 3, OTHER_DC),
    call(61, 3, DC, OTHER_DC),
    ruleOf(62, `${DC} 50111`, `${OTHER_DC} 49667`),
  ];
  assert.equal(best([...known, ...seen]), null);
  const types = { [DC]: "domain_controller", [OTHER_DC]: "domain_controller" };
  assert.equal(best(seen, { types }), null, "by their confirmed types");
  const first = { learned: false, historySince: T0 };
  assert.ok((best(seen, first)?.score ?? 0) < 20, "before any client was seen to ask them");
});

Deno.test("replication: other calls and hosts outside are not reported", () => {
  const quiet = (seen: Seen, what: string) => assert.equal(best([ldap(0, DC), seen]), null, what);
  quiet(call(60, null), "a bind to the interface");
  quiet(call(60, 12), "a lookup of names (DsCrackNames)");
  quiet(call(60, 3, CLIENT, DC, "samr"), "the same number of another interface");
  quiet(call(60, 3, CLIENT, "198.51.100.9"), "a host outside");
  quiet(ruleOf(60, `${CLIENT} 49812`, `${DC} 445`, "EXAMPLE DRSUAPI bind"), "an alert about a bind");
});

Deno.test("replication: a server that synchronises accounts is medium at first, then usual", () => {
  const types = { [CLIENT]: "server" };
  const seen = [ldap(0, DC), ...[0, DAY + HOUR, 2 * DAY + HOUR].map((at) => call(60 + at, 3))];
  const { results } = play(LATERAL_DETECTOR, seen, { types });
  assert.deepEqual(results.map(({ score }) => score >= 40 && score < 60), [true]);
});
