import { useListedShortcuts } from "../../base/keys.ts";
import { Dialog } from "../../ui/dialog.tsx";

const NAMES: Readonly<Record<string, string>> = { ArrowDown: "↓", ArrowUp: "↑", Escape: "Esc" };

function Keys({ text }: { text: string }) {
  const parts = text.split(/[ +]/).filter((part) => part !== "");
  return (
    <span className="keys">
      {(parts.length === 0 ? [text] : parts).map((key, index) => (
        <kbd key={index}>
          {NAMES[key] ?? (text.startsWith("Ctrl+") && key.length === 1 ? key.toUpperCase() : key)}
        </kbd>
      ))}
    </span>
  );
}

/** The shortcuts that work on the present page, as they are registered. */
export function Shortcuts({ open, close }: { open: boolean; close: () => void }) {
  const groups = useListedShortcuts();
  return (
    <Dialog title="Keyboard shortcuts" open={open} close={close}>
      <div className="shortcut-groups">
        {groups.map(({ group, lines }) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl className="shortcuts">
              {lines.map(({ keys, label }) => (
                <div key={label}>
                  <dt>{keys.map((key) => <Keys key={key} text={key} />)}</dt>
                  <dd>{label}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
