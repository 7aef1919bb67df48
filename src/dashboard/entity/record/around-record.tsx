import { Link } from "@tanstack/react-router";
import { shownIp } from "../../../kit/net/shown-ip.ts";
import type { RecordOrigin } from "../../../kit/net/shown-ip.ts";
import { to } from "../../base/links.ts";
import { Foreign } from "../../ui/foreign.tsx";
import { textOfCondition } from "../entity-kinds.ts";
import {
  AROUND_MINUTES,
  type AroundEnd,
  aroundWindow,
  endCondition,
  pairCondition,
} from "./around-window.ts";

interface AroundRecordProps {
  /** When the record was observed. */
  at: string;
  src: AroundEnd;
  dst: AroundEnd;
  origin: RecordOrigin;
}

/**
 * Links to what else happened around a record: of either end, and between both. Ends are called by their addresses, which
 * are there with the record: a name that comes later would move what is below.
 */
export function AroundRecord({ at, src, dst, origin }: AroundRecordProps) {
  const scope = aroundWindow(at);
  const named = ({ ip }: AroundEnd) => shownIp(ip, origin);
  const links = [
    { key: "src", name: `traffic of ${named(src)}`, condition: endCondition(src) },
    { key: "dst", name: `traffic of ${named(dst)}`, condition: src.ip === dst.ip ? null : endCondition(dst) },
    { key: "pair", name: "traffic between both", condition: pairCondition(src, dst) },
  ];
  return (
    <p className="flow-values around">
      <span className="soft small">{AROUND_MINUTES} minutes before and after:</span>
      {links.map(({ key, name, condition }) =>
        condition !== null && (
          <Link
            key={key}
            {...to.explore({ filter: textOfCondition(condition), scope })}
            className="link small"
          >
            <Foreign text={name} />
          </Link>
        )
      )}
    </p>
  );
}
