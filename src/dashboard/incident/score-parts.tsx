import type { SubScore } from "../../contract/incident/incident.ts";
import { formatLabel } from "../ui/format.ts";
import { Foreign } from "../ui/foreign.tsx";
import { formatAddedPoints, formatPoints, type ScoreLine, sumOf } from "./score-sum.ts";

interface ScoreTableProps {
  label: string;
  shares: readonly SubScore[];
  modifiers: readonly SubScore[];
  score: number;
  /** Name of the sum. */
  total: string;
  /** For a narrow column: what was measured stands below its part. */
  narrow?: boolean;
}

/** A score as a sum in points: every line, then the total that they add up to. */
export function ScoreTable({ label, shares, modifiers, score, total, narrow = false }: ScoreTableProps) {
  const sum = sumOf(shares, modifiers, score);
  return (
    <table className="score-table">
      <caption className="hidden">{label}</caption>
      <thead className="hidden">
        <tr>
          <th scope="col">Part</th>
          <th scope="col">Points</th>
          {!narrow && <th scope="col">Share</th>}
          {!narrow && <th scope="col">Measured</th>}
        </tr>
      </thead>
      <tbody>
        {sum.lines.map((line, index) => (
          <PartRow
            key={`${line.name} ${index}`}
            line={line}
            narrow={narrow}
          />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{total}</th>
          <td className="number" data-total>{formatPoints(sum.total)}</td>
          {!narrow && <td colSpan={2} />}
        </tr>
      </tfoot>
    </table>
  );
}

function PartRow({ line, narrow }: { line: ScoreLine; narrow: boolean }) {
  const { name, points, of, detail } = line;
  return (
    <tr>
      <th scope="row">
        {formatLabel(name)}
        {narrow && <Foreign text={detail} className="score-below soft small" />}
      </th>
      <td
        className={points < 0 ? "number points-down" : of === null ? "number points-up" : "number"}
        data-points
      >
        {formatAddedPoints(points)}
      </td>
      {!narrow && <ShareCells points={points} of={of} detail={detail} />}
    </tr>
  );
}

function ShareCells({ points, of, detail }: Omit<ScoreLine, "name">) {
  return (
    <>
      <td className="score-share muted small nowrap">
        {of !== null && (
          <>
            <svg className="sub-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect className="track" width="100" height="6" />
              <rect className="bar" width={Math.min(100, Math.max(0, points / of * 100))} height="6" />
            </svg>
            of {of}
          </>
        )}
      </td>
      <td className="score-detail soft">
        <Foreign text={detail} />
      </td>
    </>
  );
}
