import { type ReactNode, useId } from "react";
import { THEMES, useTheme } from "../base/theme.ts";
import { DENSITIES, ROW_HEIGHT, setDensity, useDensity } from "../ui/grid/density.ts";
import { browserZone, setZoneMode, useZone, type ZoneMode } from "../base/time/zone.ts";
import { Time } from "../ui/time/time.tsx";

const HEIGHTS = DENSITIES.map(([density, name]) =>
  [density, `${name}, ${ROW_HEIGHT[density]} pixels`] as const
);

interface ChoiceProps<T extends string> {
  legend: string;
  value: T;
  options: readonly (readonly [T, string])[];
  set: (value: T) => void;
  children?: ReactNode;
}

function Choice<T extends string>({ legend, value, options, set, children }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset className="choice">
      <legend>{legend}</legend>
      {options.map(([option, label]) => (
        <label key={option}>
          <input type="radio" name={name} checked={option === value} onChange={() => set(option)} />
          {label}
        </label>
      ))}
      {children}
    </fieldset>
  );
}

/** Theme, height of rows and zone of times; each applies at once. */
export function Preferences(): ReactNode {
  const [theme, setTheme] = useTheme();
  const density = useDensity();
  const zone = useZone();
  const own = browserZone();
  const zones: readonly (readonly [ZoneMode, string])[] = [
    ["local", `This browser's: ${own}`],
    ["utc", "UTC"],
  ];
  return (
    <div className="choices">
      <Choice legend="Theme" value={theme} options={THEMES} set={setTheme} />
      <Choice legend="Height of rows" value={density} options={HEIGHTS} set={setDensity} />
      <Choice
        legend="Times"
        value={zone === "UTC" && own !== "UTC" ? "utc" : "local"}
        options={own === "UTC" ? zones.slice(1).map(([, label]) => ["local", label] as const) : zones}
        set={setZoneMode}
      >
        <p className="soft small">
          Now: <Time at={new Date().toISOString()} />
        </p>
      </Choice>
    </div>
  );
}
