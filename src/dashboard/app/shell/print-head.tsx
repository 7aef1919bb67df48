/// <reference lib="dom" />
import { type ReactNode, useEffect } from "react";
import { useSignedIn } from "../../base/session.ts";
import { exactTime } from "../../ui/format.ts";
import { usePrinting } from "../../ui/printing.ts";
import "../../ui/styles/print.css";

/** The light theme while a page is printed: canvases are drawn in it, too. */
function useLightPaper(): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    let former: string | undefined;
    const start = () => {
      former = dataset["theme"];
      dataset["theme"] = "light";
    };
    const end = () => {
      if (former === undefined) delete dataset["theme"];
      else dataset["theme"] = former;
    };
    addEventListener("beforeprint", start);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", start);
      removeEventListener("afterprint", end);
    };
  }, []);
}

/** On paper, above the page: whose appliance it shows, and when it was printed. Its style sheet is that of all paper. */
export function PrintHead(): ReactNode {
  const { tenantName } = useSignedIn();
  useLightPaper();
  if (!usePrinting()) return null;
  return (
    <p className="print-head">
      <span>NDR, {tenantName}</span>
      <span>Printed {exactTime(`${new Date().toISOString().slice(0, 19)}Z`)}</span>
    </p>
  );
}
