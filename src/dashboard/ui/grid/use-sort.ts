import { useNavigate, useSearch } from "@tanstack/react-router";

/** The order of a list in the API's text form, kept in the address. An order that the list lacks is dropped. */
export function useSort<Sort extends string>(
  allowed: readonly Sort[],
  usual: Sort,
): [sort: Sort, setSort: (sort: string) => void] {
  const { sort }: { sort?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const current = allowed.find((one) => one === sort) ?? usual;
  return [current, (next) =>
    void navigate({
      to: ".",
      search: (old) => ({ ...old, sort: next === usual ? undefined : next }),
    })];
}
