import { tenantModels } from "../../../src/analyst/tenant-models.ts";
import { parseAnalyst } from "../../../src/config/analyst.ts";
import { Faults } from "../../../src/config/yaml/faults.ts";
import { systemInput } from "../../../src/config/yaml/input.ts";

/** The model of the tenant `main`, by a whole analyst.yaml. `budget`: micro-USD a day. */
export function modelsOf(
  baseUrl: string,
  { budget, send = "names, addresses", timeout = "1s" }: { budget: number; send?: string; timeout?: string },
) {
  const faults = new Faults();
  const text = file(baseUrl, { budget, send, timeout });
  const config = parseAnalyst(text, "analyst.yaml", systemInput, faults, { tenants: null });
  faults.throwIfAny();
  return tenantModels(config);
}

function file(
  baseUrl: string,
  { budget, send, timeout }: { budget: number; send: string; timeout: string },
): string {
  return `providers:
  - id: local
    api: openai
    base_url: ${baseUrl}
    model: test
    input_microusd_per_million_tokens: 150000
    output_microusd_per_million_tokens: 600000
    max_input_tokens: 4000
    max_output_tokens: 600
    timeout: ${timeout}
tenants:
  - tenant_id: main
    provider: local
    daily_budget_microusd: ${budget}
    send: [${send}]
`;
}
