import { GO_TO } from "./keys.ts";
import { Dialog } from "../ui/dialog.tsx";

const KEYS: [string[], string][] = [
  [["j", "k"], "Next or previous row (also the arrow keys)"],
  [["Enter"], "Open the row"],
  [["/"], "Focus the filter"],
  [["Esc"], "Leave a field, close a panel"],
  ...Object.entries(GO_TO).map(([key, { name }]): [string[], string] => [["g", key], name]),
  [["?"], "This list"],
];

export function Shortcuts({ open, close }: { open: boolean; close: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" open={open} close={close}>
      <dl className="shortcuts">
        {KEYS.map(([keys, what]) => (
          <div key={what}>
            <dt>{keys.map((key) => <kbd key={key}>{key}</kbd>)}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
