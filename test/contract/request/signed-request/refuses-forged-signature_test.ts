import { refuses, signed, withHeader } from "./support.ts";

refuses("a signature under another key", () => signed({}, "another key of another installation"));
refuses("a signature of zeros", () => withHeader(signed(), "signature", "0".repeat(64)));
refuses(
  "a signature in upper case",
  async () => withHeader(signed(), "signature", (await signed()).headers["X-NDR-Signature"]!.toUpperCase()),
);
