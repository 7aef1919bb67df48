// Clocks are set wrong by a day and corrected again.

import assert from "node:assert/strict";
import { FAKETIME, SettableClock } from "../support/other-clock.ts";
import { outageTest, Watched } from "../support/watched.ts";

outageTest("the clock of a source is a day ahead or behind", true, async () => {
  await using watched = await Watched.start();
  await watched.until("appliance", "ok");
  const before = await watched.report();
  for (const days of [1, -1]) {
    assert.equal(await watched.send("edge", new Date(Date.now() + days * 86_400_000)), 200);
    await watched.processed();
    const { watermark, status } = await watched.report();
    assert.equal(status, "ok");
    assert.ok(Math.abs(Date.parse(watermark!) - Date.now()) < 120_000, `by server time: ${watermark}`);
    assert.ok(watermark! > before.watermark!);
  }
});

outageTest(
  "the clock of the appliance is a day ahead or behind, and is corrected",
  FAKETIME !== null,
  async () => {
    await using clock = await SettableClock.make();
    await using watched = await Watched.start({ env: clock.env });
    await watched.until("appliance", "ok");
    for (const [days, word] of [[1, "ahead of"], [-1, "behind"]] as const) {
      await clock.set(days * 86_400);
      if (days > 0) {
        // By that clock every session has expired.
        await watched.page.getByRole("link", { name: "Sign in" }).waitFor({ timeout: 60_000 });
        await watched.signIn();
      }
      await watched.untilText(new RegExp(`The appliance's clock is .* ${word} this browser's`));
      await watched.deliverAll();
      // The embedded database has the same clock, so only running time shows that it leapt ahead.
      await watched.until("clock", days > 0 ? "degraded" : "ok");
      await watched.until("appliance", days > 0 ? "degraded" : "ok");
      await watched.picture(`clock-${days}`);
      await clock.set(0);
      await watched.page.getByText("The appliance's clock").waitFor({ state: "detached", timeout: 60_000 });
      await watched.deliverAll();
      await watched.until("appliance", "ok");
    }
  },
);
