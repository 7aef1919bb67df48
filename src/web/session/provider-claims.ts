import {
  MAX_PROVIDER_STATE,
  type PersonClaims,
  type SessionRecord,
} from "../../contract/session/service-session.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Logger } from "../../observe/log.ts";
import { type OidcClient, type ProviderState, SignInRefused } from "./oidc.ts";
import { personName } from "./person-name.ts";
import type { Sealed } from "./sealed.ts";

interface ProviderClaimsOptions {
  oidc: OidcClient;
  sealed: Sealed<ProviderState>;
  log: Logger;
}

/** The claims of signed-in people, as the provider states them now. */
export class ProviderClaims {
  constructor(private readonly options: ProviderClaimsOptions) {}

  /** The state as a session keeps it; null if the provider cannot be asked, or its tokens are too long to keep. */
  async keep(state: ProviderState | null): Promise<string | null> {
    if (state === null) return null;
    const sealed = await this.options.sealed.seal(state);
    if (sealed.length <= MAX_PROVIDER_STATE) return sealed;
    this.options.log.warn("groups will not be read again: the provider's tokens are too long", {
      characters: sealed.length,
      most: MAX_PROVIDER_STATE,
    });
    return null;
  }

  /** `refused` if the provider no longer accepts the person; null if it did not answer. */
  async refresh(
    { subject, claims }: Pick<SessionRecord, "subject" | "claims">,
    kept: string,
  ): Promise<
    { claims: PersonClaims; display_name: string; provider_state: string | null } | "refused" | null
  > {
    const { oidc, sealed, log } = this.options;
    try {
      const state = await sealed.open(kept);
      const now = state === null ? { claims, state } : await oidc.refresh({ subject, claims }, state);
      return {
        claims: now.claims,
        display_name: personName({ ...now.claims, sub: subject }),
        provider_state: await this.keep(now.state),
      };
    } catch (error) {
      if (error instanceof SignInRefused) {
        log.warn("the identity provider no longer accepts a person", { subject, error: messageOf(error) });
        return "refused";
      }
      log.warn("claims not read again", { subject, error: messageOf(error) });
      return null;
    }
  }
}
