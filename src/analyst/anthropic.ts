// The messages of Anthropic.

import { z } from "zod";
import { appended, CUT, DECLINED, usageOf, type WireFormat } from "./wire-format.ts";

/** Version of the interface that this was written for. */
const VERSION = "2023-06-01";

const Tokens = z.number().nullish().catch(null);

const Message = z.object({
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
  stop_reason: z.string().nullish(),
  usage: z.object({
    input_tokens: z.unknown(),
    output_tokens: z.unknown(),
    // Billed as input, too; counted at the full price although reading is cheaper.
    cache_creation_input_tokens: Tokens,
    cache_read_input_tokens: Tokens,
  }).nullish().catch(null),
});

export const anthropic: WireFormat = {
  endpoint: (baseUrl) => appended(baseUrl, baseUrl.pathname.endsWith("/v1") ? "/messages" : "/v1/messages"),
  headers: (key) => ({ "anthropic-version": VERSION, ...key === null ? {} : { "x-api-key": key } }),
  body: (model, { system, user, maxOutputTokens }) => ({
    model,
    max_tokens: maxOutputTokens,
    system,
    messages: [{ role: "user", content: user }],
    stream: false,
  }),
  read(value) {
    const { success, data } = Message.safeParse(value);
    if (!success) return null;
    const { content, usage, stop_reason: reason } = data;
    const text = content.flatMap((block) => block.type === "text" ? block.text ?? "" : []).join("");
    const cut = reason === "max_tokens" || reason === "model_context_window_exceeded";
    return {
      text: text === "" ? null : text,
      usage: usage ? usageOf(inputOf(usage), usage.output_tokens) : null,
      fault: reason === "refusal" ? DECLINED : cut ? CUT : null,
    };
  },
};

type Usage = NonNullable<z.infer<typeof Message>["usage"]>;

/** NaN, which is no usage, if the input is not stated as a number. */
function inputOf(usage: Usage): number {
  const { input_tokens: input, cache_creation_input_tokens: created, cache_read_input_tokens: read } = usage;
  return typeof input === "number" ? input + (created ?? 0) + (read ?? 0) : NaN;
}
