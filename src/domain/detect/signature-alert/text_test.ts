import assert from "node:assert/strict";
import { signatureFamily } from "./family.ts";
import { addAlert, type AlertSighting } from "./group.ts";
import { emptyAlertGroup } from "./state.ts";
import { describeAlerts } from "./text.ts";

const AT = 1_600_000_000_000_000;

/** An alert from 198.51.100.1 to the device, or the other way round if `outbound`. */
function alert(signature: string, signatureId: number, outbound = false): AlertSighting {
  return {
    facts: {
      type: "alert",
      gid: 1,
      signatureId,
      revision: 1,
      signature,
      category: "Misc Attack",
      priority: 2,
      action: "allowed",
      metadata: {},
    },
    at: AT,
    peerIp: "198.51.100.1",
    port: 80,
    outbound,
    users: 1,
    evidenceId: `e${signatureId}`,
    flowId: "f",
  };
}

function texts(alerts: readonly [AlertSighting, ...AlertSighting[]]) {
  const state = alerts.reduce(addAlert, emptyAlertGroup());
  assert.ok(state.worst);
  return describeAlerts(state, state.worst, {
    deviceName: "srv-2",
    family: signatureFamily(alerts[0].facts),
  });
}

Deno.test("signature-alert: a signature is named once, however long its text", () => {
  const long = `ET EXPLOIT ${"very ".repeat(20)}long`;
  const once = texts([alert(long, 1), alert(long, 1)]).summary;
  assert.ok(once.includes(`at 2020-09-13 12:26 UTC: "${long}". From`), once);
  const other = texts([alert(long, 1), alert(`${long} too`, 2)]).summary;
  assert.ok(other.includes(`"${long}" and "${long.slice(0, 60)}…". `), other);
  const alike = texts([
    alert(long, 1),
    alert(`${long} too`, 2),
    alert(`${long} and`, 3),
    alert("ET EXPLOIT x", 4),
  ]);
  assert.match(
    alike.summary,
    /: "[^"]+", "[^"]+…", "ET EXPLOIT x" and 1 more\. /,
    "equal starts are named once",
  );
});

Deno.test("signature-alert: texts name the sender of the packets, not the originator", () => {
  const root = "GPL ATTACK_RESPONSE id check returned root";
  const came = texts([alert(root, 498)]);
  assert.match(came.summary, /From 198\.51\.100\.1 to the device\.$/);
  assert.match(came.explanation, /^The traffic matches .* it was sent to this device/);
  const went = texts([alert(root, 498, true)]);
  assert.match(went.summary, /From the device to 198\.51\.100\.1\.$/);
  assert.match(went.explanation, /^The device sends what a host answers after a successful attack/);
  assert.match(
    texts([alert(root, 498), alert(root, 498, true)]).summary,
    /1 of 2 alerts were from the device\.$/,
  );
});

Deno.test("signature-alert: one more peer is one other", () => {
  const from = (peers: number) =>
    texts(
      Array.from(
        { length: peers },
        (_, n) => ({ ...alert("ET EXPLOIT x", 1), peerIp: `198.51.100.${n}` }),
      ) as [
        AlertSighting,
      ],
    ).summary;
  assert.match(from(4), /198\.51\.100\.2 and 1 other to the device/);
  assert.match(from(5), /198\.51\.100\.2 and 2 others to the device/);
});
