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
/** The core gives an export up after five minutes. */
const DOWNLOAD_MS = 330_000;

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

const COMMAND_LINE: Asker = { subject: "ndr search", role: "reader" };

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
export function coreApi(installation: SearchInstallation, tenantId: string, asker = COMMAND_LINE): Call {
  return async <Id extends OperationId>(id: Id, request: RequestOf<Id>): Promise<AnswerOf<Id>> => {
    const { url, init } = await signedRequest(installation, tenantId, asker, id, request);
    const { status, text } = await answered(url, init, ANSWER_MS, async (answer) => ({
      status: answer.status,
      text: await answer.text(),
    }));
    const { status: expected, alsoStatus }: Route = ROUTES[id];
    if (status === 401) throw refusalOf(url, status, text);
    const parsed = parsedAnswer(text, url);
    const { error } = parsed as { error?: unknown };
    if (status === expected || (error === undefined && alsoStatus?.includes(status))) {
      return parsed as AnswerOf<Id>;
    }
    throw refusalOf(url, status, text);
  };
}

/** A file of the core, as it comes. */
interface CoreFile {
  body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Whether the core says that there is more than the file has. */
  truncated: boolean;
}

/**
 * Downloads a file of the API of this machine's core.
 *
 * @throws Refused, CoreUnreachable
 */
export async function coreDownload<Id extends OperationId>(
  installation: SearchInstallation,
  tenantId: string,
  id: Id,
  request: RequestOf<Id>,
  asker: Asker = COMMAND_LINE,
): Promise<CoreFile> {
  const { url, init } = await signedRequest(installation, tenantId, asker, id, request);
  const answer = await answered(url, init, DOWNLOAD_MS, (answer) => Promise.resolve(answer));
  if (answer.status !== 200) throw refusalOf(url, answer.status, await answer.text());
  return {
    body: answer.body ?? ReadableStream.from([]),
    truncated: answer.headers.get("x-result-truncated") === "true",
  };
}

async function signedRequest<Id extends OperationId>(
  { coreUrl, serviceKey }: SearchInstallation,
  tenantId: string,
  { subject, role }: Asker,
  id: Id,
  request: RequestOf<Id>,
): Promise<{ url: URL; init: RequestInit }> {
  const { method, path, write }: Route = ROUTES[id];
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
  const headers = {
    ...signed,
    "content-type": "application/json",
    ...(write ? { "idempotency-key": randomUuid() } : {}),
  };
  return { url, init: { method, headers, body, redirect: "manual" } };
}

async function answered<T>(
  url: URL,
  init: RequestInit,
  longest: number,
  read: (answer: Response) => Promise<T>,
): Promise<T> {
  try {
    return await read(await fetch(url, { ...init, signal: AbortSignal.timeout(longest) }));
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    const why = isLate ? `it did not answer within ${longest / 1000} s` : messageOf(error);
    throw new CoreUnreachable(
      `the core at ${url.origin} cannot be asked: is it running (systemctl status ndr-core)? ${why}`,
    );
  }
}

/** The error of an answer that is no success. */
function refusalOf(url: URL, status: number, text: string): Refused | CoreUnreachable {
  if (status === 401) {
    return new CoreUnreachable(
      `the core at ${url.origin} does not accept this machine's service key: expected the key of NDR_SERVICE_KEY_FILE ` +
        "with which the core was started",
    );
  }
  const { error } = parsedAnswer(text, url) as { error?: { message: string; details: Refused["details"] } };
  return new Refused(status, error?.message ?? `status ${status}`, error?.details ?? {});
}

function parsedAnswer(text: string, url: URL): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new CoreUnreachable(`what listens at ${url.origin} is not the core: its answer is no JSON`);
  }
}
