import assert from "node:assert/strict";
import fc from "fast-check";
import { conditions } from "../../../test/support/filter/conditions.ts";
import { scaled } from "../../../test/support/scale.ts";
import { FIELDS } from "./fields.ts";
import { groupCondition, type Grouped } from "./group.ts";
import { leavesOf } from "./normalise.ts";
import { parseText } from "./parser.ts";
import { printCondition } from "./printer.ts";
import { type Condition, RESULT_KINDS, type ResultKind } from "./tree.ts";

/** `flow[…]` for what must hold of a related flow. */
function shown(condition: Grouped): string {
  if ("some" in condition) return `${condition.some}[${printCondition(condition.where)}]`;
  if ("all" in condition) return `(${condition.all.map(shown).join(" ")})`;
  if ("any" in condition) return `(${condition.any.map(shown).join(" or ")})`;
  if ("not" in condition) return `not ${shown(condition.not)}`;
  return printCondition(condition);
}

function grouped(text: string, kind: ResultKind): string {
  const parsed = parseText(text);
  assert.ok(parsed.ok && parsed.condition !== null, text);
  return shown(groupCondition(parsed.condition, kind));
}

Deno.test("filter: conditions on another kind that stand together hold for one and the same", () => {
  const cases: [kind: ResultKind, text: string, expected: string][] = [
    ["flows", "port:443 service:tls", "(port:443 service:tls)"],
    ["flows", "port:443 tag=critical owner:maria", "(port:443 device[tag=critical owner:maria])"],
    [
      "flows",
      "tag=critical severity:high owner:maria",
      "(device[tag=critical owner:maria] incident[severity:high])",
    ],
    ["flows", "tag=critical", "device[tag=critical]"],
    ["flows", "-tag=critical", "not device[tag=critical]"],
    ["devices", "port:443 service:tls", "flow[port:443 service:tls]"],
    ["devices", "port:443 (service:tls or service:quic)", "flow[port:443 (service:tls or service:quic)]"],
    ["devices", "port:443 or service:tls", "flow[port:443 or service:tls]"],
    ["devices", "port:443 or tag=a or service:tls", "(flow[port:443 or service:tls] or tag=a)"],
    ["devices", "port:443 (tag=a or service:tls)", "(flow[port:443] (tag=a or flow[service:tls]))"],
    ["devices", "port:443 -service:tls", "(flow[port:443] not flow[service:tls])"],
    ["devices", "port:443 service!=tls", "flow[port:443 service!=tls]"],
    ["devices", "not (port:443 service:tls)", "not flow[port:443 service:tls]"],
    ["devices", "not (port:443 tag=a)", "not (flow[port:443] tag=a)"],
    [
      "devices",
      "port:443 (service:tls or -service:dns)",
      "(flow[port:443] (flow[service:tls] or not flow[service:dns]))",
    ],
    ["devices", "not (tag=a or owner:b)", "not (tag=a or owner:b)"],
    ["devices", "time:today port:443", "(time:today flow[port:443])"],
    ["incidents", "severity>=high device:printer", "(severity>=high device[device:printer])"],
    // A device has one name: two are of two devices, and what stands after one is of that one.
    ["incidents", "device:a device:b", "(device[device:a] device[device:b])"],
    ["incidents", "device:a or device:b", "device[device:a or device:b]"],
    ["incidents", "device:(a, b)", "device[device:(a, b)]"],
    ["incidents", "device:a tag=x device:b tag=y", "(device[device:a tag=x] device[device:b tag=y])"],
    ["incidents", "device:a -device:b", "(device[device:a] not device[device:b])"],
    ["incidents", "tag=x tag=y", "device[tag=x tag=y]"],
    [
      "flows",
      "(device:a or owner:a) (device:b or owner:b)",
      "(device[device:a or owner:a] device[device:b or owner:b])",
    ],
    [
      "flows",
      "device.type=printer device.type=server",
      "(device[device.type=printer] device[device.type=server])",
    ],
    ["flows", "device.score>40 device.score<60", "device[device.score>40 device.score<60]"],
    ["devices", "device:a device:b", "(device:a device:b)"],
    // Bare words are looked for in the fields of their type.
    ["flows", ":443", "port:443"],
    ["devices", ":443", "flow[port:443]"],
    ["flows", "10.1", "ip:10.1.0.0/16"],
    ["devices", "10.0.0.1", "(device.ip:10.0.0.1 or flow[ip:10.0.0.1 or dns.answer:10.0.0.1])"],
    ["devices", "printer", "(device:printer or device.type:printer or owner:printer or tag:printer)"],
    ["devices", "-printer", "not (device:printer or device.type:printer or owner:printer or tag:printer)"],
    ["flows", "AS13335", "asn:AS13335"],
  ];
  for (const [kind, text, expected] of cases) assert.equal(grouped(text, kind), expected, `${kind} ${text}`);
});

Deno.test("filter: what holds of a related row has fields of that row only, and no `not`", () => {
  const own = { flows: "flow", devices: "device", incidents: "incident" };
  fc.assert(
    fc.property(conditions(), fc.constantFrom(...RESULT_KINDS), (condition, kind) => {
      const visit = (part: Grouped): void => {
        if ("some" in part) {
          assert.notEqual(part.some, own[kind]);
          assert.deepEqual(leavesOf(part.where).filter(({ field }) => FIELDS[field].owner !== part.some), []);
          assert.ok(!hasNot(part.where));
        } else if ("all" in part) part.all.forEach(visit);
        else if ("any" in part) part.any.forEach(visit);
        else if ("not" in part) visit(part.not);
        else {
          assert.notEqual(part.field, "any");
          assert.ok([own[kind], "all"].includes(FIELDS[part.field].owner));
        }
      };
      visit(groupCondition(condition, kind));
    }),
    { numRuns: scaled(300) },
  );
});

function hasNot(condition: Condition): boolean {
  if ("not" in condition) return true;
  if ("all" in condition) return condition.all.some(hasNot);
  return "any" in condition && condition.any.some(hasNot);
}
