/// <reference lib="dom" />
// States of pages: what opens above or within them. The states of one page follow each other without loading it again.
import type { Page } from "playwright-core";

export interface PageState {
  name: string;
  account: "analyst" | "responder" | "admin";
  /** The page's address below the tenant. */
  path: string;
  /** Brings the page into the state, and waits until it is complete. */
  open: (page: Page) => Promise<void>;
  /** What opened. */
  shown: string;
  /** Leaves the state, so that the next one of the page can follow. */
  leave: (page: Page) => Promise<void>;
}

type Opened = Pick<PageState, "open" | "shown" | "leave">;

const DIALOG = "dialog[open]";
const DETAIL = ".grid-detail";
const PEEK = "aside.peek";

const press = (...keys: string[]) => async (page: Page) => {
  for (const key of keys) await page.keyboard.press(key);
};
const click = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first().click();

/** Opens something and waits until it is there. Without `leave`, Escape closes it. */
const showing = (open: PageState["open"], shown: string, leave?: PageState["leave"]): Opened => ({
  open: async (page) => {
    await open(page);
    await page.locator(shown).first().waitFor();
  },
  shown,
  leave: leave ?? (async (page) => {
    await page.keyboard.press("Escape");
    await page.locator(shown).first().waitFor({ state: "hidden" });
  }),
});

/** What the next states of the page may find open. */
const stay = () => Promise.resolve();
const inDialog = (open: PageState["open"]): Opened => showing(open, DIALOG);

const firstRow = async (page: Page) => {
  await page.locator(".grid-body [role=row]").first().waitFor();
};

/** Makes the first row the current one, unless the state before did. */
const toFirstRow = async (page: Page) => {
  await firstRow(page);
  const current = page.locator(".grid-active");
  if (await current.count() === 0) await page.keyboard.press("j");
  await current.waitFor();
};

const clickRow = (page: Page) =>
  page.locator(".grid-body .grid-row").first().locator(".grid-cell").last().click({
    position: { x: 2, y: 4 },
  });

/** The first row of a list opens in place. */
const OPEN_ROW = showing(
  async (page) => {
    await firstRow(page);
    await clickRow(page);
    await page.waitForFunction(() => document.querySelector(".grid-detail .skeleton") === null);
  },
  DETAIL,
  async (page) => {
    await clickRow(page);
    await page.locator(DETAIL).waitFor({ state: "detached" });
  },
);

/** The panel beside a list shows its first row. */
const peek = (...keys: string[]): Opened =>
  showing(
    async (page) => {
      await toFirstRow(page);
      await press(...keys)(page);
      await page.locator(PEEK).waitFor();
      await page.waitForFunction(() => document.querySelector("aside.peek .skeleton") === null);
    },
    PEEK,
    stay,
  );

/** A key acts on the first row of a list. */
const onRow = (...keys: string[]) =>
  inDialog(async (page) => {
    await toFirstRow(page);
    await press(...keys)(page);
  });

export interface Objects {
  incident: string;
  device: string;
  flow: string;
  action: string;
}

