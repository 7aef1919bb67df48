/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** What the viewer's own markup lacks for assistive programs, by selector. */
const MENDS: readonly (readonly [selector: string, mend: (element: Element) => void])[] = [
  ["select:not([aria-label])", (element) => element.setAttribute("aria-label", "Example or value")],
  [".microlight:not([tabindex])", (element) => element.setAttribute("tabindex", "0")],
  [".information-container:not([role])", (element) => setLandmark(element, "region", "About the API")],
  [".filter-container:not([role])", (element) => setLandmark(element, "search", "Operations")],
  // A link within a button: the button opens the operation and sets its address.
  [".opblock-summary-control a[href]", (element) => element.removeAttribute("href")],
  [".models > h4:not([aria-level]), .webhooks > h4:not([aria-level])", (element) => {
    element.setAttribute("role", "heading");
    element.setAttribute("aria-level", "2");
  }],
];

function setLandmark(element: Element, role: string, name: string): void {
  element.setAttribute("role", role);
  element.setAttribute("aria-label", name);
}

/** Mends the viewer's markup now and whenever it changes. */
export function mendMarkup(root: Element): void {
  const mend = () => {
    for (const [selector, change] of MENDS) root.querySelectorAll(selector).forEach(change);
  };
  new MutationObserver(mend).observe(root, { childList: true, subtree: true, attributeFilter: ["href"] });
  mend();
}
