import { WEB_REPORT_PATH, type WebReport } from "../contract/session/service-session.ts";
import { messageOf } from "../kit/errors.ts";
import type { Logger } from "../observe/log.ts";
import { type CoreClient, jsonRequest } from "./core-client.ts";
import type { OidcClient } from "./session/oidc.ts";

const MAX_REASON = 500;

/** Reports to the core that the web layer runs, whether people can sign in and whether its reload applied, for the appliance's health. */
export class WebReporter {
  #failure: string | null = null;

  constructor(
    private readonly options: {
      core: CoreClient;
      oidc: OidcClient;
      log: Logger;
      /** Where the newest reload of the access rules found faults; null if it applied. */
      reloadFailure?: () => string | null;
    },
  ) {}

  /** Sends one report. Never throws: without the core the next report may arrive. */
  async send(): Promise<void> {
    const { core, oidc, log, reloadFailure } = this.options;
    const failure = (await oidc.check())?.slice(0, MAX_REASON) ?? null;
    if (failure !== null && this.#failure === null) log.error("sign-in fails", { error: failure });
    if (failure === null && this.#failure !== null) log.info("sign-in works again");
    this.#failure = failure;
    const report: WebReport = {
      sign_in_failure: failure,
      reload_failure: reloadFailure?.()?.slice(0, MAX_REASON) ?? null,
    };
    try {
      const response = await core.send(jsonRequest("POST", WEB_REPORT_PATH, report));
      await response.body?.cancel();
      if (!response.ok) log.warn("the core refused a report", { status: response.status });
    } catch (error) {
      log.warn("the core does not answer", { error: messageOf(error) });
    }
  }
}
