import { SIGNED_HEADERS } from "../../../../src/contract/request/signed-request.ts";
import { assertUnauthenticated, rawTest, signedLines, SITE, withLine } from "./raw.ts";

// Neither counts: they arrive as one text, which is not signed.
for (const name of Object.values(SIGNED_HEADERS)) {
  rawTest(`refuses ${name} twice, equal or not, in any spelling and order`, async (core) => {
    const lines = await signedLines(SITE);
    const own = lines.find((line) => line.startsWith(`${name}:`))!;
    const value = own.slice(name.length + 2);
    const again = [own, `${name.toLowerCase()}: ${value}`, `${name.toUpperCase()}: branch`, `${name}:`];
    for (const line of again) {
      for (const sent of [[...lines, line], [line, ...lines]]) {
        assertUnauthenticated(await core.ask(`GET ${SITE} HTTP/1.1`, sent), line);
      }
    }
    const list = withLine(lines, name, (line) => `${line}, ${value}`);
    assertUnauthenticated(await core.ask(`GET ${SITE} HTTP/1.1`, list), "as a list");
  });
}
