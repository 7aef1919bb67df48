import { Popover, PopoverDisclosure, PopoverHeading, PopoverProvider } from "@ariakit/react";
import { Icon } from "../icons.tsx";
import { type Density, setDensity, useDensity } from "./density.ts";
import type { GridArrangement } from "./grid-preferences.ts";

const DENSITIES: readonly (readonly [Density, string])[] = [["compact", "Compact"], [
  "comfortable",
  "Comfortable",
]];

/** Chooses and orders the columns of a grid, and the height of rows. */
export function ColumnMenu<T>({ columns, shown, preferences, keep, reset }: GridArrangement<T>) {
  const density = useDensity();
  const show = (id: string, visible: boolean) =>
    keep({ ...preferences, visible: { ...preferences.visible, [id]: visible } });
  const move = (index: number, step: 1 | -1) => {
    const order = columns.map(({ id }) => id);
    const [id] = order.splice(index, 1);
    order.splice(index + step, 0, id!);
    keep({ ...preferences, order });
  };
  return (
    <PopoverProvider placement="bottom-end">
      <PopoverDisclosure className="button button-small" aria-label="Columns and density">
        <Icon name="columns" />
        <span className="wide-label">Columns</span>
      </PopoverDisclosure>
      <Popover className="panel column-panel" gutter={6} unmountOnHide>
        <PopoverHeading className="suggestion-group">Columns</PopoverHeading>
        <ul>
          {columns.map((column, index) => (
            <li key={column.id} className="column-choice">
              <label>
                <input
                  type="checkbox"
                  checked={shown.includes(column)}
                  disabled={shown.length === 1 && shown.includes(column)}
                  onChange={(event) => show(column.id, event.target.checked)}
                />
                {column.header}
              </label>
              <button
                type="button"
                className="button-icon"
                aria-label={`Move ${column.header} left`}
                disabled={index === 0}
                onClick={() => move(index, -1)}
              >
                <Icon name="up" />
              </button>
              <button
                type="button"
                className="button-icon"
                aria-label={`Move ${column.header} right`}
                disabled={index === columns.length - 1}
                onClick={() => move(index, 1)}
              >
                <Icon name="down" />
              </button>
            </li>
          ))}
        </ul>
        <div className="column-end">
          <div className="segments" role="group" aria-label="Height of rows">
            {DENSITIES.map(([value, name]) => (
              <button
                key={value}
                type="button"
                className="segment"
                aria-pressed={density === value}
                onClick={() => setDensity(value)}
              >
                {name}
              </button>
            ))}
          </div>
          <button type="button" className="button button-small button-quiet" onClick={reset}>Reset</button>
        </div>
      </Popover>
    </PopoverProvider>
  );
}
