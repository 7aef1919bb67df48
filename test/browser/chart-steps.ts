/// <reference lib="dom" />
// The charts of a page and the numbers behind them.
import type { Locator, Page } from "playwright-core";

export const chartOf = (page: Page, name: string | RegExp) =>
  page.getByRole("figure", { name, exact: typeof name === "string" });

/** The cells of the table behind a chart. */
export async function tableOf(chart: Locator): Promise<string[][]> {
  // Without a legend it is in the head of the chart's card.
  const toggle = chart.page().getByRole("button", {
    name: `Show as table: ${await chart.getAttribute("aria-label")}`,
    exact: true,
  });
  await toggle.click();
  const rows = await chart.locator("table tr").evaluateAll((found) =>
    found.map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent))
  );
  await toggle.click();
  return rows;
}
