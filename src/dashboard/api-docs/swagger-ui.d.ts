// The part of Swagger UI's types that is used here.

interface SwaggerRequest {
  url: string;
  method?: string;
  headers: Record<string, string>;
}

interface SwaggerOptions {
  url: string;
  domNode: Element;
  deepLinking: boolean;
  docExpansion: "list" | "full" | "none";
  defaultModelsExpandDepth: number;
  filter: boolean;
  /** Null: no external validator is called. */
  validatorUrl: null;
  /** Methods that can be tried. */
  supportedSubmitMethods: string[];
  requestInterceptor(request: SwaggerRequest): SwaggerRequest;
}

export default function SwaggerUI(options: SwaggerOptions): unknown;
