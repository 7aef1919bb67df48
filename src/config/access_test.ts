import assert from "node:assert/strict";
import { AccessPolicy, parseAccess } from "./access.ts";
import { Faults, formatFault } from "./yaml/faults.ts";

const POLICY = `
rules:
  - { claim: groups, value: soc, tenant: main, roles: [responder, analyst] }
  - { claim: groups, value: soc-lead, tenant: main, roles: [admin, analyst] }
  - { claim: groups, value: soc-lead, tenant: branch, roles: [reader] }
  - { claim: email, value: root@ndr.example, tenant: branch, roles: [admin] }
  - { claim: realm_access.roles, value: ndr, tenant: keycloak, roles: [reader] }
  - { claim: "https://ndr.example/roles", value: ndr, tenant: named, roles: [reader] }
`;

function grants(claims: Record<string, unknown>) {
  const faults = new Faults();
  const policy = parseAccess(POLICY, "access.yaml", faults);
  assert.deepEqual(faults.list, []);
  return policy.grantsFor(claims);
}

Deno.test("a claim value gives tenant and roles; rules add up", () => {
  assert.deepEqual(grants({ groups: ["soc", "staff"] }), [{
    tenant_id: "main",
    roles: ["analyst", "responder"],
  }]);
  assert.deepEqual(grants({ groups: ["soc-lead", "soc"], email: "root@ndr.example" }), [
    { tenant_id: "branch", roles: ["admin", "reader"] },
    { tenant_id: "main", roles: ["admin", "analyst", "responder"] },
  ]);
});

Deno.test("a claim may be one text, a nested member, or have dots in its name", () => {
  assert.deepEqual(grants({ groups: "soc-lead" }).length, 2);
  assert.deepEqual(grants({ realm_access: { roles: ["ndr"] } }), [{
    tenant_id: "keycloak",
    roles: ["reader"],
  }]);
  assert.deepEqual(grants({ "https://ndr.example/roles": ["ndr"] }), [{
    tenant_id: "named",
    roles: ["reader"],
  }]);
});

Deno.test("a list of keys reaches a claim below a key with dots", () => {
  const faults = new Faults();
  const policy = parseAccess(
    `rules:
  - { claim: [resource_access, ndr.example, roles], value: ndr, tenant: main, roles: [reader] }
`,
    "access.yaml",
    faults,
  );
  assert.deepEqual(faults.list, []);
  const main = [{ tenant_id: "main", roles: ["reader"] }];
  assert.deepEqual(policy.grantsFor({ resource_access: { "ndr.example": { roles: ["ndr"] } } }), main);
  assert.deepEqual(policy.grantsFor({ resource_access: { ndr: { example: { roles: ["ndr"] } } } }), []);
  assert.deepEqual(policy.grantsFor({ "resource_access.ndr.example.roles": ["ndr"] }), []);
});

Deno.test("a claim that is neither a name nor a list of keys is a fault with its place", () => {
  const list = "expected a claim name, or a list of 1 to 16 keys that lead to a nested claim";
  for (
    const [claim, expected] of [
      ["12", `access.yaml:2:14: rules[0].claim: ${list}`],
      ["[groups, 1]", `access.yaml:2:14: rules[0].claim: ${list}`],
      ["[]", "access.yaml:2:14: rules[0].claim: expected at least 1 entry"],
    ]
  ) {
    const faults = new Faults();
    parseAccess(
      `rules:
  - { claim: ${claim}, value: soc, tenant: main, roles: [reader] }
`,
      "access.yaml",
      faults,
    );
    assert.deepEqual(faults.list.map(formatFault), [expected]);
  }
});

Deno.test("values that do not match exactly give nothing", () => {
  for (
    const claims of [
      {},
      { groups: [] },
      { groups: ["SOC", "soc ", "so"] },
      { groups: "soc,staff" },
      { groups: [["soc"]] },
      { groups: { soc: true } },
      { groups: null },
      { Groups: ["soc"] },
      { realm_access: null },
      { realm_access: "roles" },
    ]
  ) {
    assert.deepEqual(grants(claims), [], JSON.stringify(claims));
  }
});

Deno.test("why no rule matches: by claim, the closest to a match first", () => {
  const one = [{ claim: "groups", value: "soc", tenant: "main", roles: ["reader"] }] as const;
  // As Entra ID sends it for a member of more than 200 groups.
  const overage = {
    _claim_names: { groups: "src1" },
    _claim_sources: { src1: { endpoint: "https://graph.windows.net/t/users/u/getMemberObjects" } },
  };
  for (
    const [claims, expected] of [
      [overage, /too many groups \(overage, Entra ID\)/],
      [{ hasgroups: true }, /too many groups/],
      [{ groups: [], ...overage }, /without a value/],
      [{}, /groups: not in the ID token$/],
      [{ _claim_names: { roles: "src1" } }, /groups: not in the ID token$/],
      [{ groups: ["SOC", "staff"] }, /upper and lower case/],
      [{ groups: " soc" }, /spaces/],
      [{ groups: "staff, soc" }, /must send a list/],
      [{ groups: { soc: true } }, /neither a text nor a list/],
      [{ groups: [["soc"]] }, /neither a text nor a list/],
      [{ groups: true }, /neither a text nor a list/],
      [{ groups: ["staff"] }, /without a value/],
    ] as const
  ) {
    assert.match(new AccessPolicy(one).mismatchOf(claims), expected);
  }
  assert.equal(
    parseAccess(POLICY, "access.yaml", new Faults()).mismatchOf({
      groups: ["secret project"],
      ...overage,
      email: "eve@ndr.example",
    }),
    "no rule of access.yaml matches the claims of this person. groups, email: in the token, but without a value of " +
      "access.yaml. realm_access.roles, https://ndr.example/roles: not in the ID token",
  );
  assert.equal(
    parseAccess("rules: []", "access.yaml", new Faults()).mismatchOf({}),
    "access.yaml has no rules",
  );
});

Deno.test("faults of access.yaml", () => {
  const faults = new Faults();
  parseAccess(
    `rules:
  - { claim: groups, value: soc, tenant: main, roles: [] }
  - { claim: groups, value: 12, tenant: "a b", roles: [root], role: x }
`,
    "access.yaml",
    faults,
  );
  assert.deepEqual(faults.list.map(formatFault), [
    "access.yaml:2:55: rules[0].roles: expected at least 1 entry",
    "access.yaml:3:29: rules[1].value: expected a text, not a number: put it in quotes",
    "access.yaml:3:41: rules[1].tenant: expected 1 to 64 letters, digits, dots, underscores or hyphens, " +
    "a letter or digit first",
    "access.yaml:3:56: rules[1].roles[0]: expected one of reader, analyst, responder, admin",
    "access.yaml:3:63: rules[1].role: unknown key, expected one of claim, value, tenant, roles",
  ]);
});
