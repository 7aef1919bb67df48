/** Names of one service: a record of Zeek says `ssl` where one of Suricata says `tls`. */
const ONE_NAME = new Map([["ssl", "tls"]]);

/** The service of a flow as people read it; sensors name several with commas between. */
export function serviceName(service: string): string {
  return serviceNames(service.split(","));
}

/** Each name once. */
export function serviceNames(services: readonly string[]): string {
  return [...new Set(services.map((one) => ONE_NAME.get(one) ?? one))].join(", ");
}
