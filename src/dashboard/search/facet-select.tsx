import type { FieldName } from "../../contract/filter/fields.ts";
import type { Operator } from "../../contract/filter/field.ts";
import { ChoiceFilter } from "../ui/field/select-field.tsx";
import { facetValue, withFacet } from "../base/filter-text.ts";
import type { ListFilter } from "./use-filter.ts";

interface FacetSelectProps {
  label: string;
  filter: ListFilter;
  facet: { field: FieldName; op: Operator };
  options: readonly (readonly [value: string, name: string])[];
}

/** A select that sets one condition of the filter. */
export function FacetSelect({ label, filter: { text, change }, facet, options }: FacetSelectProps) {
  return (
    <ChoiceFilter
      label={label}
      value={facetValue(text, facet)}
      options={options}
      set={(value) => change(withFacet(text, facet, value))}
    />
  );
}
