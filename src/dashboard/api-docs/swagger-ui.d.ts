// As much of Swagger UI as is used here.

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
  /** Null: no outside service is asked. */
  validatorUrl: null;
  /** Methods that may be tried. */
  supportedSubmitMethods: string[];
  requestInterceptor(request: SwaggerRequest): SwaggerRequest;
}

export default function SwaggerUI(options: SwaggerOptions): unknown;
