import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { to } from "../base/links.ts";
import { Card } from "../ui/page.tsx";
import { ErrorState, SkeletonBlock } from "../ui/states.tsx";
import { Markdown } from "./markdown.tsx";
import { loadPage } from "./pages.ts";
import { detectorSection } from "./detector-section.ts";
import "./help.css";

const PAGE = "detectors";

/** What a detector reports, and what it leaves out, from the documentation. */
export function DetectorHelp({ model }: { model: string }) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["help", PAGE],
    queryFn: () => loadPage(PAGE),
    staleTime: Infinity,
  });
  const section = data ? detectorSection(data, model) : null;
  return (
    <Card
      title={section?.title ?? "Description"}
      action={<Link {...to.help(PAGE)} className="link small">All detectors</Link>}
      className="span-2"
    >
      {isPending
        ? <SkeletonBlock />
        : error
        ? <ErrorState what="The description" error={error} retry={() => void refetch()} />
        : section === null
        ? <p className="muted">The documentation has no detector of this name.</p>
        : (
          <div className="help-page">
            <Markdown text={section.text} />
          </div>
        )}
    </Card>
  );
}
