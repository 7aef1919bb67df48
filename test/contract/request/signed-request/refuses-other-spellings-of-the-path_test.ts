import assert from "node:assert/strict";
import { isExactTarget } from "../../../../src/core/inexact-request.ts";
import { assertUnauthenticated, rawTest, signedLines, SITE } from "./raw.ts";

// A URL resolves these to the signed path; SPEC signs the pathname as received.
rawTest("refuses a path that only resolves to the signed one", async (core) => {
  for (
    const path of [
      "/api/v1/x/../site",
      "/api/v1/x/%2e%2e/site",
      "/api/v1/x/%2E./site",
      "/api/v1/./site",
      "/api/v1/%2e/site",
      "/../api/v1/site",
      "/api/v1/%73ite",
      "/api/v1/site#part",
      "http://127.0.0.1/api/v1/site",
      "http://elsewhere.example/api/v1/site",
      "https://elsewhere.example/api/v1/site",
    ]
  ) {
    assertUnauthenticated(await core.ask(`GET ${path} HTTP/1.1`, await signedLines(SITE)), path);
  }
});

rawTest("refuses a path with `..`, although signed as it is", async (core) => {
  for (const path of ["/api/v1/x/../site", "/api/v1/x/%2e%2e/site", "//api/v1/site"]) {
    assertUnauthenticated(await core.ask(`GET ${path} HTTP/1.1`, await signedLines(path)), path);
  }
});

// The OpenAPI document lists all routes, so their existence is no secret. Claims do not matter here.
rawTest("an unknown path is not_found, whatever the claims", async (core) => {
  for (
    const path of ["/api/v1/site/", "/api/v1//site", "/api/v1/site%2f", "/api/v1%2fsite", "/API/v1/site"]
  ) {
    for (const headers of [await signedLines(path), await signedLines(SITE), []]) {
      const answer = await core.ask(`GET ${path} HTTP/1.1`, headers);
      assert.equal(answer.status, 404, path);
      assert.equal(JSON.parse(answer.body).error.code, "not_found");
    }
  }
});

rawTest("an encoded slash stays in its segment and is signed as it is", async (core) => {
  const path = "/api/v1/devices/a%2fsite";
  const answer = await core.ask(`GET ${path} HTTP/1.1`, await signedLines(path));
  assert.deepEqual(JSON.parse(answer.body).data.params, { device_id: "a/site" });
  for (const other of ["/api/v1/devices/a%2Fsite", "/api/v1/devices/%61%2fsite"]) {
    assertUnauthenticated(await core.ask(`GET ${other} HTTP/1.1`, await signedLines(path)), other);
  }
});

Deno.test("an exact target is a path that a URL does not normalise", () => {
  for (const good of ["/", "/api/v1/site", "/a%2fb?x=/../y", "/a?", "/a?b='c'&d=%zz", "/~a;b=c@:$!*()+,"]) {
    assert.ok(isExactTarget(good), good);
  }
  for (
    const bad of [
      "",
      "*",
      "//",
      "//a",
      "/a/..",
      "/.",
      "/%2E",
      "/a b",
      "/a#b",
      "/a\\b",
      "http://a/",
      "a:80",
      "/ä",
    ]
  ) {
    assert.ok(!isExactTarget(bad), bad);
  }
});
