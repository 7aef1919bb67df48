import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { to } from "../base/links.ts";
import { Card } from "../ui/page.tsx";
import { ErrorState, SkeletonBlock } from "../ui/states.tsx";
import { Markdown } from "./markdown.tsx";
import { helpPage } from "./help-page.ts";
import { detectorGuide, detectorSection } from "./detector-section.ts";
import "./help.css";

const PAGE = "detectors";

function useSection(model: string) {
  const { data, ...query } = useQuery(helpPage(PAGE));
  return { section: data ? detectorSection(data, model) : null, ...query };
}

/** What a finding of a detector means and what to check next, from the documentation. */
export function DetectorGuide({ model }: { model: string }) {
  const { section, error, isPending, refetch } = useSection(model);
  if (isPending) return <SkeletonBlock />;
  if (error) return <ErrorState what="The description" error={error} retry={() => void refetch()} />;
  if (section === null) return <p className="muted">The documentation has no detector of this name.</p>;
  return (
    <div className="help-page help-guide">
      <Markdown text={detectorGuide(section.text)} />
      <p>
        <Link {...to.help(PAGE)} hash={model} className="link">What it reports, and what it leaves out</Link>
      </p>
    </div>
  );
}

/** What a detector reports, and what it leaves out, from the documentation. */
export function DetectorHelp({ model }: { model: string }) {
  const { section, error, isPending, refetch } = useSection(model);
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
