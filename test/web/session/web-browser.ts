/** The parts of a browser these tests need: a cookie jar, redirects, and the headers of same-origin pages. */
export class Browser {
  readonly cookies: Cookie[] = [];
  #csrf: string | null = null;

  /** `client`: what a service behind TLS needs, such as its authority. */
  constructor(readonly baseUrl: string, private readonly client?: Deno.HttpClient) {}

  /** Sends one request with its matching cookies; redirects are not followed. */
  async request(
    target: string,
    init: RequestInit & { headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const url = new URL(target, this.baseUrl);
    const cookie = this.cookies.filter((one) =>
      one.host === url.hostname && url.pathname.startsWith(one.path)
    )
      .map((one) => `${one.name}=${one.value}`).join("; ");
    const response = await fetch(url, {
      ...init,
      ...this.client && { client: this.client },
      redirect: "manual",
      headers: { ...(cookie ? { cookie } : {}), ...init.headers },
    });
    for (const line of response.headers.getSetCookie()) this.#store(url.hostname, line);
    return response;
  }

  /** Follows redirects; `visited` lists the intermediate addresses. */
  async visit(target: string): Promise<{ response: Response; visited: string[] }> {
    const visited: string[] = [];
    let url = new URL(target, this.baseUrl);
    for (let i = 0; i < 20; i++) {
      visited.push(url.href);
      const response = await this.request(url.href);
      const location = response.headers.get("location");
      if (location === null) return { response, visited };
      await response.body?.cancel();
      url = new URL(location, url);
    }
    throw new Error(`too many redirects: ${visited.join(" -> ")}`);
  }

  /** Signs in as one of the development accounts. */
  async signIn(account: string): Promise<this> {
    const { response, visited } = await this.visit(`/auth/login?login_hint=${account}`);
    const text = await response.text();
    if (!response.ok) throw new Error(`sign-in ended with ${response.status} at ${visited.at(-1)}: ${text}`);
    this.#csrf = null;
    return this;
  }

  async json(target: string) {
    const response = await this.request(target);
    return { status: response.status, body: await response.json() };
  }

  /** Sends a write as the dashboard does. */
  async write(
    method: string,
    target: string,
    body: unknown,
    headers: Record<string, string | undefined> = {},
  ): Promise<Response> {
    const all: Record<string, string | undefined> = {
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID(),
      "x-csrf-token": await this.csrf(),
      "origin": this.baseUrl,
      "sec-fetch-site": "same-origin",
      ...headers,
    };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return await this.request(target, {
      method,
      headers: Object.fromEntries(given),
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
    });
  }

  async csrf(): Promise<string> {
    this.#csrf ??= (await this.json("/api/v1/session")).body.data.csrf_token as string;
    return this.#csrf;
  }

  cookie(name: string): Cookie | undefined {
    return this.cookies.find((one) => one.name === name);
  }

  #store(host: string, line: string): void {
    const [pair, ...attributes] = line.split(/;\s*/);
    const [name, value] = [pair!.slice(0, pair!.indexOf("=")), pair!.slice(pair!.indexOf("=") + 1)];
    const at = new Map(attributes.map((attribute) => {
      const [key, text = ""] = attribute.split("=");
      return [key!.toLowerCase(), text];
    }));
    const path = at.get("path") ?? "/";
    const index = this.cookies.findIndex((one) =>
      one.name === name && one.host === host && one.path === path
    );
    if (index >= 0) this.cookies.splice(index, 1);
    const gone = at.get("max-age") === "0" ||
      (at.has("expires") && Date.parse(at.get("expires")!) < Date.now());
    if (!gone) this.cookies.push({ name, value, host, path, attributes: at });
  }
}

interface Cookie {
  name: string;
  value: string;
  host: string;
  path: string;
  attributes: Map<string, string>;
}
