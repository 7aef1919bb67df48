// What people would have done by now with the sample's incidents: made through the API, and marked as sample.

import { MAX_CLAIM_LIFETIME, signRequest, WEB_SERVICE } from "../../contract/request/signed-request.ts";
import type { Role } from "../../contract/record/kinds.ts";
import { randomUuid } from "../../kit/id.ts";
import type { StateFiles } from "../state-files.ts";

interface ReviewOptions {
  coreUrl: string;
  serviceKey: Uint8Array;
  files: StateFiles;
  signal: AbortSignal;
}

type Api = (
  person: { account: string; role: Role },
  target: string,
  content?: unknown,
) => Promise<{ status: number; data: unknown }>;

const TENANT = "main";
const ANALYST = { account: "analyst", role: "analyst" } as const;
const RESPONDER = { account: "responder", role: "responder" } as const;
/** The intruders' server of the recorded intrusion. */
const INTRUDER = "192.168.0.4";
const DAY_MS = 86_400_000;
/** Records are acknowledged before they are interpreted. */
const RETRY_MS = 2000;
const DONE = "sample-reviewed";

/** Makes one suppression and one proposal, once per state directory. */
export async function reviewSample(options: ReviewOptions): Promise<void> {
  const { files, signal } = options;
  if (await files.exists(DONE)) return;
  const api = coreApi(options);
  const suppressed = await api(ANALYST, "/api/v1/suppressions", {
    pattern: { source: "10.0.2.15", destination: "31.3.245.133" },
    reason: "Sample: exercises in the training room trip these rules on purpose.",
    expires_at: new Date(Date.now() + 30 * DAY_MS).toISOString(),
  });
  if (suppressed.status !== 201) {
    throw new Error(`the sample's suppression was refused: ${suppressed.status}`);
  }
  while (!signal.aborted && !await propose(api)) {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  if (!signal.aborted) await files.write(DONE, "");
}

/** Whether the incident existed, and a proposal was made for it. */
async function propose(api: Api): Promise<boolean> {
  const from = new Date(Date.now() - 2 * DAY_MS).toISOString();
  const { data } = await api(RESPONDER, `/api/v1/incidents?limit=200&sort=-score&from=${from}`);
  const incidents = data as { id: string; title: string; summary: string }[];
  const incident = incidents.find(({ title, summary }) => `${title} ${summary}`.includes(INTRUDER));
  if (incident === undefined) return false;
  const { status } = await api(RESPONDER, `/api/v1/incidents/${incident.id}/response-actions`, {
    kind: "block_destination",
    target: { address: INTRUDER },
    reason: "Sample: block the server that the intruders use while the devices are examined.",
  });
  return status === 201;
}

/** Requests of a person of the development sign-in, signed as the web layer signs them. */
function coreApi({ coreUrl, serviceKey, signal }: ReviewOptions): Api {
  return async ({ account, role }, target, content) => {
    const url = new URL(target, coreUrl);
    const method = content === undefined ? "GET" : "POST";
    const body = new TextEncoder().encode(content === undefined ? "" : JSON.stringify(content));
    const issuedAt = Date.now() * 1000;
    const signed = await signRequest(
      serviceKey,
      { method, pathname: url.pathname, search: url.search, body },
      {
        service: WEB_SERVICE,
        tenantId: TENANT,
        subject: account,
        roles: [role],
        issuedAt,
        expiresAt: issuedAt + MAX_CLAIM_LIFETIME,
        nonce: randomUuid(),
      },
    );
    const headers = content === undefined
      ? signed
      : { ...signed, "content-type": "application/json", "idempotency-key": randomUuid() };
    const response = await fetch(url, {
      method,
      headers,
      ...content === undefined ? {} : { body },
      redirect: "manual",
      signal,
    });
    const { data = null } = await response.json();
    return { status: response.status, data };
  };
}
