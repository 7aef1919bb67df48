import { Link } from "@tanstack/react-router";
import type { DeviceDetail } from "../../../contract/device/device.ts";
import type { Geo } from "../../../contract/intel/geo.ts";
import type { IntelMatch, IntelReference } from "../../../contract/intel/intel.ts";
import { ABSENT, formatExact, formatShare } from "../../ui/format.ts";
import { shortPlace, wholePlace } from "./place.ts";
import { Foreign } from "../../ui/foreign.tsx";
import { ShortTable } from "../../ui/short-table.tsx";
import { Ago } from "../../ui/time/time.tsx";
import { to } from "../../base/links.ts";

/** Location and network of an address; nothing if unknown, or for internal devices. */
export function Place(
  { end, whole = false }: { end: { geo: Geo | null; device_id: string | null }; whole?: boolean },
) {
  const { geo, device_id } = end;
  if (geo === null || device_id !== null) return null;
  const text = whole ? wholePlace(geo) : shortPlace(geo);
  if (text === "") return null;
  return (
    <span className="place" title={whole ? undefined : wholePlace(geo)}>
      <Foreign text={text} />
    </span>
  );
}

/** The entries of each list, one per line. */
export function IntelReferences({ intel }: { intel: IntelReference[] }) {
  return (
    <ul className="rows">
      {intel.map((reference) => (
        <li key={`${reference.list} ${reference.kind} ${reference.indicator}`} className="row">
          <span className="row-main">
            <Foreign text={reference.indicator} className="mono" />
            {reference.description !== null && (
              <Foreign
                text={reference.description}
                className="soft small"
              />
            )}
          </span>
          {!reference.listed && <span className="chip">no longer listed</span>}
          <span className="muted small">
            <Foreign text={reference.list} />
            {reference.confidence !== null && `, confidence ${formatShare(reference.confidence)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

const VIA: Record<IntelMatch["via"][number], string> = {
  peer: "connected to it",
  dns_query: "asked DNS for it",
  dns_answer: "got it as a DNS answer",
  tls_server_name: "named it in TLS",
  http_host: "named it in HTTP",
  url: "fetched it",
  ja3: "JA3",
  ja4: "JA4",
  certificate: "certificate",
};

/** Number of currently listed indicators that a device matched. */
export function listedCount({ intel_matches }: DeviceDetail): number {
  return intel_matches.filter(({ listed }) => listed).length;
}

/** Indicators that a device matched, each with the flow that shows it best. */
export function IntelMatches({ matches }: { matches: IntelMatch[] }) {
  return (
    <ShortTable
      label="Known threats"
      head={
        <>
          <th scope="col">Indicator</th>
          <th scope="col">Match</th>
          <th scope="col" className="number">Count</th>
          <th scope="col">Last seen</th>
        </>
      }
      all={matches}
      row={(match) => (
        <tr key={`${match.ip} ${match.list} ${match.kind} ${match.indicator}`}>
          <td className="cell-main">
            <Link {...to.flow(match.flow_id)} className="mono" data-row>
              <Foreign text={match.indicator} />
            </Link>
            {!match.listed && <span className="chip">no longer listed</span>}
            <span className="soft small below">
              {match.description !== null && <Foreign text={`${match.description}, `} />}
              <Foreign text={match.list} className="muted" />
            </span>
          </td>
          <td className="soft" title={`As ${match.ip}`}>
            {match.via.map((way) => VIA[way]).join(", ") || ABSENT}
          </td>
          <td className="number">{formatExact(match.count)}</td>
          <td className="soft">
            <Ago at={match.last_seen} />
          </td>
        </tr>
      )}
    />
  );
}
