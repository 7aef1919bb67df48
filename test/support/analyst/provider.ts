// A stand-in for model providers: a real HTTP server on loopback with the wire formats of OpenAI and Anthropic. It can be slow,
// wrong, rate-limited, unparsable, malicious and expensive, and counts what it was asked and what it would bill.
//
// To see an analyst run without a model: `deno run -A test/support/analyst/provider.ts [mode]` prints its base URL for
// `NDR_UP_ANALYST=<base_url> make run`.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ProviderApi } from "../../../src/config/analyst.ts";
import { goodAnswer, obedientAnswer } from "./model.ts";

const PROVIDER_MODES = [
  /** A valid answer that cites the evidence it was sent. */
  "good",
  /** The same after `delayMs`. */
  "slow",
  /** Cites evidence that was not sent. */
  "wrong",
  /** Prose instead of JSON. */
  "unparsable",
  /** Obeys whatever instruction it finds in the data. */
  "malicious",
  /** Uses every token that the request allows. */
  "expensive",
  /** Bills more than the request allows. */
  "overbilling",
  /** Does not state what it used. */
  "unbilled",
  /** Stops at the limit of tokens. */
  "cut",
  "declining",
  /** 200 with a body that is not of the interface. */
  "foreign",
  /** 200 with a body of two megabytes. */
  "huge",
  /** 429 */
  "rate-limited",
  /** 401 that repeats the key. */
  "unauthorized",
  /** 404 */
  "unknown-model",
  /** 400 if the request asks for JSON mode. */
  "no-json-mode",
  /** 302 to an address that counts its visitors. */
  "redirect",
  /** 503 */
  "unavailable",
  /** 504 */
  "gateway-timeout",
  /** Accepts the request and never answers. */
  "hang",
  /** Reads the request and closes the connection. */
  "close",
  /** Sends half of its answer and closes the connection. */
  "half",
  /** Answers in another protocol. */
  "garbage",
] as const;
export type ProviderMode = (typeof PROVIDER_MODES)[number];

export interface Usage {
  inputTokens: number;
  outputTokens: number;
}

/** One request as it arrived. */
interface ProviderCall {
  api: ProviderApi;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The exact body. */
  body: string;
  model: string;
  system: string;
  user: string;
  maxOutputTokens: number;
  jsonMode: boolean;
  /** What it bills; null if it bills nothing. */
  billed: Usage | null;
}

interface ProviderOptions {
  mode?: ProviderMode;
  /** Of the mode `slow`, in milliseconds. */
  delayMs?: number;
  /** The text of the model in the modes that answer well; default: a valid answer to the request. */
  answer?: (call: ProviderCall) => string;
}

export class StandInProvider {
  /** Requests of both interfaces in order of arrival. */
  readonly calls: ProviderCall[] = [];
  /** Visits of the address that a redirect names. */
  redirected = 0;
  mode: ProviderMode;
  answer: ((call: ProviderCall) => string) | null;
  delayMs: number;
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();

  constructor({ mode = "good", delayMs = 200, answer }: ProviderOptions) {
    this.mode = mode;
    this.delayMs = delayMs;
    this.answer = answer ?? null;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", () => resolve()));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** `base_url` for analyst.yaml. */
  baseUrl(api: ProviderApi): string {
    return api === "openai" ? `${this.origin}/v1` : this.origin;
  }

  /** What all calls cost in micro-USD, each rounded up, at these prices per million tokens. */
  billed(inputMicrousdPerMillion: number, outputMicrousdPerMillion: number): number {
    return this.calls.reduce((sum, { billed }) => {
      if (billed === null) return sum;
      const { inputTokens, outputTokens } = billed;
      return sum + Math.ceil(
        (inputTokens * inputMicrousdPerMillion + outputTokens * outputMicrousdPerMillion) / 1e6,
      );
    }, 0);
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = "", method } = request;
    if (url === "/elsewhere") {
      this.redirected++;
      response.writeHead(204).end();
      return;
    }
    const api = url === "/v1/chat/completions" ? "openai" : url === "/v1/messages" ? "anthropic" : null;
    if (api === null || method !== "POST") {
      response.writeHead(404).end();
      return;
    }
    let body = "";
    request.setEncoding("utf8");
    for await (const part of request) body += part;
    const call = readCall(api, body, request);
    this.calls.push(call);
    this.#respond(call, response);
  }

