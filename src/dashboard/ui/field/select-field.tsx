import { Select, SelectItem, SelectLabel, SelectPopover, SelectProvider } from "@ariakit/react";
import { Icon } from "../icons.tsx";
import { Foreign } from "../foreign.tsx";
import { useChoices } from "./use-choices.ts";

export type Options<T extends string = string> = readonly (readonly [value: T, name: string])[];

interface SelectFieldProps<T extends string> {
  label: string;
  value: T;
  options: Options<T>;
  set: (value: T) => void;
  /** Name of the form's value. */
  name?: string;
}

/** One of a few values in a form. */
export function SelectField<T extends string>({ set, ...props }: SelectFieldProps<T>) {
  return (
    <BaseSelect
      {...props}
      set={(next) => set(next as T)}
      className="field"
      labelClass="field-label"
    />
  );
}

/** One of a few values where there is no room for a label: it is only for screen readers. */
export function InlineSelect<T extends string>(
  { set, className, ...props }: SelectFieldProps<T> & { className?: string },
) {
  return (
    <BaseSelect
      {...props}
      set={(next) => set(next as T)}
      className={className}
      labelClass="hidden"
    />
  );
}

interface SelectFilterProps<T extends string> {
  label: string;
  value: T | undefined;
  options: Options<T>;
  set: (value: T | undefined) => void;
  /** Label of the default. */
  otherwise?: string;
}

/** A filter of a list: one of a few values, or any. */
export function ChoiceFilter<T extends string>(
  { label, value, options, set, otherwise = "any" }: SelectFilterProps<T>,
) {
  return (
    <BaseSelect
      label={label}
      value={value ?? ""}
      options={[["", `${label}: ${otherwise}`], ...options]}
      set={(next) => set(next === "" ? undefined : next as T)}
      className="choice-filter"
      labelClass="hidden"
      buttonClass={value === undefined ? undefined : "select-set"}
    />
  );
}

interface BaseSelectProps {
  label: string;
  value: string;
  options: Options;
  set: (value: string) => void;
  name?: string;
  className?: string;
  labelClass: string;
  buttonClass?: string;
}

function BaseSelect(
  { label, value, options, set, name, className, labelClass, buttonClass = "" }: BaseSelectProps,
) {
  const { onKeyDownCapture, ...state } = useChoices();
  return (
    <SelectProvider {...state} value={value} setValue={(next) => set(next as string)}>
      <div className={className} onKeyDownCapture={onKeyDownCapture}>
        <SelectLabel className={labelClass}>{label}</SelectLabel>
        <Select className={`select-button ${buttonClass}`} name={name}>
          <Foreign text={nameOf(options, value)} className="clip" />
          <Icon name="down" />
        </Select>
        <Choices options={options} />
      </div>
    </SelectProvider>
  );
}

function Choices({ options }: { options: Options }) {
  return (
    // Neither in a portal nor clipped, so that it also opens above a modal dialog.
    <SelectPopover
      className="menu select-menu"
      gutter={4}
      sameWidth
      fixed
      portal={false}
      unmountOnHide
    >
      {options.map(([value, name]) => (
        <SelectItem key={value} value={value} className="menu-item">
          <Foreign text={name} />
        </SelectItem>
      ))}
    </SelectPopover>
  );
}

function nameOf(options: Options, value: string): string {
  return options.find(([one]) => one === value)?.[1] ?? value;
}
