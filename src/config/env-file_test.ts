import assert from "node:assert/strict";
import { parseEnvFile, withVariable } from "./env-file.ts";

const TEXT = `# Settings.
NDR_DATABASE_URL=postgres://ndr@/ndr?host=/run/postgresql
#NDR_PUBLIC_URL=https://ndr.example.org
  NDR_LOG_LEVEL = no assignment
NDR_TELEMETRY=on
NDR_TELEMETRY="off"
`;

Deno.test("ndr.env: the last assignment counts, quotes and escapes are those of systemd", () => {
  assert.deepEqual([...parseEnvFile(TEXT)], [
    ["NDR_DATABASE_URL", "postgres://ndr@/ndr?host=/run/postgresql"],
    ["NDR_TELEMETRY", "off"],
  ]);
  const values = parseEnvFile(
    String.raw`A="a \"b\" \\ \$c \x"
B='it is \ $x'
C=a\ b\\c
D=  spaced  ` + "\n",
  );
  assert.deepEqual(Object.fromEntries(values), {
    A: String.raw`a "b" \ $c \x`,
    B: String.raw`it is \ $x`,
    C: String.raw`a b\c`,
    D: "spaced",
  });
});

Deno.test("ndr.env: a variable is set where it stands, and everything else stays", () => {
  assert.equal(withVariable(TEXT, "NDR_TELEMETRY", "off"), TEXT);
  assert.equal(
    withVariable(TEXT, "NDR_TELEMETRY", "on"),
    TEXT.replace('NDR_TELEMETRY="off"', "NDR_TELEMETRY=on"),
  );
  assert.equal(
    withVariable(TEXT, "NDR_PUBLIC_URL", "https://a.example"),
    TEXT.replace("#NDR_PUBLIC_URL=https://ndr.example.org", "NDR_PUBLIC_URL=https://a.example"),
  );
  assert.equal(
    withVariable(TEXT, "NDR_OIDC_ISSUER", "https://b.example"),
    `${TEXT}NDR_OIDC_ISSUER=https://b.example\n`,
  );
  assert.equal(withVariable("A=1", "B", "2"), "A=1\nB=2");
});

Deno.test("ndr.env: every value of one line is read back as it was written", () => {
  for (const value of ["plain", "", "a b", `q"u'o\\te`, "$HOME `id`", "#hash", "ends with \\", " spaces "]) {
    assert.equal(
      parseEnvFile(withVariable(TEXT, "NDR_OIDC_CLIENT_SECRET", value)).get("NDR_OIDC_CLIENT_SECRET"),
      value,
    );
  }
  assert.throws(() => withVariable(TEXT, "A", "two\nlines"), TypeError);
});
