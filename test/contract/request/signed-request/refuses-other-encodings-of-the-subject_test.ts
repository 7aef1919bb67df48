import assert from "node:assert/strict";
import { refuses, resigned, signed, verify, withHeader } from "./support.ts";

const QUERY = "a=1&b=2";

Deno.test("signed request: a subject beyond ASCII is signed as UTF-8 and sent percent-encoded", async () => {
  const arrived = await signed({ subject: "Zoë" });
  assert.equal(arrived.headers["X-NDR-Subject"], "UTF-8''Zo%C3%AB");
  assert.equal((await verify(arrived))?.subject, "Zoë");
  assert.deepEqual(await resigned(arrived, QUERY, "Zoë"), arrived, "the payload has the decoded subject");
});

refuses(
  "another subject, encoded",
  () => withHeader(signed({ subject: "Zoë" }), "subject", "UTF-8''Zo%C3%AA"),
);
refuses("the header's form of the subject in the payload", () => resigned(signed({ subject: "Zoë" })));
refuses(
  "an encoded subject for the ASCII subject that spells it",
  () => withHeader(signed({ subject: "Zo%C3%AB" }), "subject", "UTF-8''Zo%C3%AB"),
);

for (
  const [header, subject] of [
    ["UTF-8''zo%c3%ab", "zoë"],
    ["UTF-8''zoë", "zoë"],
    ["UTF-8''%61da", "ada"],
    ["UTF-8''ada", "ada"],
    ["utf-8''zo%C3%AB", "zoë"],
    ["UTF-8'en'zo%C3%AB", "zoë"],
    ["UTF-8''%C3%AB%0Aadmin", "ë\nadmin"],
    ["UTF-8''%C3%AB%C2%85", "ë\u0085"],
    ["UTF-8''%C3%AB%E2%80%A8x", "ë\u2028x"],
    ["UTF-8''%C3%AB%E2%80%AEx", "ë\u202ex"],
    ["UTF-8''%C3%AB%20", "ë "],
    ["UTF-8''%00%C3%AB", "\0ë"],
    ["UTF-8''%C3", "\ufffd"],
    ["UTF-8''%C0%AF", "/"],
    ["UTF-8''%ED%A0%80", "\ufffd"],
    ["UTF-8''%", "%"],
    ["UTF-8''", ""],
    ["UTF-8''" + "%C3%AB".repeat(256), "ë".repeat(256)],
  ] as const
) {
  refuses(
    `the subject ${header.slice(0, 30)}, signed`,
    () => resigned(withHeader(signed(), "subject", header), QUERY, subject),
  );
}
