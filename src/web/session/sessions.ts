import { z } from "@hono/zod-openapi";
import type { AccessDecisions, Grant } from "../../config/access.ts";
import { ApiError } from "../../contract/request/errors.ts";
import {
  EndedByProvider,
  type NewSession,
  type PersonClaims,
  type ProviderLogout,
  type RefreshedClaims,
  ReservedRefresh,
  SelectedTenant,
  type SessionEndReason,
  SessionRecord,
  SESSIONS_PATH,
  type SessionTenant,
} from "../../contract/session/service-session.ts";
import type { Clock } from "../../kit/clock.ts";
import { digestHex } from "../../kit/web-crypto.ts";
import { parseTimestamp } from "../../kit/time.ts";
import { type CoreClient, jsonRequest } from "../core-client.ts";
import { CoreUnavailable } from "../errors.ts";
import { BoundedMap } from "../../kit/bounded-map.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Logger } from "../../observe/log.ts";
import type { ProviderClaims } from "./provider-claims.ts";

/** While the core cannot answer, a session seen this recently (microseconds) is still accepted for health. */
const RECENT = 300 * 1_000_000;
const MAX_REMEMBERED = 10_000;
/**
 * If a recent session suffices, a core whose database hangs is awaited no longer than this, in milliseconds.
 */
const RECENT_WAIT_MS = 3_000;
/**
 * How long a request waits for the identity provider when claims are read again, in milliseconds. After that it is
 * answered by the former claims, and the new ones apply as soon as they arrive.
 */
const CLAIMS_PATIENCE_MS = 3_000;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

const Answer = z.object({ data: SessionRecord });
const ReservedAnswer = z.object({ data: ReservedRefresh });
const LogoutAnswer = z.object({ data: EndedByProvider });
const SelectionAnswer = z.object({ data: SelectedTenant });

/** A session and its current grants. */
export interface SignedIn {
  tokenHash: string;
  record: SessionRecord;
  /** Never empty. */
  grants: readonly Grant[];
  /** The grant of the selected tenant; null until one is selected, or if it is no longer granted. */
  selected: Grant | null;
}

interface SessionsOptions {
  core: CoreClient;
  clock: Clock;
  log: Logger;
  access: AccessDecisions;
  tenants: ReadonlyMap<string, string>;
  providerClaims: Pick<ProviderClaims, "refresh">;
  claimsPatienceMs?: number;
}

/** A new cookie value: 256 random bits. */
export function newToken(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url", omitPadding: true });
}

export function hashOfToken(token: string): Promise<string> {
  return digestHex(token);
}

