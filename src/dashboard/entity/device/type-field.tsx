import { Combobox, ComboboxItem, ComboboxLabel, ComboboxPopover, ComboboxProvider } from "@ariakit/react";
import { useQuery } from "@tanstack/react-query";
import { DeviceTypeIcon, KNOWN_TYPES, typeName } from "./device-type.tsx";
import { Foreign } from "../../ui/foreign.tsx";
import { deviceDirectory } from "../../base/devices.ts";
import { useSignedIn } from "../../base/session.ts";
import { useChoices } from "../../ui/field/use-choices.ts";

/** The known types and those in use. */
export function useTypes(): string[] {
  const { tenant } = useSignedIn();
  const { data } = useQuery(deviceDirectory(tenant));
  const inUse = [...data?.devices.values() ?? []].map(({ device_type }) => device_type);
  return [...new Set([...KNOWN_TYPES, ...inUse])].sort();
}

interface TypeFieldProps {
  /** Known types, and those in use. */
  types: string[];
  value: string;
  set: (value: string) => void;
  /** Has the focus when its dialog opens. */
  autoFocus?: boolean;
}

/** The type of a device: one of the known ones, or any other text. */
export function TypeField({ types, value, set, autoFocus = false }: TypeFieldProps) {
  const wanted = value.trim().toLowerCase();
  const isKnown = types.includes(value);
  // All types are offered again once one is chosen.
  const offered = isKnown
    ? types
    : types.filter((type) => type.includes(wanted) || typeName(type).toLowerCase().includes(wanted));
  const { onKeyDownCapture, ...state } = useChoices(offered.length > 0);
  return (
    <ComboboxProvider {...state} value={value} setValue={set} resetValueOnHide={false}>
      <div className="field" onKeyDownCapture={onKeyDownCapture}>
        <ComboboxLabel>Type</ComboboxLabel>
        <Combobox
          className="type-input"
          required
          maxLength={64}
          autoComplete="none"
          data-autofocus={autoFocus || undefined}
        />
      </div>
      {offered.length > 0 && (
        <ComboboxPopover
          className="menu type-menu"
          gutter={4}
          sameWidth
          portal={false}
          aria-label="Types"
        >
          {offered.map((type) => (
            <ComboboxItem key={type} value={type} className="menu-item">
              <DeviceTypeIcon type={type} />
              <Foreign text={typeName(type)} />
            </ComboboxItem>
          ))}
        </ComboboxPopover>
      )}
    </ComboboxProvider>
  );
}
