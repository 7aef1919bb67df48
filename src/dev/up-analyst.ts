import { stringify } from "@std/yaml";
import { type AnalystConfig, parseAnalyst } from "../config/analyst.ts";
import type { Faults } from "../config/yaml/faults.ts";
import type { ConfigInput } from "../config/yaml/input.ts";

/** A dollar per day: enough to try it. */
const BUDGET = 1_000_000;

/**
 * The provider of NDR_UP_ANALYST for every tenant; null if the variable is not set. A model on the same machine costs nothing,
 * so the prices are those of a small hosted model: the budget can be watched.
 */
export function upAnalyst(
  input: ConfigInput,
  tenants: readonly string[],
  faults: Faults,
): AnalystConfig | null {
  const baseUrl = input.env("NDR_UP_ANALYST");
  if (!baseUrl) return null;
  const text = stringify({
    providers: [{
      id: "up",
      api: "openai",
      base_url: baseUrl,
      model: input.env("NDR_UP_ANALYST_MODEL") || "llama3.1",
      input_microusd_per_million_tokens: 150_000,
      output_microusd_per_million_tokens: 600_000,
      max_input_tokens: 12_000,
      max_output_tokens: 1_000,
      timeout: "2m",
    }],
    tenants: tenants.map((tenant_id) => ({
      tenant_id,
      provider: "up",
      daily_budget_microusd: BUDGET,
      send: ["names", "addresses", "payloads"],
    })),
  });
  return parseAnalyst(text, "NDR_UP_ANALYST", input, faults, { tenants: null });
}
