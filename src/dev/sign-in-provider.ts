import type { IncomingMessage, ServerResponse } from "node:http";

// oidc-provider has no types; this is the part of it that is used here.

interface Interaction {
  uid: string;
  params: Record<string, unknown>;
}

export interface Provider {
  callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: { login: { accountId: string; remember: boolean } },
    options: { mergeWithLastSubmission: boolean },
  ): Promise<void>;
}

export interface ProviderContext {
  type: string;
  body: string;
  set(name: string, value: string): void;
  oidc: {
    client: { clientId: string };
    session: { accountId: string };
    provider: { Grant: new (of: { clientId: string; accountId: string }) => Grant };
  };
}

interface Grant {
  addOIDCScope(scope: string): void;
  save(): Promise<string>;
}

interface ProviderModule {
  Provider: new (issuer: string, configuration: Record<string, unknown>) => Provider;
}

/** Loads the provider without its warnings about the runtime and production settings. */
export async function makeProvider(
  issuer: string,
  configuration: Record<string, unknown>,
): Promise<Provider> {
  const warn = console.warn;
  console.warn = () => {};
  try {
    const { Provider } = await import("oidc-provider") as unknown as ProviderModule;
    return new Provider(issuer, configuration);
  } finally {
    console.warn = warn;
  }
}
