import { Combobox, ComboboxItem, ComboboxLabel, ComboboxPopover, ComboboxProvider } from "@ariakit/react";
import { Foreign } from "../foreign.tsx";
import { useChoices } from "./use-choices.ts";

interface SuggestFieldProps {
  label: string;
  value: string;
  set: (value: string) => void;
  /** Values to choose from; any other text is allowed too. */
  suggestions: readonly string[];
  required?: boolean;
  maxLength?: number;
  placeholder?: string;
}

const MOST_SUGGESTIONS = 50;

/** A text with suggestions. */
export function SuggestField(props: SuggestFieldProps) {
  const { label, value, set, suggestions, required, maxLength, placeholder } = props;
  const wanted = value.trim().toLowerCase();
  // All are offered again once one is chosen.
  const offered = suggestions.includes(value)
    ? suggestions
    : suggestions.filter((one) => one.toLowerCase().includes(wanted));
  const { onKeyDownCapture, ...state } = useChoices(offered.length > 0);
  return (
    <ComboboxProvider
      {...state}
      value={value}
      setValue={set}
      resetValueOnHide={false}
    >
      <div className="field" onKeyDownCapture={onKeyDownCapture}>
        <ComboboxLabel className="field-label">{label}</ComboboxLabel>
        <Combobox
          required={required}
          maxLength={maxLength}
          placeholder={placeholder}
          spellCheck={false}
          autoComplete="none"
        />
      </div>
      {offered.length > 0 && (
        <ComboboxPopover
          className="menu select-menu"
          gutter={4}
          sameWidth
          fixed
          portal={false}
          unmountOnHide
          aria-label={label}
        >
          {offered.slice(0, MOST_SUGGESTIONS).map((one) => (
            <ComboboxItem key={one} value={one} className="menu-item">
              <Foreign text={one} />
            </ComboboxItem>
          ))}
        </ComboboxPopover>
      )}
    </ComboboxProvider>
  );
}
