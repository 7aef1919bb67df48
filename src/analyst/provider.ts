import type { AnalystProvider, ProviderApi } from "../config/analyst.ts";
import {
  receiverAddresses,
  RefusedAddress,
  type Resolve,
  systemResolve,
} from "../config/resolve-receiver.ts";
import { plural } from "../kit/text.ts";
import { exchange } from "../kit/net/exchange.ts";
import { TimedOut } from "../kit/net/http-client.ts";
import { BadAnswer, type HttpAnswer, requestBytes } from "../kit/net/http-message.ts";
import { isLoopbackIp, isPrivateIp, parseIp } from "../kit/net/ip.ts";
import { plainLine } from "../kit/plain-text.ts";
import { anthropic } from "./anthropic.ts";
import { openai } from "./openai.ts";
import type { Billed, FailureCode, ModelProvider, ModelQuestion, ModelReply } from "./port.ts";
import type { WireAnswer, WireFormat } from "./wire-format.ts";

export type { Billed, FailureCode, ModelProvider, ModelQuestion, ModelReply } from "./port.ts";

const FORMATS: Readonly<Record<ProviderApi, WireFormat>> = { openai, anthropic };
const USER_AGENT = "service-analyst/1";
const MAX_BODY_BYTES = 1024 * 1024;
/** Characters of a provider's own error text. */
const MAX_REMARK = 200;

interface ProviderDeps {
  /** Resolves host names; the system's resolver by default. */
  resolve?: Resolve;
  /** Further trusted certificate authorities, PEM. */
  roots?: readonly string[];
}

/** A provider that asks over the network; it opens no connection before it is asked. */
export function createProvider(config: AnalystProvider, deps: ProviderDeps = {}): ModelProvider {
  return new HttpProvider(config, deps);
}

class HttpProvider implements ModelProvider {
  readonly #format: WireFormat;
  /** False after the server refused it; the refused call is not repeated, because every call passes the ledger. */
  #jsonMode = true;

  constructor(private readonly config: AnalystProvider, private readonly deps: ProviderDeps) {
    this.#format = FORMATS[config.api];
  }

  async ask(question: ModelQuestion, signal: AbortSignal): Promise<ModelReply> {
    const { baseUrl, model, timeoutMs } = this.config;
    const { resolve = systemResolve, roots = [] } = this.deps;
    const url = this.#format.endpoint(baseUrl);
    const body = this.#format.body(model, question, { jsonMode: this.#jsonMode, baseUrl });
    const request = requestBytes({
      method: "POST",
      url,
      headers: {
        "User-Agent": USER_AGENT,
        "Accept": "application/json",
        "Content-Type": "application/json",
        ...this.#format.headers(this.config.apiKey?.reveal() ?? null),
      },
      body: new TextEncoder().encode(JSON.stringify(body)),
    });
    let sent = false;
    try {
      const answer = await exchange(url, request, {
        timeoutMs,
        roots,
        addressesOf: (host) => receiverAddresses(host, resolve),
        requirePlainAllowed,
        maxBodyBytes: MAX_BODY_BYTES,
        onSend: () => sent = true,
        signal,
      });
      return this.#replyOf(answer);
    } catch (error) {
      const billed = sent ? "unknown" : "no";
      if (signal.aborted) return this.#failure("provider_unavailable", "the call was cancelled", billed);
      if (error instanceof TimedOut) {
        const seconds = plural(timeoutMs / 1000, "second");
        return this.#failure("provider_unavailable", `it did not answer within ${seconds}`, billed);
      }
      const code = error instanceof BadAnswer ? "provider_response_invalid" : "provider_unavailable";
      return this.#failure(code, reasonOf(error), billed);
    }
  }

  #replyOf({ head: { status }, body }: HttpAnswer): ModelReply {
    const value = jsonOf(body);
    if (status < 200 || status > 299) return this.#refusalOf(status, remarkOf(value));
    const answer = value === undefined ? null : this.#format.read(value);
    if (answer === null) {
      return this.#failure(
        "provider_response_invalid",
        `its answer is not one of the interface "${this.config.api}"; check api and base_url`,
        "unknown",
      );
    }
    return this.#answerOf(answer);
  }

  #answerOf({ text, usage, fault }: WireAnswer): ModelReply {
    const why = fault ?? (text === null ? "its answer has no text" : null);
    return text === null || why !== null
      ? this.#failure("provider_response_invalid", why ?? "", usage ?? "unknown")
      : { kind: "answer", text, usage };
  }

  /**
   * | status              | code                     | billed  |
   * |---------------------|--------------------------|---------|
   * | 429                 | provider_rate_limited    | no      |
   * | 500, 501, 503, 529  | provider_unavailable     | no      |
   * | 408, other 5xx      | provider_unavailable     | unknown |
   * | 3xx, other 4xx      | provider_unavailable     | no      |
   * | anything else       | provider_response_invalid| unknown |
   *
   * A gateway that gives up (408, 502, 504) does not know whether the model went on.
   */
  #refusalOf(status: number, remark: string): ModelReply {
    const said = remark === "" ? "" : `: ${remark}`;
    if (status === 429) return this.#failure("provider_rate_limited", `it answered 429${said}`, "no");
    if (status === 401 || status === 403) {
      return this.#failure("provider_unavailable", `it answered ${status}; check api_key_file`, "no");
    }
    if (status === 404) {
      return this.#failure("provider_unavailable", `it answered 404; check base_url and model${said}`, "no");
    }
    if (status >= 300 && status < 400) {
      return this.#failure(
        "provider_unavailable",
        `it answered ${status}, a redirect, which is never followed`,
        "no",
      );
    }
    if (status === 400 || status === 422) {
      if (/response_format/i.test(remark)) this.#jsonMode = false;
      return this.#failure("provider_unavailable", `it refused the request with ${status}${said}`, "no");
    }
    if (status >= 400 && status < 600) {
      const unbilled = status === 408 ? false : status < 500 || [500, 501, 503, 529].includes(status);
      return this.#failure(
        "provider_unavailable",
        `it answered ${status}${said}`,
        unbilled ? "no" : "unknown",
      );
    }
    return this.#failure("provider_response_invalid", `it answered ${status}`, "unknown");
  }

  #failure(code: FailureCode, why: string, billed: Billed): ModelReply {
    const { id, baseUrl, apiKey } = this.config;
    const text = plainLine(`provider ${id} (${baseUrl.host}): ${why}`);
    const key = apiKey?.reveal() ?? "";
    return { kind: "failure", code, message: key === "" ? text : text.replaceAll(key, "[redacted]"), billed };
  }
}

function requirePlainAllowed(address: string): void {
  const ip = parseIp(address);
  if (ip === null || !(isLoopbackIp(ip) || isPrivateIp(ip))) {
    throw new Error("without TLS it has to be this machine or a private address");
  }
}

/** Undefined if it is no JSON. */
function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

/** What a provider says about a refusal: `{error: {message}}`, `{error: text}` or `{message}`; empty if nothing. */
function remarkOf(value: unknown): string {
  const member = (of: unknown, key: string): unknown =>
    typeof of === "object" && of !== null && Object.hasOwn(of, key) ? Reflect.get(of, key) : undefined;
  const error = member(value, "error");
  const text = member(error, "message") ?? error ?? member(value, "message");
  return typeof text === "string" ? plainLine(text).slice(0, MAX_REMARK) : "";
}

/** System errors begin with what happened, in English. */
function reasonOf(error: unknown): string {
  if (error instanceof RefusedAddress) return error.message;
  return error instanceof Error && error.message !== "" ? error.message.slice(0, 300) : "no connection";
}
