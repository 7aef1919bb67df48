import type { z } from "@hono/zod-openapi";
import {
  HEARTBEATS_PATH,
  LicenseAnswer,
  REGISTRATIONS_PATH,
  Release,
  TELEMETRY_USER_AGENT,
  UPDATE_CHANNEL,
  UPDATES_PATH,
} from "../contract/telemetry/registration.ts";
import { sanitizeRelease } from "../domain/telemetry/heartbeat/update.ts";
import { messageOf } from "../kit/errors.ts";
import { type HttpAnswer, requestBytes } from "../kit/net/http-message.ts";
import { exchange } from "./exchange.ts";

/** For one call, in milliseconds. */
const TIMEOUT_MS = 15_000;

interface ClientConfig {
  /** `https://registration.example`; http only to this machine. */
  origin: string;
  timeoutMs?: number;
  /** Further trusted certificate authorities, PEM. */
  roots?: readonly string[];
}

/** Why a call failed, for an administrator. It contains no text from the server. */
export class RegistrationFailure extends Error {}

/**
 * A client of one registration server, without state between calls. Every method throws RegistrationFailure.
 */
export class RegistrationClient {
  readonly #origin: URL;

  constructor(private readonly config: ClientConfig) {
    this.#origin = new URL(config.origin);
  }

  /** Sends `text`, which the guards have passed, byte for byte. Returns a renewed licence, or null. */
  async register(text: string, signal: AbortSignal): Promise<string | null> {
    return (await this.#post(REGISTRATIONS_PATH, text, [200, 201], signal))!.license;
  }

  /** As `register`. */
  async heartbeat(text: string, signal: AbortSignal): Promise<string | null> {
    return (await this.#post(HEARTBEATS_PATH, text, [200, 204], signal))?.license ?? null;
  }

  /** The newest release, as harmless text. */
  async newestRelease(productVersion: string, signal: AbortSignal): Promise<Release> {
    const query = new URLSearchParams({ product_version: productVersion, channel: UPDATE_CHANNEL });
    const answer = await this.#call("GET", `${UPDATES_PATH}?${query}`, null, [200], signal);
    return sanitizeRelease(this.#read(answer, Release));
  }

  async #post(path: string, text: string, good: readonly number[], signal: AbortSignal) {
    const answer = await this.#call("POST", path, text, good, signal);
    return answer.head.status === 204 ? null : this.#read<LicenseAnswer>(answer, LicenseAnswer);
  }

  async #call(
    method: "GET" | "POST",
    path: string,
    text: string | null,
    good: readonly number[],
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    const url = new URL(path, this.#origin);
    const request = requestBytes({
      method,
      url,
      headers: {
        "User-Agent": TELEMETRY_USER_AGENT,
        "Accept": "application/json",
        ...text === null ? {} : { "Content-Type": "application/json" },
      },
      body: new TextEncoder().encode(text ?? ""),
    });
    const { timeoutMs = TIMEOUT_MS, roots = [] } = this.config;
    let answer: HttpAnswer;
    try {
      answer = await exchange(url, request, { timeoutMs, roots, signal });
    } catch (error) {
      throw this.#failure(messageOf(error).slice(0, 300));
    }
    const { status } = answer.head;
    if (good.includes(status)) return answer;
    const redirect = status >= 300 && status < 400;
    throw this.#failure(`it answered ${status}${redirect ? ", a redirect, which is never followed" : ""}`);
  }

  #read<T>({ head, body }: HttpAnswer, schema: z.ZodType<T>): T {
    const contentType = (head.value("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
    if (contentType !== "application/json") throw this.#failure("its answer is not JSON");
    let value: unknown;
    try {
      value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    } catch {
      throw this.#failure("its answer is not JSON");
    }
    const { success, data, error } = schema.safeParse(value);
    if (success) return data;
    const [field = "the whole"] = error.issues[0]!.path;
    throw this.#failure(`its answer does not follow the protocol: ${String(field)}`);
  }

  #failure(why: string): RegistrationFailure {
    return new RegistrationFailure(`the registration server ${this.#origin.host}: ${why}`);
  }
}
