import { startUp } from "../support/up.ts";
import { driveService, testEngines } from "./blackbox.ts";

testEngines("every documented operation against `ndr up`", async (databaseUrl) => {
  const rates = { NDR_SESSION_RATE: "10000", NDR_ADDRESS_RATE: "10000", NDR_SIGN_IN_RATE: "10000" };
  const up = await startUp({ databaseUrl, sample: false, env: rates });
  try {
    await driveService(up.baseUrl, up.coreUrl, up.sources);
  } finally {
    await up.stop();
  }
});
