import { expectError } from "../contract/openapi/drive/walk.ts";
import { startProcesses } from "../support/processes.ts";
import { driveService, WITHOUT_MODEL } from "./blackbox.ts";

Deno.test("every documented operation against `ndr core` and `ndr web`", async () => {
  const processes = await startProcesses();
  try {
    const drive = await driveService(processes.baseUrl, processes.coreUrl, processes.sources);
    const requests = [];
    for (const [id] of WITHOUT_MODEL) requests.push([id, await drive.good(id)] as const);
    await processes.stopCore();
    for (const [id, request] of requests) {
      const answer = await drive.send(id, request);
      expectError(answer, 503, "source_unavailable", `${id} without a core`);
    }
  } finally {
    await processes.stop();
  }
});
