// The appliance's clock is set wrong by a day and corrected again, seen in a browser.

import { FAKETIME, SettableClock } from "../support/other-clock.ts";
import { CAN_WATCH, WatchedPage } from "../support/watched-page.ts";

Deno.test({
  name: "unplugged: the clock of the appliance is a day ahead or behind, and is corrected",
  ignore: !CAN_WATCH || FAKETIME === null,
  // The browser is a separate process whose sockets outlive a step.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    await using clock = await SettableClock.make();
    await using watched = await WatchedPage.start({ env: clock.env });
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
      if (days > 0) {
        await watched.until("clock", "degraded", { message: /ahead of the latest time known to have come/ });
        await watched.until("appliance", "degraded");
      } else {
        await watched.until("clock", "ok");
        await watched.until("appliance", "ok");
      }
      await watched.picture(`clock-${days}`);
      await clock.set(0);
      await watched.page.getByText("The appliance's clock").waitFor({ state: "detached", timeout: 60_000 });
      await watched.deliverAll();
      await watched.until("appliance", "ok");
    }
  },
});
