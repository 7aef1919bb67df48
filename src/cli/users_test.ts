import assert from "node:assert/strict";
import { callNdr } from "../../test/support/command.ts";
import { withInstallation } from "../../test/support/config/installation.ts";

const RULES = `rules:
  - { claim: groups, value: soc, tenant: main, roles: [admin, analyst] }
  - { claim: groups, value: soc, tenant: branch, roles: [reader] }
  - { claim: sub, value: alice, tenant: main, roles: [responder] }
  - { claim: [realm, roles], value: ndr, tenant: branch, roles: [analyst] }
`;

Deno.test("ndr users: the rules, and what a person gets by which of them", () =>
  withInstallation(async ({ folder, env }) => {
    await Deno.writeTextFile(`${folder}/access.yaml`, RULES);
    const all = await callNdr(["users"], env);
    assert.equal(all.code, 0, all.stderr);
    assert.deepEqual(all.stdout.trimEnd().split("\n").map((line) => line.split(/ {2,}/)), [
      ["RULE", "CLAIM", "VALUE", "TENANT", "ROLES"],
      ["1", "groups", "soc", "main", "admin, analyst"],
      ["2", "groups", "soc", "branch", "reader"],
      ["3", "sub", "alice", "main", "responder"],
      ["4", "realm > roles", "ndr", "branch", "analyst"],
    ]);

    const alice = await callNdr(["users", "alice", "--group", "staff", "--group", "SOC"], env);
    assert.equal(alice.code, 0, alice.stderr);
    const spelling =
      "groups: a value differs from the one in access.yaml only in upper and lower case or in spaces at its ends";
    assert.equal(
      alice.stdout,
      `no   rule 1: groups = soc gives admin, analyst in main
     ${spelling}
no   rule 2: groups = soc gives reader in branch
     ${spelling}
yes  rule 3: sub = alice gives responder in main
no   rule 4: realm > roles = ndr gives analyst in branch
     realm > roles: not in the ID token

alice is responder in main
`,
    );

    const json = await callNdr(
      [
        "users",
        "bob",
        "--group",
        "soc",
        "--claim",
        "realm > roles=ndr",
        "--claim",
        "realm > roles=x",
        "--json",
      ],
      env,
    );
    assert.equal(json.code, 0, json.stderr);
    const { claims, grants, rules } = JSON.parse(json.stdout);
    assert.deepEqual(claims, { sub: "bob", groups: ["soc"], realm: { roles: ["ndr", "x"] } });
    assert.deepEqual(grants, [
      { tenant_id: "branch", roles: ["analyst", "reader"] },
      { tenant_id: "main", roles: ["admin", "analyst"] },
    ]);
    assert.deepEqual(rules.map(({ matches }: { matches: boolean }) => matches), [true, true, false, true]);
  }));

Deno.test("ndr users: no access and faults end with status 1", () =>
  withInstallation(async ({ folder, env }) => {
    const stranger = await callNdr(["users", "mallory"], env);
    assert.equal(stranger.code, 1);
    assert.match(stranger.stdout, /\nmallory has no access\n$/);
    const lost = await callNdr(["users", "--group", "ndr-admins"], env);
    assert.deepEqual([lost.code, lost.stdout], [1, ""]);
    assert.match(lost.stderr, /expected a subject before --group and --claim/);
    const odd = await callNdr(["users", "alice", "--claim", "email"], env);
    assert.match(odd.stderr, /expected a claim and its value, such as email=alice@example\.org, got "email"/);

    await Deno.writeTextFile(`${folder}/access.yaml`, "rules: [{ claim: groups }]\n");
    const faulty = await callNdr(["users"], env);
    assert.deepEqual([faulty.code, faulty.stdout], [1, ""]);
    assert.match(faulty.stderr, /access\.yaml:1:\d+: rules\[0\]/);
    await Deno.remove(`${folder}/access.yaml`);
    assert.match((await callNdr(["users"], env)).stderr, /there is no \S+access\.yaml: no one has access/);
  }));
