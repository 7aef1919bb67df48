import { submitOnCtrlEnter } from "./submit-key.ts";

/** Longest reason of a proposal that the API accepts, in characters. */
const MAX_REASON = 4000;

interface ReasonFieldProps {
  value: string;
  set: (value: string) => void;
  maxLength?: number;
  /** Has the focus when its dialog opens. */
  autoFocus?: boolean;
}

/** Why something is proposed or changed. */
export function ReasonField({ value, set, maxLength = MAX_REASON, autoFocus = false }: ReasonFieldProps) {
  return (
    <label className="field">
      <span>Reason (required)</span>
      <textarea
        name="reason"
        rows={3}
        maxLength={maxLength}
        required
        value={value}
        data-autofocus={autoFocus || undefined}
        onChange={(event) => set(event.target.value)}
        onKeyDown={submitOnCtrlEnter}
      />
    </label>
  );
}
