import assert from "node:assert/strict";
import { printCondition } from "../../../contract/filter/printer.ts";
import { ApiError } from "../../../contract/request/errors.ts";
import type { HandlerDeps } from "../deps.ts";
import { interpret } from "./interpret.ts";

const NOW = Date.UTC(2026, 0, 31, 10) * 1000;

function understood(query: string) {
  return interpret({ tenants: new Map() }, "main", { query, mode: "auto", zone: "UTC" }, NOW);
}

Deno.test("a text that begins as the search language is not read as a question", () => {
  const unfinished = [
    "src.ip:",
    "dst.port:",
    "dns.query:",
    "tls.version:",
    "dst.port:..",
    "owner:",
    "service: dns and",
  ];
  for (const query of unfinished) {
    const isRefused = (error: unknown) =>
      error instanceof ApiError && error.code === "invalid_request" &&
      error.details?.reason === "invalid_filter";
    assert.throws(() => understood(query), isRefused, query);
  }
  assert.equal(understood("connections at 9:30").interpretation, "natural");
});

Deno.test("a single word that has a meaning is understood, not searched for", () => {
  const words: Record<string, string[]> = {
    beacons: ["natural", "incidents", "detector:(beacon, beacon-name)"],
    scans: ["natural", "incidents", "detector=scan"],
    critical: ["natural", "incidents", "severity=critical"],
    printers: ["natural", "devices", "device.type=printer"],
    incidents: ["natural", "incidents", ""],
    nashua: ["field", "flows", "nashua"],
    "10.0.0.5": ["field", "flows", "10.0.0.5"],
    "example.com": ["field", "flows", "example.com"],
  };
  for (const [query, expected] of Object.entries(words)) {
    const { interpretation, filter: { kind, where } } = understood(query);
    assert.deepEqual([interpretation, kind, printCondition(where)], expected, query);
  }
});

Deno.test("a comparison beside the words of a question is read with them, or the words are noted", () => {
  const texts: Record<string, [string, string, string?]> = {
    "devices with risk > 70": ["natural", "device.score>70"],
    "flows from 10.0.0.5 with bytes > 5MB": ["natural", "src.ip:10.0.0.5 bytes>5MB"],
    "flows where bytes > 1 GB and port 443": ["natural", "bytes>1GB dst.port:443"],
    "status:open incidents": ["field", "status:open incidents", 'Searched for "incidents" as text'],
    "src.ip:10.0.0.5 scranton": ["field", "src.ip:10.0.0.5 scranton"],
    'src.ip:10.0.0.5 "with"': ["field", "src.ip:10.0.0.5 with"],
  };
  for (const [query, [interpretation, text, note]] of Object.entries(texts)) {
    const found = understood(query);
    assert.deepEqual(
      [found.interpretation, printCondition(found.filter.where)],
      [interpretation, text],
      query,
    );
    const noted = found.warnings.find((one) => one.startsWith("Searched for"));
    assert.equal(noted?.slice(0, note?.length), note, query);
  }
});

Deno.test("a declined sentence names the words it does not understand, not the grammar of the search language", () => {
  for (const query of ["which frobs were seen at 8:00, today", "show the zorps with a -> b"]) {
    assert.match(understood(query).warnings[0]!, /^Not understood: .*Searched for the words/, query);
  }
});

Deno.test("a single word that is a name is looked for everywhere", () => {
  const known = { names: ["NASHUA"], people: [] };
  const question = { query: "nashua", mode: "auto" as const, zone: "UTC" };
  const { interpretation, filter } = interpret({ tenants: new Map() }, "main", question, NOW, known);
  assert.deepEqual([interpretation, filter.kind], ["field", "flows"]);
});

Deno.test("words that are no question are searched for, with the nearest question", () => {
  const { warnings: [warning] } = understood("frob zorps yesterday");
  assert.match(
    warning!,
    /^Not understood: "frob", "zorps"\. Searched for the words\. A question that works: "/,
  );
});

Deno.test("words are searched for among what the question asks for, in its time and all of them", () => {
  const texts: Record<string, [string, string, boolean]> = {
    "frob or zorp incidents yesterday": ["incidents", "frob zorp", true],
    "which devices are frobbed, please": ["devices", "frobbed", false],
    "flows more frobbed than zorped since monday": ["flows", "frobbed zorped", true],
    "how zorped is 10.0.0.5": ["flows", "zorped 10.0.0.5", false],
  };
  for (const [query, [kind, text, hasTime]] of Object.entries(texts)) {
    const { filter, interpretation } = understood(query);
    assert.deepEqual(
      [interpretation, filter.kind, printCondition(filter.where)],
      ["field", kind, text],
      query,
    );
    assert.equal(filter.window !== null, hasTime, query);
  }
});

Deno.test("the names of a site's VLANs are known", () => {
  const site = { vlans: [{ name: "Guests" }, { name: "Server LAN" }, { name: "Printers" }] };
  const tenants = new Map([["main", { site }]]) as unknown as HandlerDeps["tenants"];
  const questions: Record<string, string> = {
    "guests' dns traffic": "vlan:Guests service:dns",
    "traffic in the guests vlan": "vlan:Guests",
    "devices in the server lan network": 'device.vlan:"Server LAN"',
    // A name that is also a type of device needs the noun.
    "printers in vlan 20": "device.type=printer device.vlan:20",
    "devices in the printers vlan": "device.vlan:Printers",
  };
  for (const [query, expected] of Object.entries(questions)) {
    const { filter } = interpret({ tenants }, "main", { query, mode: "natural", zone: "UTC" }, NOW);
    assert.equal(printCondition(filter.where), expected, query);
  }
});
