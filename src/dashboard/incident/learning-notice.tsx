import { useQuery } from "@tanstack/react-query";
import { siteQuery } from "../app/queries.ts";
import { useSignedIn } from "../app/session.tsx";
import { Icon } from "../ui/icons.tsx";

/** As long as what is usual at the site is being learned: how far that is, and what it means. Nothing otherwise. */
export function LearningNotice() {
  const { tenant } = useSignedIn();
  const { data } = useQuery(siteQuery(tenant));
  if (data?.learning.phase !== "learning") return null;
  const { days, needed_days } = data.learning;
  return (
    <p className="notice" role="status">
      <Icon name="clock" />
      <span>
        <span className="strong">Learning what is usual here: day {Math.max(1, days)} of {needed_days}.</span>
        {" "}
        What is suspicious anywhere is reported already. What only stands out against the usual, such as an
        unusual upload, is noted as <em>info</em>{" "}
        and opens no incident until then; new devices are not reported yet.
      </span>
    </p>
  );
}
