/// <reference lib="dom" />
// What leads from addresses to their flows.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Incident } from "../../src/contract/incident/incident.ts";
import { splitAddresses } from "../../src/dashboard/entity/addresses.ts";
import { HOSTILE_DEVICE } from "./hostile.ts";
import { send } from "./support.ts";

/** An address in the text of a page. */
interface Shown {
  ip: string;
  /** Where a click on it leads; null for text that is no link. */
  href: string | null;
  /** The whole text. */
  text: string;
}

/** Where the flows of an address are listed. */
const LISTS_FLOWS = /^\/t\/main\/(address|devices|explore)\b/;
/** The name of an object that leads to it; its addresses stand beside it as values of their own. */
const LEADS_TO_OBJECT = /^\/t\/main\/(incidents|review|flows)\//;

/** The addresses on a page, except those in its heading and in tables' captions for screen readers. */
async function addressesOn(page: Page): Promise<Shown[]> {
  const texts = await page.locator("main").evaluate((main) => {
    const found: { text: string; href: string | null }[] = [];
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement!;
      if (element.closest("h1, caption") !== null || !element.checkVisibility()) continue;
      // A group's button filters the flows beside it.
      if (element.closest(".ranking-value[title^='Filter for']") !== null) continue;
      // In the tables of the map a name selects its node; the number of flows beside it is the link.
      const link = element.closest("a[href]") ??
        (element.closest(".map-main") ? element.closest("tr")?.querySelector("a[href]") : null);
      found.push({ text: node.nodeValue ?? "", href: link?.getAttribute("href") ?? null });
    }
    return found;
  });
  return texts.flatMap(({ text, href }) =>
    splitAddresses(text).filter(({ address }) => address).map((part) => ({ ip: part.text, href, text }))
  );
}

/**
 * Asserts that every address on the page is a link to its flows, and follows the first one that is not of this
 * computer; false if there is none.
 */
export async function followAddress(page: Page, what: string): Promise<boolean> {
  const shown = await addressesOn(page);
  const loose = shown.filter(({ href }) =>
    href === null || !(LISTS_FLOWS.test(href) || LEADS_TO_OBJECT.test(href))
  );
  assert.deepEqual(loose.map(({ text, href }) => `${text.slice(0, 100)}: ${href}`), [], what);
  const first = shown.find(({ ip, href }) => LISTS_FLOWS.test(href!) && ip !== "127.0.0.1");
  if (first === undefined) return false;
  await page.locator(`main a[href="${first.href}"]`).first().click();
  await page.waitForURL((url) => url.pathname === first.href!.split("?")[0]);
  await page.getByRole("grid", { name: "Flows", exact: true }).locator(".grid-body [role=row]").first()
    .waitFor();
  return true;
}

/** A proposed quarantine and a suppression of another pattern, whose texts and patterns have addresses. */
export async function actOn({ id, device_ids }: Incident, responder: Page, analyst: Page): Promise<void> {
  await send(responder, "post", `/api/v1/incidents/${id}/response-actions`, {
    kind: "quarantine_device",
    target: { device_id: device_ids[0] },
    reason: "198.51.100.1 answered.",
  });
  await send(analyst, "post", "/api/v1/suppressions", {
    pattern: { source: HOSTILE_DEVICE, destination: "198.51.100.250" },
    reason: "Agreed with operations.",
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
}
