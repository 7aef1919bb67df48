import { useId, useState } from "react";
import { Link } from "@tanstack/react-router";
import type { Flow } from "../../contract/flow/flow.ts";
import { formatBytes, formatSpan, plural } from "../ui/format.ts";
import { Bytes, EndNotes, Endpoint, SourceChips } from "./flow-parts.tsx";
import { Icon } from "../ui/icons.tsx";
import { IntelMark } from "../intel/intel.tsx";
import { Foreign } from "../ui/names.tsx";
import { Observations } from "./observations.tsx";
import { Time } from "../ui/time/time.tsx";

const COLUMN_COUNT = 8;

function Service({ flow }: { flow: Flow }) {
  return (
    <span>
      {flow.service !== null && <Foreign text={`${flow.service} `} />}
      <span className="muted">{flow.proto}</span>
    </span>
  );
}

/** A flow in one line; it opens to each sensor's observation. */
export function FlowRow({ flow }: { flow: Flow }) {
  const [open, setOpen] = useState(false);
  const panel = useId();
  const toggle = () => setOpen(!open);
  const { src_to_dst, dst_to_src } = flow.counters;
  return (
    <>
      <tr className={open ? "row-open" : undefined}>
        <td className="nowrap">
          <button
            type="button"
            className="row-toggle"
            data-row
            aria-expanded={open}
            aria-controls={panel}
            aria-label={`Observations of the flow from ${flow.src.ip} to ${flow.dst.ip}`}
            onClick={toggle}
            onKeyDown={(event) => event.key === "Escape" && setOpen(false)}
          >
            <Icon name="chevron" className="turn" />
          </button>
          <Time at={flow.start} />
        </td>
        <td>
          <Endpoint end={flow.src} />
          <EndNotes flow={flow} end="src" />
          <span className="sub-line">
            <Icon name="right" />
            <Endpoint end={flow.dst} />
            <IntelMark intel={flow.intel} />
            <EndNotes flow={flow} end="dst" />
            <Service flow={flow} />
            <span>
              {src_to_dst.bytes !== null && <>{formatBytes(src_to_dst.bytes)} sent{" "}</>}
              {dst_to_src.bytes !== null && <>{formatBytes(dst_to_src.bytes)} received</>}
            </span>
          </span>
        </td>
        <td className="wide-only">
          <Endpoint end={flow.dst} />
          <IntelMark intel={flow.intel} />
          <EndNotes flow={flow} end="dst" />
        </td>
        <td className="wide-only">
          <Service flow={flow} />
        </td>
        <td className="number wide-only">
          <Bytes value={src_to_dst.bytes} />
        </td>
        <td className="number wide-only">
          <Bytes value={dst_to_src.bytes} />
        </td>
        <td className="number soft wide-only">{formatSpan(Date.parse(flow.end) - Date.parse(flow.start))}</td>
        <td className="wide-only">
          <SourceChips sources={flow.sources} />
        </td>
      </tr>
      {open && (
        <tr className="row-detail">
          <td colSpan={COLUMN_COUNT} id={panel}>
            <div className="row-detail-body">
              <div className="row-detail-head">
                <span className="soft">
                  {plural(flow.observation_count, "observation")}
                  {flow.community_id !== null && (
                    <>
                      {" "}· Community ID <code className="wrap">{flow.community_id}</code>
                    </>
                  )}
                  {flow.vlan_id !== null && ` · VLAN ${flow.vlan_id}`}
                </span>
                <Link to="/flows/$flowId" params={{ flowId: flow.flow_id }} className="link small">
                  Open as a page
                </Link>
              </div>
              <Observations flow={flow.flow_id} />
            </div>
          </td>
        </tr>
      )}
    </>
  );
}
