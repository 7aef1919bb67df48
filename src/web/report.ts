import { WEB_REPORT_PATH } from "../contract/session/service-session.ts";
import { messageOf } from "../kit/errors.ts";
import type { Logger } from "../observe/log.ts";
import { type CoreClient, jsonRequest } from "./core-client.ts";
import type { OidcClient } from "./session/oidc.ts";

const MAX_REASON = 500;

/** Reports to the core that the web layer runs and whether people can sign in, for the appliance's health. */
export class WebReporter {
  #failure: string | null = null;

  constructor(private readonly options: { core: CoreClient; oidc: OidcClient; log: Logger }) {}

  /** Sends one report. Never throws: without the core the next report may arrive. */
  async send(): Promise<void> {
    const { core, oidc, log } = this.options;
    const failure = (await oidc.check())?.slice(0, MAX_REASON) ?? null;
    if (failure !== null && this.#failure === null) log.error("nobody can sign in", { error: failure });
    if (failure === null && this.#failure !== null) log.info("people can sign in again");
    this.#failure = failure;
    try {
      const response = await core.send(jsonRequest("POST", WEB_REPORT_PATH, { sign_in_failure: failure }));
      await response.body?.cancel();
      if (!response.ok) log.warn("the core refused a report", { status: response.status });
    } catch (error) {
      log.warn("the core does not answer", { error: messageOf(error) });
    }
  }
}
