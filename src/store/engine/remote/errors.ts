import { messageOf } from "../../../kit/errors.ts";
import { StoreUnavailable } from "../database.ts";
import { errorCode } from "../retry.ts";
import type { RemoteError } from "./messages.ts";

export function packError(error: unknown): RemoteError {
  const unavailable = error instanceof StoreUnavailable;
  const inner = unavailable ? error.cause : error;
  const { constraint } = inner as { constraint?: string };
  return { message: messageOf(inner), code: errorCode(inner), constraint, unavailable };
}

export function unpackError({ message, code, constraint, unavailable }: RemoteError): Error {
  const error = Object.assign(new Error(message), { code, constraint });
  return unavailable ? new StoreUnavailable(error) : error;
}
