import assert from "node:assert/strict";
import { parse } from "@std/yaml";
import { withEntry, withList } from "./yaml-edit.ts";

const ACCESS = `# Who may do what.
rules:
  # The operators.
  - { claim: groups, value: ndr-admins, tenant: main, roles: [admin] }  # ours
  - claim: groups
    value: soc   # the analysts
    tenant: main
    roles:
      - analyst

# The end.
`;
const RULE = { claim: "sub", value: "1: x", tenant: "main", roles: ["admin", "analyst"] };

Deno.test("an entry is added behind the last one, and every other line stays", () => {
  const line = `  - { claim: sub, value: "1: x", tenant: main, roles: [admin, analyst] }`;
  assert.equal(
    withEntry(ACCESS, "rules", RULE),
    ACCESS.replace("      - analyst\n", `      - analyst\n${line}\n`),
  );
  assert.equal(withEntry("rules:\n- {a: b}", "rules", { a: "on" }), `rules:\n- {a: b}\n- { a: "on" }\n`);
});

Deno.test("an entry is added to a list that is empty, missing or in flow form", () => {
  for (
    const text of [
      "",
      "# only a comment\n",
      "rules:\n",
      "rules: []\n",
      "other: 1\n",
      "rules: [{ a: 1 }] # mine\n",
    ]
  ) {
    const after = withEntry(text, "rules", RULE);
    assert.deepEqual(parse(after).rules.at(-1), RULE, after);
    for (const comment of text.match(/# .*/g) ?? []) assert.ok(after.includes(comment), after);
  }
});

const AT = { listKey: "sites", idKey: "tenant_id", id: "main", key: "networks" };
const NETWORKS = ["10.0.0.0/8", "2001:db8::/48"];
const FLOW = `[10.0.0.0/8, "2001:db8::/48"]`;

Deno.test("a list is set where the entry has it, also commented out", () => {
  const site = (line: string) =>
    `# Ours.
sites:
  - tenant_id: branch
    # networks: [192.168.0.0/16]
  - tenant_id: main # the head office
    display_name: Main
${line}    # vlans: []
`;
  const wanted = site(`    networks: ${FLOW}\n`);
  assert.equal(withList(site(`    # networks: [10.0.0.0/8, "2001:db8:20::/48"]\n`), AT, NETWORKS), wanted);
  assert.equal(withList(site(`    networks: [10.1.0.0/16]\n`), AT, NETWORKS), wanted);
  assert.equal(withList(wanted, AT, NETWORKS), wanted);
  assert.equal(
    withList(site(""), AT, NETWORKS),
    site("").replace("# the head office\n", `# the head office\n    networks: ${FLOW}\n`),
  );
});

Deno.test("a list is set in an entry of any form, and nothing is guessed without one", () => {
  for (
    const text of [
      "sites: [{ tenant_id: main, display_name: x }]\n",
      "sites:\n  - { tenant_id: main, display_name: x } # c\n",
      "sites:\n  - tenant_id: main\n    networks:\n      - 10.1.0.0/16 # old\n    display_name: x\n",
      "sites:\n  - display_name: x\n    tenant_id: main",
    ]
  ) {
    const after = withList(text, AT, NETWORKS)!;
    assert.deepEqual(
      parse(after),
      { sites: [{ tenant_id: "main", display_name: "x", networks: NETWORKS }] },
      after,
    );
  }
  for (const text of ["", "sites:\n", "sites:\n  - tenant_id: branch\n"]) {
    assert.equal(withList(text, AT, NETWORKS), null);
  }
});
