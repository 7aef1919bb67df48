import { useQuery } from "@tanstack/react-query";
import { siteQuery } from "../app/queries.ts";
import { useSignedIn } from "../app/session.ts";
import { Icon } from "../ui/icons.tsx";

/** Progress of the learning phase and what it means; nothing once it is complete. */
export function LearningNotice() {
  const { tenant } = useSignedIn();
  const { data } = useQuery(siteQuery(tenant));
  if (data?.learning.phase !== "learning") return null;
  const { days, needed_days } = data.learning;
  return (
    <p className="notice" role="status">
      <Icon name="clock" />
      <span>
        <span className="strong">Learning phase: day {Math.max(1, days)} of {needed_days}.</span>{" "}
        What is suspicious in any network is reported already. Deviations from the usual, such as an unusual
        upload, are recorded as <em>info</em>{" "}
        and open no incident until then; new devices are not reported yet.
      </span>
    </p>
  );
}
