import assert from "node:assert/strict";
import { osOf } from "./os-release.ts";

const of = (text: string | null) => {
  const { id, versionMajor } = osOf(text);
  return `${id} ${versionMajor}`;
};

Deno.test("well-known distributions are reported by name and major version", () => {
  assert.equal(of('PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_ID="12"\nID=debian\n'), "debian 12");
  assert.equal(of('NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\n'), "ubuntu 24");
  assert.equal(of("ID='rhel'\r\nVERSION_ID='9.4'\r\n"), "rhel 9");
  assert.equal(of('ID="amzn"\nVERSION_ID="2023"'), "amzn 2023");
  assert.equal(of("ID=alpine\nVERSION_ID=3.21.2\n"), "alpine 3");
  assert.equal(of('ID="opensuse-leap"\nVERSION_ID="15.6"'), "opensuse-leap 15");
});

Deno.test("a rolling release has no version", () => {
  assert.equal(of("ID=arch\nBUILD_ID=rolling\n"), "arch unknown");
  assert.equal(of("ID=debian\nVERSION_CODENAME=sid\n"), "debian unknown");
});

Deno.test("without a file or without ID nothing is known", () => {
  assert.equal(of(null), "unknown unknown");
  assert.equal(of(""), "unknown unknown");
  assert.equal(of("VERSION_ID=12\n"), "unknown unknown");
  assert.equal(of('ID=""\nVERSION_ID=12\n'), "unknown unknown");
});

Deno.test("a custom name becomes `other`, without its version", () => {
  assert.equal(of("ID=examplecorp-gateway\nID_LIKE=debian\nVERSION_ID=7\n"), "other unknown");
  assert.equal(of("ID=fw01.corp.example.com\n"), "other unknown");
  assert.equal(of("ID=debian fw01\n"), "other unknown");
  assert.equal(of("ID=DEBIAN\n"), "other unknown");
});

Deno.test("a version that is not one to three plain numbers is not reported", () => {
  for (const version of ["10.1.2.3", "12-fw01", "v12", "-1", "12345", "1e3", "12.", "::1", "٣", "12 fw01"]) {
    assert.equal(of(`ID=debian\nVERSION_ID="${version}"\n`), "debian unknown", version);
  }
});

Deno.test("comments and other names are ignored, and the last assignment wins", () => {
  assert.equal(
    of("#ID=ubuntu\nMY_ID=ubuntu\n ID=ubuntu\nID=fedora\nID=debian\nVERSION_ID=12\n"),
    "debian 12",
  );
});
