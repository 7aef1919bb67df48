import { refuses, resigned, signed, withHeader } from "./support.ts";

refuses("a role more", () => withHeader(signed(), "roles", "admin,analyst,reader"));
refuses("no roles", () => withHeader(signed(), "roles", ""));
// Only the canonical form is accepted, so that a value is never read in two ways.
refuses("roles in another order, signed", () => resigned(withHeader(signed(), "roles", "reader,analyst")));
refuses("a role twice, signed", () => resigned(withHeader(signed(), "roles", "analyst,analyst")));
refuses("an unknown role, signed", () => resigned(withHeader(signed(), "roles", "analyst,root")));
refuses("roles with white space, signed", () => resigned(withHeader(signed(), "roles", "analyst, reader")));
