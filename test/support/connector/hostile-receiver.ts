// A webhook receiver on real sockets with scripted behaviour: it responds, misbehaves, hangs, goes down and
// comes back. It parses requests itself, so tests see the raw bytes rather than an HTTP server's
// interpretation.

import { Buffer } from "node:buffer";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { Credentials } from "../certificates.ts";

/** One request as received. */
export interface ReceivedRequest {
  /** Connection number of this receiver, starting at 1. */
  connection: number;
  requestLine: string;
  /** Names in lowercase; repeated headers are joined with `, `. */
  headers: Record<string, string>;
  body: Uint8Array;
}

/** Behaviour for one connection. */
export interface Behaviour {
  /**
   * Trigger: on connect (with TLS: after the handshake), after the request headers, or after the full
   * request.
   */
  when: "connected" | "headers" | "request";
  act(socket: Socket): void | Promise<void>;
}

interface Behaving {
  /** Behaviours of the next connections, one each; later connections use `otherwise`. */
  script: Behaviour[];
  otherwise: Behaviour;
}

const PATIENCE_MS = 60_000;
const HEAD_END = "\r\n\r\n";

export class HostileReceiver {
  /** Complete requests in order of arrival. */
  readonly requests: ReceivedRequest[] = [];
  /** Number of connections accepted, including failed TLS handshakes. */
  connections = 0;
  /** Bytes received, including incomplete requests; with TLS, decrypted bytes. */
  bytes = 0;
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;
  #port = 0;
  #credentials: Credentials | null;
  #behaving: Behaving;
  #waiting: { count: number; resolve: () => void }[] = [];

  private constructor(credentials: Credentials | null, otherwise: Behaviour) {
    this.#credentials = credentials;
    this.#behaving = { script: [], otherwise };
  }

  /** Listens on a free port of 127.0.0.1; uses TLS when `credentials` is given. */
  static async start(otherwise: Behaviour, credentials: Credentials | null = null): Promise<HostileReceiver> {
    const receiver = new HostileReceiver(credentials, otherwise);
    await receiver.listenAgain();
    return receiver;
  }

  /** `host`: host name to use in the URL. */
  url(host = "127.0.0.1"): string {
    return `${this.#credentials === null ? "http" : "https"}://${host}:${this.#port}/hook`;
  }

  get port(): number {
    return this.#port;
  }

  /** Scripts the next connections; later ones use `otherwise`, which is unchanged by default. */
  behave(script: readonly Behaviour[], otherwise: Behaviour = this.#behaving.otherwise): void {
    this.#behaving = { script: [...script], otherwise };
  }

  /** Closes every connection and presents another certificate from now on, on the same port. */
  async useCredentials(credentials: Credentials | null): Promise<void> {
    await this.stopListening();
    this.#credentials = credentials;
    await this.listenAgain();
  }

  /** Closes every connection and refuses new ones. */
  async stopListening(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    await closed;
  }

  /** Accepts connections again on the same port. */
  async listenAgain(): Promise<void> {
    const taking = (socket: Socket) => this.#take(socket);
    const server = this.#credentials === null
      ? createTcpServer(taking)
      : createTlsServer({ cert: this.#credentials.cert, key: this.#credentials.key }, taking);
    server.on("connection", (socket: Socket) => {
      this.connections++;
      this.#watch(socket);
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(this.#port, "127.0.0.1", () => resolve());
    });
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async close(): Promise<void> {
    await this.stopListening();
  }

  /** Resolves when `count` complete requests have arrived; fails after one minute. */
  async received(count: number): Promise<void> {
    if (this.requests.length >= count) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ count, resolve });
    const late = () =>
      reject(new Error(`waited a minute for ${count} requests; received ${this.requests.length}`));
    const timer = setTimeout(late, PATIENCE_MS);
    await promise.finally(() => clearTimeout(timer));
  }

  /** With TLS each connection has two sockets; both must be destroyed with the receiver. */
  #watch(socket: Socket): void {
    this.#sockets.add(socket);
    // A reset by the peer is expected here.
    socket.on("error", () => {});
    socket.on("close", () => this.#sockets.delete(socket));
  }

  #take(socket: Socket): void {
    if (this.#credentials !== null) this.#watch(socket);
    const connection = this.connections;
    const behaviour = this.#behaving.script.shift() ?? this.#behaving.otherwise;
    if (behaviour.when === "connected") void behaviour.act(socket);
    let seen = Buffer.alloc(0);
    let headersSeen = false;
    let done = false;
    socket.on("data", (part: Uint8Array) => {
      this.bytes += part.length;
      if (done) return;
      seen = Buffer.concat([seen, part]);
      if (!headersSeen && seen.includes(HEAD_END)) {
        headersSeen = true;
        if (behaviour.when === "headers") void behaviour.act(socket);
      }
      const request = readRequest(seen, connection);
      if (request === null) return;
      done = true;
      this.#note(request);
      if (behaviour.when === "request") void behaviour.act(socket);
    });
  }

  #note(request: ReceivedRequest): void {
    this.requests.push(request);
    const reached = this.#waiting.filter(({ count }) => this.requests.length >= count);
    this.#waiting = this.#waiting.filter(({ count }) => this.requests.length < count);
    for (const { resolve } of reached) resolve();
  }
}

/** Returns the request once it is complete; only bodies with Content-Length are supported. */
function readRequest(bytes: Buffer, connection: number): ReceivedRequest | null {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return null;
  const [requestLine = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    const [name, value] = [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  const bodiless = requestLine.startsWith("GET ");
  const length = Number(headers["content-length"] ?? (bodiless ? 0 : Number.NaN));
  if (!Number.isInteger(length)) throw new Error(`request without Content-Length: ${requestLine}`);
  const body = bytes.subarray(end + HEAD_END.length);
  return body.length < length ? null : { connection, requestLine, headers, body: new Uint8Array(body) };
}
