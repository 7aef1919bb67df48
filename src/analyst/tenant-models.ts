import type { AnalystConfig } from "../config/analyst.ts";
import type { TenantModel } from "./paid-call.ts";
import { createProvider, type ModelProvider } from "./provider.ts";

/** The tenants' models by tenant id. Tenants that use the same provider share it. */
export function tenantModels({ tenants }: AnalystConfig): Map<string, TenantModel> {
  const made = new Map<string, ModelProvider>();
  return new Map(tenants.map(({ tenantId, provider: config, dailyBudgetMicrousd, send }) => {
    const provider = made.get(config.id) ?? createProvider(config);
    made.set(config.id, provider);
    const { id, model, inputMicrousdPerMillion, outputMicrousdPerMillion, maxInputTokens, maxOutputTokens } =
      config;
    const plan = {
      provider: id,
      model,
      inputMicrousdPerMillion,
      outputMicrousdPerMillion,
      maxInputTokens,
      maxOutputTokens,
      dailyBudgetMicrousd,
      send,
    };
    return [tenantId, { plan, provider }];
  }));
}