  #respond(call: ProviderCall, response: ServerResponse): void {
    const socket = response.socket!;
    const refuse = (status: number, message: string) =>
      json(response, status, { error: { message, type: "error" } });
    switch (this.mode) {
      case "rate-limited":
        return refuse(429, "Rate limit reached");
      case "unauthorized":
        return refuse(401, `Incorrect API key provided: ${keyOf(call)}`);
      case "unknown-model":
        return refuse(404, `model "${call.model}" not found`);
      case "unavailable":
        return refuse(503, "overloaded");
      case "gateway-timeout":
        call.billed = this.#usage(call, "late");
        return refuse(504, "upstream timed out");
      case "no-json-mode":
        if (call.jsonMode) return refuse(400, "'response_format.type' must be 'json_schema' or 'text'");
        return this.#answer(call, response, goodAnswer(call.user));
      case "redirect":
        response.writeHead(302, { location: `${this.origin}/elsewhere` }).end();
        return;
      case "hang":
        call.billed = this.#usage(call, "never read");
        return;
      case "close":
        call.billed = this.#usage(call, "never read");
        socket.destroy();
        return;
      case "half":
        call.billed = this.#usage(call, "half read");
        response.writeHead(200, { "content-type": "application/json", "content-length": 1000 });
        response.write('{"id":"half"', () => socket.destroy());
        return;
      case "garbage":
        socket.write("220 mail.example ESMTP\r\n", () => socket.destroy());
        return;
      case "foreign":
        return json(response, 200, { status: "ok", data: [] });
      case "huge":
        call.billed = this.#usage(call, "x".repeat(1000));
        return this.#send(call, response, "x".repeat(2 * 1024 * 1024), call.billed, "stop");
      case "slow":
        this.#timers.add(setTimeout(() => this.#answer(call, response, this.#good(call)), this.delayMs));
        return;
      case "wrong":
        return this.#answer(call, response, goodAnswer(call.user).replace('"e1"', '"e999"'));
      case "unparsable":
        return this.#answer(call, response, "The device is infected. I would isolate it {and then");
      case "malicious":
        return this.#answer(call, response, obedientAnswer(call.user));
      case "expensive":
        call.billed = { inputTokens: worstInput(call), outputTokens: call.maxOutputTokens };
        return this.#send(call, response, this.#good(call), call.billed, "stop");
      case "overbilling":
        call.billed = { inputTokens: 3 * worstInput(call), outputTokens: 3 * call.maxOutputTokens };
        return this.#send(call, response, this.#good(call), call.billed, "stop");
      case "unbilled":
        call.billed = this.#usage(call, this.#good(call));
        return this.#send(call, response, this.#good(call), null, "stop");
      case "cut":
        return this.#answer(call, response, this.#good(call).slice(0, 40), "length");
      case "declining":
        return this.#answer(call, response, "I cannot help with that.", "refusal");
      case "good":
        return this.#answer(call, response, this.#good(call));
    }
  }

  #good(call: ProviderCall): string {
    return this.answer?.(call) ?? goodAnswer(call.user);
  }

  #answer(call: ProviderCall, response: ServerResponse, text: string, end: End = "stop"): void {
    call.billed = this.#usage(call, text);
    // A model stops at the limit, whatever it was told.
    const bounded = text.slice(0, 4 * call.maxOutputTokens);
    this.#send(call, response, bounded, call.billed, bounded.length < text.length ? "length" : end);
  }

  #usage(call: ProviderCall, text: string): Usage {
    return {
      inputTokens: Math.ceil((call.system.length + call.user.length) / 4),
      outputTokens: Math.min(call.maxOutputTokens, Math.ceil(text.length / 4)),
    };
  }

  #send(call: ProviderCall, response: ServerResponse, text: string, usage: Usage | null, end: End): void {
    json(
      response,
      200,
      call.api === "openai" ? completion(call, text, usage, end) : message(call, text, usage, end),
    );
  }
}

type End = "stop" | "length" | "refusal";

export async function startProvider(options: ProviderOptions = {}): Promise<StandInProvider> {
  const provider = new StandInProvider(options);
  await provider.listen();
  return provider;
}

/** Every byte a token, and a generous chat template. */
function worstInput({ system, user }: ProviderCall): number {
  return new TextEncoder().encode(system + user).length + 200;
}

function completion({ model }: ProviderCall, content: string, usage: Usage | null, end: End) {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model,
    choices: [{
      index: 0,
      message: end === "refusal"
        ? { role: "assistant", content: null, refusal: content }
        : { role: "assistant", content },
      finish_reason: end === "length" ? "length" : "stop",
    }],
    ...usage === null ? {} : {
      usage: {
        prompt_tokens: usage.inputTokens,
        completion_tokens: usage.outputTokens,
        total_tokens: usage.inputTokens + usage.outputTokens,
      },
    },
  };
}

function message({ model }: ProviderCall, text: string, usage: Usage | null, end: End) {
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model,
    content: [{ type: "text", text }],
    stop_reason: { stop: "end_turn", length: "max_tokens", refusal: "refusal" }[end],
    stop_sequence: null,
    ...usage === null ? {} : {
      usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
    },
  };
}

function readCall(api: ProviderApi, body: string, request: IncomingMessage): ProviderCall {
  const asked = JSON.parse(body);
  const messages: { role: string; content: string }[] = asked.messages;
  const of = (role: string) =>
    messages.filter((one) => one.role === role).map(({ content }) => content).join("\n");
  return {
    api,
    headers: request.headers,
    body,
    model: asked.model,
    system: api === "openai" ? of("system") : asked.system,
    user: of("user"),
    maxOutputTokens: asked.max_tokens ?? asked.max_completion_tokens,
    jsonMode: asked.response_format?.type === "json_object",
    billed: null,
  };
}

function keyOf({ headers }: ProviderCall): string {
  return String(headers["x-api-key"] ?? String(headers.authorization ?? "").replace("Bearer ", ""));
}

function json(response: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value);
  response.writeHead(status, { "content-type": "application/json" });
  response.end(text);
}

if (import.meta.main) {
  const [wanted = "good"] = Deno.args;
  const mode = PROVIDER_MODES.find((one) => one === wanted);
  if (mode === undefined) {
    console.error(`expected one of ${PROVIDER_MODES.join(", ")}, not ${wanted}`);
    Deno.exit(2);
  }
  const provider = await startProvider({ mode });
  console.log(`NDR_UP_ANALYST=${provider.baseUrl("openai")}`);
}
