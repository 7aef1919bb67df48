import assert from "node:assert/strict";
import { ServiceManager } from "./service-manager.ts";

Deno.test("the service manager hears that a service is ready, lives and stops", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/manager`;
  const manager = Deno.listenDatagram({ transport: "unixpacket", path });
  const heard = async () => new TextDecoder().decode((await manager.receive())[0]);
  const env: Record<string, string> = {
    NOTIFY_SOCKET: path,
    RUNTIME_DIRECTORY: folder,
    WATCHDOG_USEC: "20000",
  };
  try {
    // Left by a process that was killed.
    await Deno.writeTextFile(`${folder}/notify`, "");
    const service = new ServiceManager((name) => env[name]);
    await service.ready();
    assert.equal(await heard(), "READY=1");
    for (let round = 0; round < 3; round++) assert.equal(await heard(), "WATCHDOG=1");
    await service.stopping();
    let last = await heard();
    while (last === "WATCHDOG=1") last = await heard();
    assert.equal(last, "STOPPING=1");
  } finally {
    manager.close();
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("without a service manager nothing is sent", async () => {
  const service = new ServiceManager(() => undefined);
  await service.ready();
  await service.stopping();
});
