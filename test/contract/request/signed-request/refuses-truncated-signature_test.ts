import { refuses, signed, withHeader } from "./support.ts";

const signature = () => signed().headers["X-NDR-Signature"]!;

refuses("a signature that is cut short", () => withHeader(signed(), "signature", signature().slice(0, 63)));
refuses("an empty signature", () => withHeader(signed(), "signature", ""));
refuses("a signature with something after it", () => withHeader(signed(), "signature", signature() + "0"));
