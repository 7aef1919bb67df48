import { refuses, signed, withHeader } from "./support.ts";

refuses("another subject", () => withHeader(signed(), "subject", "bob"));
