import { refuses, signed, withHeader } from "./support.ts";

refuses("another tenant", () => withHeader(signed(), "tenant", "branch"));
refuses("no tenant", () => withHeader(signed(), "tenant", ""));
