import { SIGNED_HEADERS } from "../../../../src/contract/request/signed-request.ts";
import { refuses, signed, withHeader } from "./support.ts";

for (const name of Object.keys(SIGNED_HEADERS) as (keyof typeof SIGNED_HEADERS)[]) {
  refuses(`a request without ${SIGNED_HEADERS[name]}`, () => withHeader(signed(), name, null));
}
