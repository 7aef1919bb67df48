// The endpoints of real traffic, each run inside a network namespace. The client sends a line with the byte
// counts to send and to receive, and both sides check them.
//   serve ADDRESS PORT ...                       a server at each of these addresses
//   exchange ADDRESS PORT SEND RECEIVE SECONDS   one connection that takes about this long to send
//   callback ADDRESS PORT COUNT PERIOD JITTER    small connections every PERIOD seconds, ± JITTER as a fraction of it
//   browse RESOLVER PORT SECONDS NAME ...        a user: resolves names and reads from them, at irregular times

const BLOCK = crypto.getRandomValues(new Uint8Array(65536));
/** Pauses between visits in seconds, and page sizes. Irregular, and the same in each run. */
const PAUSES = [1.2, 0.3, 7.5, 2.1, 0.7, 13, 0.4, 4.6, 0.9, 9.8, 0.2, 3.3, 17, 0.5, 1.7];
const PAGES = [14_000, 900, 220_000, 3_100, 48_000, 700, 91_000];
/** Maximum lag of a paced connection, milliseconds. */
const MOST_LATE = 20;

async function serve(hostname: string, port: number): Promise<void> {
  const listener = Deno.listen({ hostname, port });
  console.log(`listening: ${hostname} ${port}`);
  for await (const connection of listener) {
    answer(connection).catch(() => {}).finally(() => connection.close());
  }
}

async function answer(connection: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(1 << 18);
  let head = "";
  let left = 0;
  let wanted: number | null = null;
  while (wanted === null || left > 0) {
    const read = await connection.read(buffer);
    if (read === null) return;
    if (wanted !== null) left -= read;
    else {
      head += new TextDecoder("latin1").decode(buffer.subarray(0, read));
      const end = head.indexOf("\n");
      if (end < 0) continue;
      const [send, receive] = head.slice(0, end).split(" ").map(Number);
      wanted = receive ?? 0;
      left = (send ?? 0) - (head.length - end - 1);
    }
  }
  await write(connection, wanted);
}

async function write(connection: Deno.Conn, bytes: number, seconds = 0): Promise<void> {
  let due = performance.now();
  for (let sent = 0; sent < bytes;) {
    const written = await connection.write(BLOCK.subarray(0, Math.min(BLOCK.length, bytes - sent)));
    sent += written;
    // Lag is never caught up: that would be a burst no sensor can follow.
    due = Math.max(due + seconds * 1000 * (written / bytes), performance.now() - MOST_LATE);
    const early = due - performance.now();
    if (early > 5) await pause(early / 1000);
  }
}

async function exchange(
  hostname: string,
  port: number,
  send: number,
  receive: number,
  seconds = 0,
): Promise<void> {
  const connection = await Deno.connect({ hostname, port });
  await connection.write(new TextEncoder().encode(`${send} ${receive}\n`));
  await write(connection, send, seconds);
  const buffer = new Uint8Array(1 << 18);
  let received = 0;
  for (let read; (read = await connection.read(buffer)) !== null;) received += read;
  connection.close();
  if (received !== receive) throw new Error(`received ${received} of ${receive} bytes`);
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

const [command, address = "", port = "", ...rest] = Deno.args;
const numbers = rest.map(Number);
if (command === "serve") {
  const ends = Deno.args.slice(1);
  for (let at = 0; at < ends.length; at += 2) serve(ends[at]!, Number(ends[at + 1]));
} else if (command === "exchange") {
  const [send = 0, receive = 0, seconds = 0] = numbers;
  await exchange(address, Number(port), send, receive, seconds);
} else if (command === "callback") {
  const [count = 0, period = 0, jitter = 0] = numbers;
  const begin = performance.now();
  for (let beat = 0; beat < count; beat++) {
    await exchange(address, Number(port), 180, 60);
    const due = period * (1 + jitter * (2 * Math.random() - 1));
    await pause(due);
  }
  console.log(`${count} callbacks in ${(performance.now() - begin) / 1000} s`);
} else if (command === "browse") {
  const [seconds = "0", ...names] = rest;
  const end = performance.now() + Number(seconds) * 1000;
  for (let visit = 0; performance.now() < end; visit++) {
    const name = names[(visit * 7 + (visit >> 2)) % names.length]!;
    const [found] = await Deno.resolveDns(name, "A", { nameServer: { ipAddr: address, port: 53 } });
    await exchange(found!, Number(port), 400 + visit, PAGES[visit % PAGES.length]!);
    await pause(PAUSES[visit % PAUSES.length]!);
  }
} else throw new Error(`expected serve, exchange, callback or browse, got ${command}`);
