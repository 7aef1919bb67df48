import type { AnswerOf, OperationId, RequestOf } from "../../contract/request/client.ts";
import { MAX_CLAIM_LIFETIME, signRequest, WEB_SERVICE } from "../../contract/request/signed-request.ts";
import type { Role } from "../../contract/record/kinds.ts";
import { type Route, ROUTES } from "../../contract/routes.ts";
import { messageOf } from "../../kit/errors.ts";
import { randomUuid } from "../../kit/id.ts";
import { requestTarget } from "../../kit/net/request-target.ts";
import { parseJson } from "../../kit/json/json.ts";
import type { SearchInstallation } from "./installation.ts";

/** A search is given up by the core much earlier. */
const ANSWER_MS = 60_000;

/** What is wrong, and where: from the body of an error. */
export interface Issue {
  path: string;
  message: string;
  /** In the query, UTF-16 units. */
  position?: { from: number; to: number };
  expected?: string[];
  suggestion?: string | null;
}

/** The core refused a request. */
export class Refused extends Error {
  override readonly name = "Refused";
  constructor(
    readonly status: number,
    message: string,
    readonly details: { reason?: string; issues?: Issue[]; suggestion?: string },
  ) {
    super(message);
  }
}

/** There is no core to ask, or it does not trust this program; the message is for the user. */
export class CoreUnreachable extends Error {
  override readonly name = "CoreUnreachable";
}

/** Who asks. */
interface Asker {
  /** In the core's log. */
  subject: string;
  role: Role;
}

/** Calls an operation of the core's API. */
export type Call = <Id extends OperationId>(id: Id, request: RequestOf<Id>) => Promise<AnswerOf<Id>>;

/** A request of any operation. */
interface AnyRequest {
  params?: Record<string, string>;
  query?: Record<string, string | number | null | undefined>;
  body?: unknown;
}

/**
 * The API of this machine's core.
 *
 * @throws Refused, CoreUnreachable
 */
export function coreApi(
  { coreUrl, serviceKey }: SearchInstallation,
  tenantId: string,
  { subject, role }: Asker = { subject: "ndr search", role: "reader" },
): Call {
  return async <Id extends OperationId>(id: Id, request: RequestOf<Id>): Promise<AnswerOf<Id>> => {
    const { method, path, status: expected, alsoStatus, write }: Route = ROUTES[id];
    const { params, query, body: content }: AnyRequest = request;
    const url = new URL(requestTarget(path, params, query), coreUrl);
    const body = content === undefined ? undefined : new TextEncoder().encode(JSON.stringify(content));
    const issuedAt = Date.now() * 1000;
    const signed = await signRequest(
      serviceKey,
      { method, pathname: url.pathname, search: url.search, body: body ?? new Uint8Array() },
      {
        service: WEB_SERVICE,
        tenantId,
        subject,
        roles: [role],
        issuedAt,
        expiresAt: issuedAt + MAX_CLAIM_LIFETIME,
        nonce: randomUuid(),
      },
    );
    const { status, text } = await answerOf(url, {
      method,
      headers: {
        ...signed,
        "content-type": "application/json",
        ...(write ? { "idempotency-key": randomUuid() } : {}),
      },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (status === 401) {
      throw new CoreUnreachable(
        `the core at ${url.origin} does not accept this machine's service key: expected the key of NDR_SERVICE_KEY_FILE ` +
          "with which the core was started",
      );
    }
    const parsed = parsedAnswer(text, url);
    const { error } = parsed as { error?: { message: string; details: Refused["details"] } };
    if (status === expected || (error === undefined && alsoStatus?.includes(status))) {
      return parsed as AnswerOf<Id>;
    }
    throw new Refused(status, error?.message ?? `status ${status}`, error?.details ?? {});
  };
}

async function answerOf(url: URL, init: RequestInit): Promise<{ status: number; text: string }> {
  try {
    const answer = await fetch(url, init);
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    const why = isLate ? `it did not answer within ${ANSWER_MS / 1000} s` : messageOf(error);
    throw new CoreUnreachable(
      `the core at ${url.origin} cannot be asked: is it running (systemctl status ndr-core)? ${why}`,
    );
  }
}

function parsedAnswer(text: string, url: URL): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new CoreUnreachable(`what listens at ${url.origin} is not the core: its answer is no JSON`);
  }
}