/** Every state; the ids are of objects with evidence, traffic and a pending decision. */
export function statesOf({ incident, device, flow, action }: Objects): PageState[] {
  const of = (account: PageState["account"], path: string, states: [string, Opened][]) =>
    states.map(([name, opened]): PageState => ({ name, account, path, ...opened }));
  return [
    ...of("analyst", "/explore?range=24h", [
      ["command palette", inDialog(press("Control+k"))],
      [
        "command palette with results",
        showing(async (page) => {
          await page.keyboard.press("Control+k");
          await page.keyboard.type("10.0.0.66");
          await page.locator("dialog[open] [role=option]").first().waitFor();
        }, DIALOG),
      ],
      ["keys overlay", inDialog(press("?"))],
      ["range panel", showing((page) => click(page, /^Time range:/), ".range-panel")],
      ["notifications", showing((page) => click(page, /^Notifications/), ".news-panel")],
      ["account menu", showing((page) => click(page, /^Account of/), ".panel")],
      ["column menu", showing((page) => click(page, "Columns and density"), ".column-panel")],
      ["export menu", showing((page) => click(page, "Export"), "[role=menu]")],
      ["menu of saved searches", showing((page) => click(page, "Saved searches"), "[role=menu]")],
      [
        "saving a search",
        inDialog(async (page) => {
          await click(page, "Saved searches");
          await page.getByRole("menuitem", { name: "Save this search…" }).click();
        }),
      ],
      [
        "managing saved searches",
        inDialog(async (page) => {
          await click(page, "Saved searches");
          await page.getByRole("menuitem", { name: "Change or delete…" }).click();
        }),
      ],
      [
        "chip menu",
        showing(async (page) => {
          const chip = page.locator(".grid-body .entity-address").first();
          await chip.hover();
          await chip.getByRole("button").click();
        }, "[role=menu]"),
      ],
      [
        "suppression of a value",
        inDialog(async (page) => {
          const chip = page.locator(".grid-body .entity-address").first();
          await chip.hover();
          await chip.getByRole("button").click();
          await page.getByRole("menuitem", { name: "Suppress…" }).click();
        }),
      ],
      ["an open flow", OPEN_ROW],
      [
        "an open flow with its raw record",
        showing(
          async (page) => {
            await OPEN_ROW.open(page);
            await click(page, "Raw record");
          },
          ".raw",
          OPEN_ROW.leave,
        ),
      ],
      ["a flow in the panel", peek("o")],
      ["suggestions", showing(press("/", "d", "s"), "[role=option]")],
      [
        "an invalid filter",
        showing(
          async (page) => {
            await page.keyboard.press("/");
            await page.locator(".filter-text").fill("dst.prt:80");
            await page.keyboard.press("Enter");
          },
          ".query-problems",
          stay,
        ),
      ],
    ]),
    ...of("analyst", "/triage", [
      ["an incident in the panel", peek()],
      ["resolve", onRow("e")],
      ["false positive", onRow("f")],
      ["assign", onRow("a")],
      ["comment", onRow("c")],
      ["suppress from the list", onRow("s")],
      [
        "selected rows",
        showing(async (page) => {
          await toFirstRow(page);
          await page.keyboard.press("x");
        }, "[aria-label='Selected rows']"),
      ],
      [
        "an open select",
        showing((page) => page.getByRole("combobox", { name: /^Severity/ }).click(), ".select-menu"),
      ],
    ]),
    ...of("analyst", `/incidents/${incident}`, [
      [
        "open evidence",
        showing(
          (page) => page.locator(".evidence [data-row]").first().click(),
          ".evidence-panel .raw",
          stay,
        ),
      ],
      ["suppress", inDialog((page) => click(page, "Suppress this pattern…"))],
      ["propose a status", inDialog((page) => further(page, "Propose a status…"))],
      ["feedback on a detector", inDialog((page) => further(page, "Give feedback on a detector…"))],
    ]),
    // Last of the incident's states, because it changes the incident.
    ...of("analyst", `/incidents/${incident}`, [
      [
        "toast",
        showing(
          async (page) => {
            await click(page, "Investigate");
            // It disappears after a while, unless the pointer is over it. `hover` would wait for it to be still.
            await page.locator(".toast").dispatchEvent("pointerover");
          },
          ".toast",
          stay,
        ),
      ],
    ]),
    ...of("responder", `/incidents/${incident}`, [
      ["propose an action", inDialog((page) => click(page, "Propose an action…"))],
    ]),
    ...of("analyst", `/devices/${device}?range=24h`, [
      ["edit a device", inDialog((page) => click(page, "Edit"))],
      ["an open flow of a device", OPEN_ROW],
    ]),
    ...of("analyst", "/devices", [["a device in the panel", peek("o")]]),
    ...of("analyst", "/address/198.51.100.1?range=24h", [["an open flow of an address", OPEN_ROW]]),
    ...of("analyst", `/flows/${flow}`, [
      ["the raw record of a flow", showing((page) => click(page, "Raw record"), ".raw", stay)],
      [
        "the menu of a member of a record",
        showing(async (page) => {
          await page.locator(".json-pivot").first().click();
        }, "[role=menu]"),
      ],
    ]),
    ...of("responder", "/review/actions", [
      ["a decision in the panel", peek()],
      ["approve", onRow("a")],
      ["reject", onRow("r")],
      ["cancel", onRow("c")],
    ]),
    ...of("responder", `/review/actions/${action}`, [["approve on the page", inDialog(press("a"))]]),
    ...of("analyst", "/review/suppressions", [
      ["a new suppression", inDialog((page) => click(page, "New suppression…"))],
      ["revoke a suppression", onRow("r")],
    ]),
    ...of("analyst", "/review/proposals", [
      ["a proposal in the panel", peek()],
      ["accept a proposal", onRow("a")],
      ["propose a change of a detector", inDialog((page) => click(page, "Propose a change of a detector…"))],
    ]),
    ...of("analyst", "/review/feedback", [[
      "give feedback",
      inDialog((page) => click(page, "Give feedback…")),
    ]]),
    ...of("admin", "/system/records", [["an open failed record", OPEN_ROW]]),
    ...of("admin", "/system/audit", [["an open entry of the audit log", OPEN_ROW]]),
  ];
}

/** An action of an incident that is needed less often. */
async function further(page: Page, name: string): Promise<void> {
  await page.getByRole("toolbar", { name: "Actions" }).getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name }).click();
}
