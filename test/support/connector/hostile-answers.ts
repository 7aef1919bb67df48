// What a receiver of webhooks may do to a sender; each of them is one behaviour of hostile-receiver.ts.

import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import type { Behaviour } from "./hostile-receiver.ts";

const MEGABYTE = 1024 * 1024;

/** A proper answer that closes the connection. `headers`: further lines, `Name: value`. */
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

/** These bytes, and the end. */
export function bytes(text: string, when: Behaviour["when"] = "request"): Behaviour {
  return { when, act: (socket) => void socket.end(text, "latin1") };
}

/** Keeps the connection open and says nothing, from when it is there or after the request. */
export function hang(when: Behaviour["when"] = "request"): Behaviour {
  return { when, act() {} };
}

/** A good head, and never the body it promises. */
export function hangAfterHead(status = 200): Behaviour {
  return {
    when: "request",
    act: (socket) => void socket.write(`HTTP/1.1 ${status} OK\r\nContent-Length: 100\r\n\r\n`),
  };
}

/** Half of a head, and silence. */
export function hangInHead(): Behaviour {
  return { when: "request", act: (socket) => void socket.write("HTTP/1.1 200 OK\r\nContent-Le") };
}

/** Another behaviour, some time later. */
export function later(ms: number, then: Behaviour): Behaviour {
  return { when: then.when, act: (socket) => void setTimeout(() => then.act(socket), ms) };
}

/** Ends the connection without an answer. */
export function closeUnanswered(when: Behaviour["when"] = "request"): Behaviour {
  return { when, act: (socket) => void socket.destroy() };
}

/** RST instead of an answer. */
export function reset(when: Behaviour["when"] = "request"): Behaviour {
  return { when, act: (socket) => void socket.resetAndDestroy() };
}

/** Ends the connection in the middle of the body that its head promised. */
export function closeMidBody(status: number): Behaviour {
  return bytes(`HTTP/1.1 ${status} Some Reason\r\nContent-Length: 1000\r\n\r\nhalf of it`);
}

/** A head and then `megabytes` of body, or for as long as anybody takes it. */
export function hugeBody(status: number, megabytes = 64): Behaviour {
  return {
    when: "request",
    act: async (socket) => {
      socket.write(`HTTP/1.1 ${status} Some Reason\r\nContent-Length: ${megabytes * MEGABYTE}\r\n\r\n`);
      await pour(socket, Buffer.alloc(MEGABYTE, "x"), megabytes);
    },
  };
}

/** A head that never ends: header after header. */
export function hugeHead(megabytes = 64): Behaviour {
  return {
    when: "request",
    act: async (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      await pour(socket, Buffer.from(`X-Filler: ${"y".repeat(1010)}\r\n`.repeat(1024)), megabytes);
    },
  };
}

/** A good answer, one byte every `everyMs`. */
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

/** `100 Continue`, as many times as given, and then the behaviour's own answer. */
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
