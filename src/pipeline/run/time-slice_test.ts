import assert from "node:assert/strict";
import { TimeSlice } from "./time-slice.ts";

async function echo(connection: Deno.Conn): Promise<void> {
  for await (const bytes of connection.readable) await connection.write(bytes);
}

Deno.test("time slice: sockets are served between slices of a long computation", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  const [client, server] = await Promise.all([Deno.connect({ port }), listener.accept()]);
  const served = echo(server).catch(() => {});
  let answers = 0;
  const asking = (async () => {
    const answer = new Uint8Array(1);
    for (; answers < 5; answers++) {
      await client.write(answer);
      await client.read(answer);
    }
  })();
  const slice = new TimeSlice();
  for (let yields = 0; yields < 1000 && answers < 5; yields++) {
    while (!slice.over);
    await slice.yield();
  }
  assert.equal(answers, 5);
  await asking;
  client.close();
  await served;
  listener.close();
});
