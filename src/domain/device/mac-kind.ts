/**
 * What a hardware address says about who has it.
 *
 * - `hardware`: given out by a maker, one interface's own.
 * - `randomized`: locally administered (the second bit of the first octet). Phones and laptops make such addresses up,
 *   some anew for each network or each day; hypervisors and container engines choose them too.
 * - `virtual`: of a redundancy protocol, a group or nobody: it stands for a role that moves between machines.
 */
type MacKind = "hardware" | "randomized" | "virtual";

/** VRRP and CARP, HSRP 1 and 2 with its IPv6 form, GLBP, and what a container engine derives from the address. */
const VIRTUAL = /^(?:00:00:5e:00:0[12]|00:00:0c:07:ac|00:00:0c:9f:f|00:05:73:a0:0|00:07:b4:0|02:42:)/;
const GROUP_BIT = 0x01;
const LOCAL_BIT = 0x02;

/** Of `aa:bb:cc:dd:ee:ff`, lower case. */
export function macKind(mac: string): MacKind {
  const first = parseInt(mac.slice(0, 2), 16);
  if ((first & GROUP_BIT) !== 0 || VIRTUAL.test(mac) || mac === "00:00:00:00:00:00") return "virtual";
  return (first & LOCAL_BIT) === 0 ? "hardware" : "randomized";
}
