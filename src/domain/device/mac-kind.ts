/**
 * How much a MAC address identifies its owner.
 *
 * - `hardware`: assigned by a manufacturer to one interface.
 * - `randomized`: locally administered (second bit of the first octet). Phones and laptops generate such
 *   addresses, sometimes per network or per day; hypervisors and container engines choose them too.
 * - `virtual`: of a redundancy protocol or a group, or all zeros: a role that moves between machines.
 */
type MacKind = "hardware" | "randomized" | "virtual";

/** VRRP and CARP, HSRP 1 and 2 with its IPv6 form, GLBP, and addresses container engines derive from the IP. */
const VIRTUAL = /^(?:00:00:5e:00:0[12]|00:00:0c:07:ac|00:00:0c:9f:f|00:05:73:a0:0|00:07:b4:0|02:42:)/;
const GROUP_BIT = 0x01;
const LOCAL_BIT = 0x02;

/** Expects `aa:bb:cc:dd:ee:ff` in lower case. */
export function macKind(mac: string): MacKind {
  const first = parseInt(mac.slice(0, 2), 16);
  if ((first & GROUP_BIT) !== 0 || VIRTUAL.test(mac) || mac === "00:00:00:00:00:00") return "virtual";
  return (first & LOCAL_BIT) === 0 ? "hardware" : "randomized";
}
