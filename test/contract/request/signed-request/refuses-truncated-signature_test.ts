import { refuses, signed, withHeader } from "./support.ts";

const signature = async () => (await signed()).headers["X-NDR-Signature"]!;

refuses(
  "a signature that is cut short",
  async () => withHeader(signed(), "signature", (await signature()).slice(0, 63)),
);
refuses("an empty signature", () => withHeader(signed(), "signature", ""));
refuses(
  "a signature with something after it",
  async () => withHeader(signed(), "signature", await signature() + "0"),
);
