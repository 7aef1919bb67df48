// A receiver of webhooks over real sockets that does whatever it is told: answers, lies, hangs, dies, and comes back.
// It reads requests itself, so that what it saw is bytes and not what some HTTP server made of them.

import { Buffer } from "node:buffer";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { Credentials } from "../certificates.ts";

/** One request, as it came in. */
export interface ReceivedRequest {
  /** Counts the connections of this receiver from 1. */
  connection: number;
  /** Method, path and version. */
  requestLine: string;
  /** Names in lowercase; of repeated ones the values joined by `, `. */
  headers: Record<string, string>;
  body: Uint8Array;
}

/** What it does on one connection. */
export interface Behaviour {
  /**
   * When: as soon as the connection is there (under TLS: the handshake is over), after the headers of a request, or after all
   * of it.
   */
  when: "connected" | "headers" | "request";
  act(socket: Socket): void | Promise<void>;
}

interface Behaving {
  /** The next connections do these, one each; each one after them does `otherwise`. */
  script: Behaviour[];
  otherwise: Behaviour;
}

const PATIENCE_MS = 60_000;
const HEAD_END = "\r\n\r\n";

export class HostileReceiver {
  /** Complete requests, in the order in which they came. */
  readonly requests: ReceivedRequest[] = [];
  /** How many connections were made, whatever became of them; a failed TLS handshake counts. */
  connections = 0;
  /** How many bytes came in, whole requests or not; under TLS what was inside of it. */
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

  /** Listens on a port of its own on 127.0.0.1; with `credentials` it speaks TLS. */
  static async start(otherwise: Behaviour, credentials: Credentials | null = null): Promise<HostileReceiver> {
    const receiver = new HostileReceiver(credentials, otherwise);
    await receiver.comeBack();
    return receiver;
  }

  /** `host`: the name to reach it by. */
  url(host = "127.0.0.1"): string {
    return `${this.#credentials === null ? "http" : "https"}://${host}:${this.#port}/hook`;
  }

  get port(): number {
    return this.#port;
  }

  /** The next connections do these; afterwards it does `otherwise`, which stays as it was unless it is given. */
  behave(script: readonly Behaviour[], otherwise: Behaviour = this.#behaving.otherwise): void {
    this.#behaving = { script: [...script], otherwise };
  }

  /** Ends every connection and shows another certificate from now on, on the same port. */
  async show(credentials: Credentials | null): Promise<void> {
    await this.goAway();
    this.#credentials = credentials;
    await this.comeBack();
  }

  /** Ends every connection and refuses new ones. */
  async goAway(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    await closed;
  }

  /** Takes connections again, on the same port. */
  async comeBack(): Promise<void> {
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
    await this.goAway();
  }

  /** Resolves when `count` complete requests have come in; fails where they do not in a minute. */
  async received(count: number): Promise<void> {
    if (this.requests.length >= count) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ count, resolve });
    const late = () =>
      reject(new Error(`waited a minute for ${count} requests; ${this.requests.length} came`));
    const timer = setTimeout(late, PATIENCE_MS);
    await promise.finally(() => clearTimeout(timer));
  }

  /** Under TLS there are two sockets a connection; both must go when the receiver does. */
  #watch(socket: Socket): void {
    this.#sockets.add(socket);
    // Who is cut off by the other side did nothing wrong here.
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

/** The request, once all of it is there; only a body of a stated length is understood. */
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
  if (!Number.isInteger(length)) throw new Error(`a request without a length: ${requestLine}`);
  const body = bytes.subarray(end + HEAD_END.length);
  return body.length < length ? null : { connection, requestLine, headers, body: new Uint8Array(body) };
}
