import assert from "node:assert/strict";
import fc from "fast-check";
import { TITLE_LENGTH, titleLine, titlePart } from "./title-line.ts";

const LONG = "finance-department-workstation-with-a-long-name.branch-office.example.org";

Deno.test("title line: a short title is unchanged, with the names of its parts", () => {
  const part = titlePart`guesses passwords on ${"srv"} over ${"SSH"}`;
  assert.equal(
    titleLine`${"ws-5"} ${part}, and got in`,
    "ws-5 guesses passwords on srv over SSH, and got in",
  );
  assert.equal(titleLine`${27} new devices`, "27 new devices");
});

Deno.test("title line: the longest names are cut first, and addresses stay whole", () => {
  const line = titleLine`Long connection from ${LONG} to ${"203.0.113.7:4444"}, open for ${"11 h"}`;
  assert.equal(line, "Long connection from finance-department-work… to 203.0.113.7:4444, open for 11 h");
  assert.equal(titleLine`${"ws-5"} takes control of ${LONG} over ${"WinRM"}`.length, TITLE_LENGTH);
  const both = titleLine`${LONG} scans the ports of ${`x${LONG}`}`;
  assert.equal(both, "finance-department-workstatio… scans the ports of xfinance-department-workstati…");
});

Deno.test("title line: never longer than a line", () => {
  const any = fc.string({ maxLength: 300 });
  fc.assert(fc.property(any, any, any, (a, b, c) => {
    assert.ok(titleLine`TLS to ${a}: ${titlePart`${b} by ${c}`}, again`.length <= TITLE_LENGTH);
  }));
});
