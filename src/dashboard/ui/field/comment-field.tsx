import { submitOnCtrlEnter } from "./submit-key.ts";

/** Longest comment that the API accepts, in characters. */
const MAX_COMMENT = 4000;

interface CommentFieldProps {
  value: string;
  set: (value: string) => void;
}

/** The optional comment of a decision; has the focus when its dialog opens. */
export function CommentField({ value, set }: CommentFieldProps) {
  return (
    <label className="field">
      <span>Comment (optional)</span>
      <textarea
        name="comment"
        rows={3}
        maxLength={MAX_COMMENT}
        value={value}
        data-autofocus
        onChange={(event) => set(event.target.value)}
        onKeyDown={submitOnCtrlEnter}
      />
    </label>
  );
}
