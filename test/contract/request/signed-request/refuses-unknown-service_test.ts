import { refuses, resigned, signed, withHeader } from "./support.ts";

refuses("a service with a malformed name", () => resigned(withHeader(signed(), "service", "ndr web")));
