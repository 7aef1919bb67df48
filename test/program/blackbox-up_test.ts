import { startUp } from "../support/up.ts";
import { driveService } from "./blackbox.ts";

Deno.test("every documented operation against `ndr up` with its embedded database", async () => {
  const rates = { NDR_SESSION_RATE: "10000", NDR_ADDRESS_RATE: "10000", NDR_SIGN_IN_RATE: "10000" };
  const up = await startUp({ emptyDatabase: true, sample: false, env: rates });
  try {
    await driveService(up.baseUrl, up.coreUrl, up.sources);
  } finally {
    await up.stop();
  }
});
