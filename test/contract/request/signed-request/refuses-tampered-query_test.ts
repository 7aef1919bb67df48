import { refuses, signed } from "./support.ts";

const withSearch = async (search: string) => {
  const arrived = await signed();
  return { ...arrived, request: { ...arrived.request, search } };
};

refuses("another query value", () => withSearch("?b=2&a=2"));
refuses("a query parameter more", () => withSearch("?b=2&a=1&tenant_id=branch"));
refuses("a repeated query parameter", () => withSearch("?b=2&a=1&a=1"));
refuses("no query", () => withSearch(""));
