// Hostile receiver behaviour for webhook tests; each entry is one behaviour of hostile-receiver.ts.

import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import type { Behaviour } from "./hostile-receiver.ts";

const MEGABYTE = 1024 * 1024;

/** A valid response that closes the connection. `headers`: additional lines, `Name: value`. */
export function answer(status: number, headers: readonly string[] = [], body = "ok"): Behaviour {
  const bodiless = status < 200 || status === 204 || status === 304;
  const head = [
    `HTTP/1.1 ${status} Some Reason`,
    ...bodiless ? [] : [`Content-Length: ${Buffer.byteLength(body)}`],
    "Connection: close",
    ...headers,
  ];
  return bytes(head.join("\r\n") + "\r\n\r\n" + (bodiless ? "" : body));
}

/** Sends these bytes, then closes. */
export function bytes(text: string, when: Behaviour["when"] = "request"): Behaviour {
  return { when, act: (socket) => void socket.end(text, "latin1") };
}

/** Keeps the connection open without responding, from connect or from the end of the request. */
export function hang(when: Behaviour["when"] = "request"): Behaviour {
  return { when, act() {} };
}

/** A valid head whose promised body never arrives. */
export function hangAfterHead(status = 200): Behaviour {
  return {
    when: "request",
    act: (socket) => void socket.write(`HTTP/1.1 ${status} OK\r\nContent-Length: 100\r\n\r\n`),
  };
}

/** Sends half of a head, then stalls. */
export function hangInHead(): Behaviour {
  return { when: "request", act: (socket) => void socket.write("HTTP/1.1 200 OK\r\nContent-Le") };
}

/** Another behaviour after a delay. */
export function later(ms: number, then: Behaviour): Behaviour {
  return { when: then.when, act: (socket) => void setTimeout(() => then.act(socket), ms) };
}

/** Closes the connection without a response. */
export function closeUnanswered(when: Behaviour["when"] = "request"): Behaviour {
  return { when, act: (socket) => void socket.destroy() };
}

/** Sends RST instead of a response. */
export function reset(when: Behaviour["when"] = "request"): Behaviour {
  return { when, act: (socket) => void socket.resetAndDestroy() };
}

/** Closes the connection in the middle of the promised body. */
export function closeMidBody(status: number): Behaviour {
  return bytes(`HTTP/1.1 ${status} Some Reason\r\nContent-Length: 1000\r\n\r\nhalf of it`);
}

/** A head followed by `megabytes` of body, or less if the client stops reading. */
export function hugeBody(status: number, megabytes = 64): Behaviour {
  return {
    when: "request",
    act: async (socket) => {
      socket.write(`HTTP/1.1 ${status} Some Reason\r\nContent-Length: ${megabytes * MEGABYTE}\r\n\r\n`);
      await pour(socket, Buffer.alloc(MEGABYTE, "x"), megabytes);
    },
  };
}

/** A head that never ends: one header after another. */
export function hugeHead(megabytes = 64): Behaviour {
  return {
    when: "request",
    act: async (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      await pour(socket, Buffer.from(`X-Filler: ${"y".repeat(1010)}\r\n`.repeat(1024)), megabytes);
    },
  };
}

/** A valid response, one byte every `everyMs`. */
export function drip(everyMs: number): Behaviour {
  return {
    when: "request",
    act: async (socket) => {
      const text = `HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n${"z".repeat(4000)}`;
      for (const byte of Buffer.from(text)) {
        if (socket.destroyed) return;
        socket.write(Buffer.of(byte));
        await new Promise((resolve) => setTimeout(resolve, everyMs));
      }
    },
  };
}

/** Sends `100 Continue` the given number of times, then the behaviour's own response. */
export function afterInformation(times: number, then: Behaviour, status = "100 Continue"): Behaviour {
  return {
    when: then.when,
    act: async (socket) => {
      socket.write(`HTTP/1.1 ${status}\r\n\r\n`.repeat(times));
      await then.act(socket);
    },
  };
}

async function pour(socket: Socket, chunk: Uint8Array, times: number): Promise<void> {
  for (let sent = 0; sent < times && !socket.destroyed; sent++) {
    if (socket.write(chunk)) continue;
    await new Promise<void>((resolve) => {
      socket.once("drain", resolve);
      socket.once("close", resolve);
    });
  }
}
