import { ApiError } from "../contract/request/errors.ts";
import { constantTimeEqual } from "../kit/web-crypto.ts";

const CSRF_HEADER = "X-CSRF-Token";

/**
 * Throws `forbidden` unless a state-changing request comes from our own pages: browsers state the origin in
 * Origin and Sec-Fetch-Site, and only our pages can read the session's token.
 */
export async function checkCsrf(headers: Headers, publicUrl: string, expectedToken: string): Promise<void> {
  const origin = headers.get("origin");
  const site = headers.get("sec-fetch-site");
  if (origin !== null && origin !== publicUrl) throw refusal("the request comes from another origin");
  if (site !== null && site !== "same-origin") throw refusal("the request comes from another site");
  const token = headers.get(CSRF_HEADER);
  if (token === null || !await constantTimeEqual(token, expectedToken)) {
    throw refusal(`the header ${CSRF_HEADER} does not match the session`);
  }
}

function refusal(reason: string): ApiError {
  return new ApiError("forbidden", `Refused: ${reason}.`, { reason: "csrf" });
}
