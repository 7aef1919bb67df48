import { Menu, MenuButton, MenuItem, MenuProvider } from "@ariakit/react";
import type { IncidentStatus } from "../../../contract/record/kinds.ts";
import { Icon } from "../../ui/icons.tsx";
import type { Seen } from "./changes.ts";
import type { IncidentAction, IncidentActions } from "./use-actions.tsx";

interface ActionBarProps {
  incident: Seen;
  actions: IncidentActions;
  /** On the page there is a form for comments. */
  withComment?: boolean;
}

interface Offer {
  label: string;
  key?: string;
  action: IncidentAction;
}

function offersOf(status: IncidentStatus): Offer[] {
  const change = (label: string, to: IncidentStatus, key?: string): Offer => ({
    label,
    key,
    action: { kind: "status", status: to },
  });
  const closing = [change("Resolve", "resolved", "e"), change("False positive", "false_positive", "f")];
  switch (status) {
    case "open":
      return [change("Investigate", "investigating"), ...closing];
    case "investigating":
      return closing;
    case "resolved":
      return [change("Reopen", "open"), closing[1]!];
    case "false_positive":
      return [change("Reopen", "open"), closing[0]!];
  }
}

/** What is needed less often. */
const FURTHER: readonly Offer[] = [
  { label: "Propose a status…", action: { kind: "propose" } },
  { label: "Give feedback on a detector…", action: { kind: "feedback" } },
];

/** What can be done with an incident in its present state; nothing for a role that may not. */
export function ActionBar({ incident, actions: { allowed, run }, withComment = false }: ActionBarProps) {
  if (!allowed) return null;
  const offers: Offer[] = [
    ...offersOf(incident.status),
    { label: "Assign…", key: "a", action: { kind: "assign" } },
    ...(withComment ? [{ label: "Comment…", key: "c", action: { kind: "comment" } } as const] : []),
    { label: "Suppress…", key: "s", action: { kind: "suppress" } },
  ];
  return (
    <div className="action-bar" role="toolbar" aria-label="Actions">
      {offers.map(({ label, key, action }) => (
        <button
          key={label}
          type="button"
          className={label === "Resolve" ? "button button-primary" : "button"}
          title={key === undefined ? undefined : `Key: ${key}`}
          onClick={() => run(action, [incident])}
        >
          {label}
        </button>
      ))}
      <MenuProvider>
        <MenuButton className="button">
          More
          <Icon name="down" />
        </MenuButton>
        <Menu className="menu" gutter={4} unmountOnHide>
          {FURTHER.map(({ label, action }) => (
            <MenuItem
              key={label}
              className="menu-item"
              onClick={() => run(action, [incident])}
            >
              {label}
            </MenuItem>
          ))}
        </Menu>
      </MenuProvider>
    </div>
  );
}
