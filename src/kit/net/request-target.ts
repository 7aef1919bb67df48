type Value = string | number | boolean | null | undefined;

/**
 * The target of a request: a path template such as `/flows/{flow_id}` with its parameters, and a query. Parameters
 * without a value are left out, and one with several values is repeated.
 */
export function requestTarget(
  template: string,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, Value | readonly Value[]>> = {},
): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") search.append(name, String(one));
    }
  }
  return search.size === 0 ? path : `${path}?${search}`;
}
