// The log and the audit name the reason of a sign-in that gives no access; the page does not.

import assert from "node:assert/strict";
import { AccessPolicy } from "../../../src/config/access.ts";
import { type LogFields, silentLogger } from "../../../src/observe/log.ts";
import { entriesOf, NOBODY } from "../../contract/session/audit.ts";
import { testStack } from "./web-stack.ts";

interface Case {
  name: string;
  subject?: string;
  /** A rule that does not match. */
  claim?: string;
  /** The tenant in which the only rule gives a role. */
  tenant?: string;
  /** Whether access.yaml of the web layer knows this tenant. */
  knownToWeb?: boolean;
  page: RegExp;
  reason: RegExp;
}

const CASES: Case[] = [
  {
    name: "an unusable subject",
    subject: "ada\nadmin",
    tenant: "main",
    page: /This account cannot be used/,
    reason: /^the subject \(claim sub\) is not 1 to 255 characters without control or invisible characters/,
  },
  { name: "access without a rule", page: /No access/, reason: /^access.yaml has no rules$/ },
  {
    name: "a claim with other values",
    claim: "groups",
    page: /No access/,
    reason: /^no rule of access.yaml matches the claims of this person. groups: in the token, but without a/,
  },
  {
    name: "a claim that is not in the token",
    claim: "roles",
    page: /No access/,
    reason: /^no rule of access.yaml matches the claims of this person. roles: not in the ID token$/,
  },
  {
    name: "a role in a tenant that the web layer does not know",
    tenant: "lab",
    page: /No access/,
    reason: /^access.yaml gives roles only in tenants that are not configured: lab$/,
  },
  {
    name: "a role in a tenant that the core does not have",
    tenant: "lab",
    knownToWeb: true,
    page: /No access/,
    reason: /^access.yaml gives roles only in tenants that are not configured: lab$/,
  },
];

for (const { name, subject = "analyst", claim, tenant, knownToWeb, page, reason } of CASES) {
  const warnings: LogFields[] = [];
  const logger = {
    ...silentLogger,
    warn: (message: string, fields: LogFields = {}) => void warnings.push({ message, ...fields }),
  };
  testStack(`no access: log and audit name ${name}`, async (stack) => {
    const matching = tenant === undefined
      ? []
      : [{ claim: "sub", value: subject, tenant, roles: ["analyst"] }] as const;
    const other = claim === undefined
      ? []
      : [{ claim, value: "soc", tenant: "main", roles: ["analyst"] }] as const;
    stack.policy = new AccessPolicy([...matching, ...other]);
    if (knownToWeb) stack.tenants.set("lab", "Lab");
    const browser = stack.browser();
    const { response } = await browser.visit("/auth/login?login_hint=analyst");
    assert.equal(response.status, 403);
    assert.match(await response.text(), page);
    assert.equal(browser.cookie("ndr-session"), undefined);

    const logged = warnings.filter(({ message }) => message === "sign-in without access");
    assert.equal(logged.length, 1);
    assert.match(String(logged[0]!.reason), reason);
    const [entry, ...more] = await entriesOf(stack.db, NOBODY);
    assert.deepEqual(more, []);
    assert.equal(`${entry!.operation} ${entry!.outcome}`, "signIn refused");
    assert.match(entry!.reason ?? "", reason);
  }, { logger, subjectOf: (account) => account === "analyst" ? subject : account });
}
