import type { Grant } from "../config/access.ts";
import { ApiError } from "../contract/request/errors.ts";
import { type NewRefusal, REFUSALS_PATH } from "../contract/session/service-session.ts";
import { messageOf } from "../kit/errors.ts";
import type { Logger } from "../observe/log.ts";
import { type CoreClient, jsonRequest } from "./core-client.ts";
import type { SignedIn } from "./session/sessions.ts";

const MAX_REASON = 500;

/** Reports refusals of the web layer to the core, which keeps the audit log. */
export class Refusals {
  constructor(private readonly options: { core: CoreClient; log: Logger }) {}

  /** A signed-in person lacked a right. Other refusals are not audited. */
  async ofPerson(
    operation: string,
    session: SignedIn,
    error: unknown,
    params: Record<string, string> = {},
  ): Promise<void> {
    if (!(error instanceof ApiError) || error.code !== "forbidden") return;
    if (error.details.reason === "no_tenant_selected") return;
    const { selected, grants, record } = session;
    const target = Object.entries(params).at(-1);
    await this.#send({
      operation,
      status: error.status,
      error_code: error.code,
      reason: error.message.slice(0, MAX_REASON),
      target: target === undefined ? null : { parameter: target[0], id: target[1].slice(0, 128) },
      subject: record.subject,
      display_name: record.display_name,
      grants: selected === null ? plain(grants) : plain([selected]),
    });
  }

  /** A sign-in that gave access to nothing; null if the person is unknown. */
  async ofSignIn(reason: string, person: { subject: string; displayName: string } | null): Promise<void> {
    await this.#send({
      operation: "signIn",
      status: 403,
      error_code: "forbidden",
      reason: reason.slice(0, MAX_REASON),
      target: null,
      subject: person?.subject.slice(0, 255) ?? null,
      display_name: person?.displayName ?? null,
      grants: [],
    });
  }

  /** The refusal stands even if it cannot be recorded; then this log has it. */
  async #send(refusal: NewRefusal): Promise<void> {
    const { operation, subject, reason } = refusal;
    let failure: string;
    try {
      const response = await this.options.core.send(jsonRequest("POST", REFUSALS_PATH, refusal));
      await response.body?.cancel();
      if (response.ok) return;
      failure = `the core answered ${response.status}`;
    } catch (error) {
      failure = messageOf(error);
    }
    this.options.log.warn("refusal could not be recorded", { operation, subject, reason, failure });
  }
}

function plain(grants: readonly Grant[]): NewRefusal["grants"] {
  return grants.map(({ tenant_id, roles }) => ({ tenant_id, roles: [...roles] }));
}
