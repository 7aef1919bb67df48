/// <reference lib="dom" />
// The API's document as a page, with a form that tries each operation in the viewer's own session.

// @ts-types="./swagger-ui.d.ts"
import SwaggerUI, { type SwaggerRequest } from "swagger-ui-dist/swagger-ui-es-bundle.js";
import type { Session } from "../../contract/session/session.ts";
import { mendMarkup } from "./mend-markup.ts";
import "swagger-ui-dist/swagger-ui.css";
import "../ui/styles/tokens.css";
import "./page.css";

/** The example of the document: other clients have used it, perhaps this person too. */
const usedKeys = new Set(["5f0c2e1a-9d3b-4c55-8a53-0e6a0a6c2d10"]);

/** The session of this browser; null without a sign-in. */
async function currentSession(): Promise<Session | null> {
  const response = await fetch("/api/v1/session");
  return response.ok ? (await response.json()).data : null;
}

/**
 * Adds the headers that the dashboard sends with a write, with a new key: a key that was used before only
 * returns its first answer.
 */
function completed(request: SwaggerRequest, csrfToken: string): SwaggerRequest {
  if ((request.method ?? "GET") === "GET") return request;
  request.headers["X-CSRF-Token"] = csrfToken;
  const name = Object.keys(request.headers).find((header) => header.toLowerCase() === "idempotency-key");
  if (name === undefined) return request;
  if (usedKeys.has(request.headers[name]!)) request.headers[name] = crypto.randomUUID();
  usedKeys.add(request.headers[name]!);
  return request;
}

/** Swagger UI has its own dark theme, which a class selects. */
function followTheme(): void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const chosen = document.documentElement.dataset.theme;
    document.documentElement.classList.toggle("dark-mode", chosen === "dark" || (!chosen && system.matches));
  };
  system.addEventListener("change", apply);
  apply();
}

followTheme();
mendMarkup(document.getElementById("docs")!);
const session = await currentSession();
SwaggerUI({
  url: "/api/v1/openapi.json",
  domNode: document.getElementById("docs")!,
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  filter: true,
  validatorUrl: null,
  supportedSubmitMethods: session === null ? [] : ["get", "post", "patch"],
  requestInterceptor: (request) => completed(request, session?.csrf_token ?? ""),
});
