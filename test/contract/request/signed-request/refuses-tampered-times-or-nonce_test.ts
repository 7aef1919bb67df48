import { refuses, resigned, signed, withHeader } from "./support.ts";

refuses("another issue time", () => withHeader(signed(), "issuedAt", "2026-01-31T07:15:01.000Z"));
refuses("another expiry", () => withHeader(signed(), "expiresAt", "2026-01-31T07:15:59.000Z"));
refuses("another nonce", () => withHeader(signed(), "nonce", "AAAAAAAAAAAAAAAAAAAAAA"));
refuses(
  "a time in another form, signed",
  () => resigned(withHeader(signed(), "issuedAt", "2026-01-31T07:15:00Z")),
);
refuses(
  "a date that does not exist, signed",
  () => resigned(withHeader(signed(), "issuedAt", "2026-02-30T07:15:00.000Z")),
);
refuses("a short nonce, signed", () => resigned(withHeader(signed(), "nonce", "abc")));
