// `ndr users`: who may do what, by which rule of access.yaml.

import process from "node:process";
import { Command, InvalidArgumentError } from "commander";
import { ACCESS_FILE, type AccessPolicy, claimName, NESTED, readAccess } from "../config/access.ts";
import { DEFAULT_CONFIG_DIR } from "../config/environment.ts";
import { Faults } from "../config/yaml/faults.ts";
import { messageOf } from "../kit/errors.ts";
import { installedInput } from "../config/installed-input.ts";
import { printable, textTable } from "./table.ts";

const HELP = `
Without a subject it lists the rules of access.yaml in NDR_CONFIG_DIR (/etc/ndr): people whose sign-in has VALUE in CLAIM
get ROLES in TENANT. With a subject it decides about a person with these claims as the sign-in does, rule by rule. --group
is a value of the claim groups; --claim stands for any other, such as realm_access.roles or "realm > roles". Rules apply
together; a change of the file applies after systemctl reload ndr-web, also to people who are signed in.

Exit status: 0; 1 if the person gets nothing, or the file has a fault.

Examples:
  sudo -u ndr ndr users
  sudo -u ndr ndr users alice --group ndr-analysts --group staff
  sudo -u ndr ndr users alice --claim email=alice@example.org --json | jq .grants
`;

interface Flags {
  group?: string[];
  claim?: Claim[];
  json?: boolean;
}

interface Claim {
  name: string;
  value: string;
}

type Claims = Record<string, unknown>;

/** The subcommand; sets the process's exit status and never exits itself. */
export function usersCommand(): Command {
  return new Command("users")
    .description("list who may do what, by which rule of access.yaml")
    .argument("[subject]", "the sub claim of a person")
    .option(
      "--group <value>",
      "a group of the person; may be repeated",
      (text, before: string[] = []) => [...before, text],
    )
    .option("--claim <name=value>", "another claim of the person; may be repeated", claims)
    .option("--json", "one JSON object")
    .addHelpText("after", HELP)
    .action((subject: string | undefined, flags: Flags) => {
      try {
        const policy = installedPolicy();
        process.exitCode = subject === undefined ? listRules(policy, flags) : decide(policy, subject, flags);
      } catch (error) {
        messageOf(error).split("\n").forEach(say);
        process.exitCode = 1;
      }
    });
}

/** @throws ConfigError with the faults of access.yaml */
function installedPolicy(): AccessPolicy {
  const input = installedInput();
  const configDir = input.env("NDR_CONFIG_DIR") || DEFAULT_CONFIG_DIR;
  const faults = new Faults();
  const policy = readAccess(input, configDir, faults);
  faults.throwIfAny();
  if (policy === null) throw new Error(`there is no ${configDir}/${ACCESS_FILE}: no one has access`);
  return policy;
}

function listRules({ rules }: AccessPolicy, { group = [], claim = [], json }: Flags): number {
  if (group.length + claim.length > 0) throw new Error("expected a subject before --group and --claim");
  if (json) {
    print([JSON.stringify({ rules })]);
    return 0;
  }
  if (rules.length === 0) say("access.yaml has no rules: no one has access");
  const rows = rules.map((rule, index) => [
    String(index + 1),
    claimName(rule.claim),
    rule.value,
    rule.tenant,
    rule.roles.join(", "),
  ]);
  const columns = process.stdout.isTTY ? process.stdout.columns ?? null : null;
  print(textTable([["RULE", "CLAIM", "VALUE", "TENANT", "ROLES"], ...rows], columns));
  return 0;
}

function decide(policy: AccessPolicy, subject: string, { group = [], claim = [], json }: Flags): number {
  const person = claimsOf(subject, group, claim);
  const grants = policy.grantsFor(person);
  const reasons = policy.reasonsFor(person);
  const status = grants.length === 0 ? 1 : 0;
  if (json) {
    const rules = policy.rules.map((rule, index) => ({
      ...rule,
      matches: reasons[index] === null,
      reason: reasons[index],
    }));
    print([JSON.stringify({ claims: person, grants, rules })]);
    return status;
  }
  const lines = policy.rules.flatMap(({ claim, value, tenant, roles }, index) => {
    const reason = reasons[index] ?? null;
    const decision = reason === null ? "yes" : "no ";
    const rule = `${decision}  rule ${index + 1}: ${claimName(claim)} = ${value} gives ${
      roles.join(", ")
    } in ${tenant}`;
    return reason === null ? [rule] : [rule, `     ${claimName(claim)}: ${reason}`];
  });
  const result = grants.map(({ tenant_id, roles }) => `${subject} is ${roles.join(", ")} in ${tenant_id}`);
  print([...lines, "", ...status === 0 ? result : [`${subject} has no access`]].map(printable));
  return status;
}

/** The claims of a sign-in; a name with several values is a list. */
function claimsOf(subject: string, groups: readonly string[], others: readonly Claim[]): Claims {
  const person: Claims = { sub: subject };
  if (groups.length > 0) person.groups = [...groups];
  for (const [name, values] of Map.groupBy(others, ({ name }) => name)) {
    const keys = name.split(NESTED);
    const last = keys.pop()!;
    let inner = person;
    for (const key of keys) inner = (inner[key] ??= {}) as Claims;
    inner[last] = values!.length === 1 ? values![0]!.value : values!.map(({ value }) => value);
  }
  return person;
}

function claims(text: string, before: Claim[] = []): Claim[] {
  const [, name, value] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError(
      `expected a claim and its value, such as email=alice@example.org, got "${text}"`,
    );
  }
  return [...before, { name, value }];
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}

function say(text: string): void {
  process.stderr.write(`ndr users: ${text}\n`);
}
