import { refuses, signed } from "./support.ts";

const withRequest = async (change: { method?: string; pathname?: string }) => {
  const arrived = await signed();
  return { ...arrived, request: { ...arrived.request, ...change } };
};

refuses("another path", () => withRequest({ pathname: "/api/v1/incidents/incident-2" }));
refuses("another encoding of the path", () => withRequest({ pathname: "/api/v1/incidents/%69ncident-1" }));
refuses("another route", () => withRequest({ pathname: "/api/v1/devices/incident-1" }));
