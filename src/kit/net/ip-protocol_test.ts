import assert from "node:assert/strict";
import { protocolKeyword, protocolNumber } from "./ip-protocol.ts";

Deno.test("protocols are known by keyword, alias and number", () => {
  const cases: [string, number | null][] = [
    ["tcp", 6],
    ["UDP", 17],
    ["IPv6-ICMP", 58],
    ["icmp6", 58],
    ["icmp", 1],
    ["sctp", 132],
    ["0", 0],
    ["255", 255],
    ["047", 47],
    ["256", null],
    ["-1", null],
    ["", null],
    ["unknown_transport", null],
  ];
  for (const [text, number] of cases) assert.equal(protocolNumber(text), number, text);
});

Deno.test("a number's keyword leads back to it", () => {
  for (let number = 0; number < 256; number++) assert.equal(protocolNumber(protocolKeyword(number)), number);
  assert.equal(protocolKeyword(6), "tcp");
  assert.equal(protocolKeyword(58), "ipv6-icmp");
  assert.equal(protocolKeyword(253), "253");
});
