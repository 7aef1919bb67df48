import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { to } from "../base/links.ts";
import { useSignedIn } from "../base/session.ts";
import { aggregate } from "../search/aggregates.ts";
import { AttackMatrix } from "./attack-matrix.tsx";
import { ChartCard } from "./chart-card.tsx";
import { IS_OPEN_WORK, ofTechnique } from "./open-work.ts";

const HEIGHT = 208;

/** Techniques of open incidents, whatever the time range. */
export function Attack() {
  const { tenant, session } = useSignedIn();
  const query = useQuery(aggregate(tenant, {
    kind: "incidents",
    where: IS_OPEN_WORK,
    suppressed: false,
    range: null,
    by: ["technique"],
    limit: 100,
  }, session.csrf_token));
  return (
    <ChartCard
      title="MITRE ATT&CK"
      note="techniques of open incidents, of any age"
      className="span-3"
      height={HEIGHT}
      legend={false}
      query={query}
      emptyText={({ groups }) =>
        groups.some(({ key: [technique] }) => typeof technique === "string")
          ? null
          : "No open incident shows a technique."}
    >
      {({ groups }) => (
        <AttackMatrix
          label="Open incidents by ATT&CK technique"
          height={HEIGHT}
          counts={groups.flatMap(({ key: [technique], total }) =>
            technique === null || technique === undefined ? [] : [{ technique, count: total }]
          )}
          link={(technique, label) => <Link {...to.triage({ filter: ofTechnique(technique) })}>{label}</Link>}
        />
      )}
    </ChartCard>
  );
}
