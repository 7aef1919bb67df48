// The chat completions of OpenAI, which Ollama, vLLM, llama.cpp and others serve as well.

import { z } from "zod";
import { appended, CUT, DECLINED, usageOf, type WireFormat } from "./wire-format.ts";

const Completion = z.object({
  choices: z.array(z.object({
    finish_reason: z.string().nullish(),
    message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
  })).min(1),
  usage: z.object({ prompt_tokens: z.unknown(), completion_tokens: z.unknown() }).nullish().catch(null),
});

/** Takes neither `max_tokens` nor a temperature for its newer models; other servers may not know its new name. */
const OPENAI_HOST = "api.openai.com";

export const openai: WireFormat = {
  endpoint: (baseUrl) => appended(baseUrl, "/chat/completions"),
  headers(key): Record<string, string> {
    return key === null ? {} : { "Authorization": `Bearer ${key}` };
  },
  body: (model, { system, user, maxOutputTokens }, { jsonMode, baseUrl }) => ({
    model,
    messages: [{ role: "system", content: system }, { role: "user", content: user }],
    ...baseUrl.hostname === OPENAI_HOST
      ? { max_completion_tokens: maxOutputTokens }
      : { max_tokens: maxOutputTokens, temperature: 0 },
    ...jsonMode ? { response_format: { type: "json_object" } } : {},
    n: 1,
    stream: false,
  }),
  read(value) {
    const { success, data } = Completion.safeParse(value);
    if (!success) return null;
    const [{ message, finish_reason: reason }] = data.choices as [typeof data.choices[number]];
    const declined = Boolean(message.refusal) || reason === "content_filter";
    return {
      text: message.content || null,
      usage: usageOf(data.usage?.prompt_tokens, data.usage?.completion_tokens),
      fault: declined ? DECLINED : reason === "length" ? CUT : null,
    };
  },
};
