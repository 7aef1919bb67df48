import { Menu, MenuButton, MenuItem, MenuProvider } from "@ariakit/react";
import type { ResultKind } from "../../contract/filter/tree.ts";
import type { QueryOf } from "../../contract/request/client.ts";
import type { ExportFormat } from "../../contract/search/export.ts";
import { addressOf } from "../base/api.ts";
import { Icon } from "../ui/icons.tsx";
import { useRange } from "../ui/time/range-control.tsx";
import { windowOf } from "../base/time/range.ts";
import { setsTime } from "../base/filter-text.ts";
import { currentZone } from "../base/time/zone.ts";

const FORMATS: readonly (readonly [ExportFormat, string])[] = [
  ["csv", "Download as CSV"],
  ["ndjson", "Download as NDJSON"],
  ["records", "Download the raw records"],
];

/** What limits an export beside its filter. */
export type ExportParams = Pick<QueryOf<"exportSearch">, "from" | "to" | "suppressed">;

interface ExportMenuProps {
  kind: ResultKind;
  text: string;
  /** Parameters of a list that does not follow the page's time range, its window included. */
  params?: ExportParams;
}

/** Downloads what the filter finds. */
export function ExportMenu({ kind, text, params }: ExportMenuProps) {
  const [range] = useRange();
  const hrefOf = (format: ExportFormat) => {
    // Devices have no time range of their own, and a time in the filter takes its place.
    const window = kind === "devices" || setsTime(text) ? {} : windowOf(range, Date.now());
    return addressOf("exportSearch", {
      query: { kind, format, filter: text, zone: currentZone(), ...(params ?? window) },
    });
  };
  const formats = FORMATS.filter(([format]) => kind !== "devices" || format !== "records");
  return (
    <MenuProvider>
      <MenuButton className="button" aria-label="Export">
        <Icon name="download" />
        <span className="wide-label">Export</span>
      </MenuButton>
      <Menu className="menu" gutter={6} unmountOnHide>
        {formats.map(([format, label]) => (
          <MenuItem key={format} className="menu-item" render={<a href={hrefOf(format)} download />}>
            {label}
          </MenuItem>
        ))}
      </Menu>
    </MenuProvider>
  );
}
