import type { ReactNode } from "react";
import { Card, PageHeader } from "../ui/page.tsx";
import { Configured } from "./configured.tsx";
import { Preferences } from "./preferences.tsx";
import { You } from "./you.tsx";
import "./settings.css";

/** Preferences of this browser, the signed-in person, and what the administrator has configured. */
export function Settings(): ReactNode {
  return (
    <div className="page">
      <PageHeader title="Settings" note="Yours in this browser; the appliance's as its files set them" />
      <div className="wide-cards">
        <Card title="Appearance" note="kept in this browser">
          <Preferences />
        </Card>
        <Card title="You">
          <You />
        </Card>
      </div>
      <Configured />
    </div>
  );
}