/** Sessions, which the core stores; recent ones are kept here only for its outages. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #seen = new BoundedMap<string, { record: SessionRecord; at: number }>(MAX_REMEMBERED);
  /** Refreshes of claims under way, by token hash: each resolves at its end, or when patience does. */
  readonly #refreshes = new Map<string, Promise<void>>();
  readonly #listeners = new Map<string, Set<() => void>>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** The grants that claims give in this installation's tenants, and the other tenants that they name. */
  accessOf(claims: PersonClaims): { grants: Grant[]; unknownTenants: string[] } {
    const granted = this.#options.access.grantsFor(claims).filter((grant) => grant.roles.length > 0);
    const known = (grant: Grant) => this.#options.tenants.has(grant.tenant_id);
    return {
      grants: granted.filter(known),
      unknownTenants: granted.filter((grant) => !known(grant)).map((grant) => grant.tenant_id),
    };
  }

  mismatchOf(claims: PersonClaims): string {
    return this.#options.access.mismatchOf(claims);
  }

  /**
   * The session of a cookie's value, or null. A person without any grant left is signed out. Throws
   * CoreUnavailable if the core cannot answer, unless `recentWillDo` and the session was seen recently.
   */
  async find(token: string | undefined, recentWillDo = false): Promise<SignedIn | null> {
    if (token === undefined || !TOKEN.test(token)) return null;
    const tokenHash = await hashOfToken(token);
    const recent = recentWillDo ? this.#recent(tokenHash) : null;
    let record: SessionRecord | null;
    try {
      record = await this.#read(tokenHash, recent === null ? undefined : AbortSignal.timeout(RECENT_WAIT_MS));
    } catch (error) {
      if (!(error instanceof CoreUnavailable) || recent === null) throw error;
      return this.#signedIn(tokenHash, recent);
    }
    if (record === null) {
      this.#seen.delete(tokenHash);
      return null;
    }
    record = await this.#withCurrentClaims(tokenHash, record);
    if (record === null) return null;
    this.#remember(tokenHash, record);
    const signedIn = this.#signedIn(tokenHash, record);
    if (signedIn === null) await this.end(tokenHash, "accessWithdrawn");
    return signedIn;
  }

  /** False if the core has none of the tenants that the session grants. */
  async create(session: NewSession): Promise<boolean> {
    const response = await this.#options.core.send(jsonRequest("POST", SESSIONS_PATH, session));
    if (response.status === 403) {
      await response.body?.cancel();
      return false;
    }
    await accepted(response);
    return true;
  }

  /**
   * Selects a tenant that the session grants and returns the body of the answer: `selection.answer`, or that
   * of the first identical request. Throws ApiError 422 if the key was used for another request, and
   * `unauthenticated` if the session has ended meanwhile.
   */
  async select(session: SignedIn, selection: SessionTenant): Promise<string> {
    const response = await this.#options.core.send(
      jsonRequest("POST", `${SESSIONS_PATH}/${session.tokenHash}/tenant`, selection),
    );
    if (response.status === 404 || response.status === 422) {
      await response.body?.cancel();
      throw response.status === 404
        ? new ApiError("unauthenticated")
        : new ApiError("invalid_request", "This Idempotency-Key was used for another request.", {
          reason: "idempotency_mismatch",
        }, 422);
    }
    this.#seen.delete(session.tokenHash);
    const { answer } = SelectionAnswer.parse(await accepted(response)).data;
    this.#changed(session.tokenHash);
    return answer;
  }

  /** Ends a session now. Throws CoreUnavailable if that failed. */
  async end(tokenHash: string, reason: SessionEndReason): Promise<void> {
    this.#seen.delete(tokenHash);
    await accepted(
      await this.#options.core.send({
        method: "DELETE",
        target: `${SESSIONS_PATH}/${tokenHash}?reason=${reason}`,
      }),
    );
    this.#changed(tokenHash);
  }

  /**
   * Ends the sessions that the provider's logout names and returns their number; null if its token was used before.
   * Throws CoreUnavailable.
   */
  async endAtProvider(logout: ProviderLogout): Promise<number | null> {
    const request = jsonRequest("POST", `${SESSIONS_PATH}/provider-logout`, logout);
    const { data: ended } = LogoutAnswer.parse(await accepted(await this.#options.core.send(request)));
    for (const tokenHash of ended ?? []) {
      this.#seen.delete(tokenHash);
      this.#changed(tokenHash);
    }
    return ended?.length ?? null;
  }

  /** Calls back when this process ends a session or selects its tenant; returns what stops that. */
  onChange(tokenHash: string, callback: () => void): () => void {
    const listeners = this.#listeners.get(tokenHash) ?? new Set();
    this.#listeners.set(tokenHash, listeners.add(callback));
    return () => {
      listeners.delete(callback);
      if (listeners.size === 0 && this.#listeners.get(tokenHash) === listeners) {
        this.#listeners.delete(tokenHash);
      }
    };
  }

  #changed(tokenHash: string): void {
    for (const callback of this.#listeners.get(tokenHash) ?? []) callback();
  }

  /** The session after a refresh of its claims, if one is due; null if that ended it. */
  async #withCurrentClaims(tokenHash: string, record: SessionRecord): Promise<SessionRecord | null> {
    const dueAt = record.claims_due_at === null ? null : parseTimestamp(record.claims_due_at)?.micros;
    let refresh = this.#refreshes.get(tokenHash);
    if (refresh === undefined) {
      if (dueAt == null || dueAt > this.#options.clock.now()) return record;
      const patience = Promise.withResolvers<void>();
      const timer = setTimeout(patience.resolve, this.#options.claimsPatienceMs ?? CLAIMS_PATIENCE_MS);
      const work = this.#refresh(tokenHash, record).catch((error) =>
        this.#options.log.warn("claims not read again", {
          subject: record.subject,
          error: messageOf(error),
        })
      ).finally(() => {
        clearTimeout(timer);
        this.#refreshes.delete(tokenHash);
      });
      refresh = Promise.race([work, patience.promise]);
      this.#refreshes.set(tokenHash, refresh);
    }
    await refresh;
    return await this.#read(tokenHash);
  }

  async #refresh(tokenHash: string, record: SessionRecord): Promise<void> {
    const { core, providerClaims } = this.#options;
    const path = `${SESSIONS_PATH}/${tokenHash}`;
    const { data: reserved } = ReservedAnswer.parse(
      await accepted(await core.send(jsonRequest("POST", `${path}/claims-due`, {}))),
    );
    if (reserved === null) return;
    const refreshed = await providerClaims.refresh(record, reserved.provider_state);
    if (refreshed === null) return;
    if (refreshed === "refused") return await this.end(tokenHash, "providerRefused");
    const { grants } = this.accessOf(refreshed.claims);
    if (grants.length === 0) return await this.end(tokenHash, "accessWithdrawn");
    const body: RefreshedClaims = {
      ...refreshed,
      grants: grants.map(({ tenant_id, roles }) => ({ tenant_id, roles: [...roles] })),
    };
    const response = await core.send(jsonRequest("POST", `${path}/claims`, body));
    // 404: the session ended meanwhile.
    if (response.status === 404) await response.body?.cancel();
    else await accepted(response);
    this.#changed(tokenHash);
  }

  async #read(tokenHash: string, signal?: AbortSignal): Promise<SessionRecord | null> {
    const response = await this.#options.core.send({
      method: "GET",
      target: `${SESSIONS_PATH}/${tokenHash}`,
      signal,
    });
    if (response.status === 404) {
      await response.body?.cancel();
      return null;
    }
    return Answer.parse(await accepted(response)).data;
  }

  #signedIn(tokenHash: string, record: SessionRecord): SignedIn | null {
    const { grants } = this.accessOf(record.claims);
    if (grants.length === 0) return null;
    const selected = grants.find((grant) => grant.tenant_id === record.selected_tenant) ?? null;
    return { tokenHash, record, grants, selected };
  }

  #remember(tokenHash: string, record: SessionRecord): void {
    this.#seen.set(tokenHash, { record, at: this.#options.clock.now() });
  }

  #recent(tokenHash: string): SessionRecord | null {
    const seen = this.#seen.get(tokenHash);
    const now = this.#options.clock.now();
    if (seen === undefined || now - seen.at > RECENT) return null;
    return (parseTimestamp(seen.record.expires_at)?.micros ?? 0) > now ? seen.record : null;
  }
}

/**
 * The JSON of a success. If the core refuses a service request, the installation is at fault, not the caller.
 */
async function accepted(response: Response): Promise<unknown> {
  if (response.ok) return await response.json();
  const text = await response.text();
  if (response.status === 503) throw new CoreUnavailable("the core is not ready", { cause: text });
  throw new Error(`the core answered a session request with ${response.status}: ${text.slice(0, 500)}`);
}
