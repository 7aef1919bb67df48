import { Icon } from "./icons.tsx";

interface FormEndProps {
  /** Says what the server refused. */
  fault: string | null;
  saving: boolean;
  /** What the button that sends says. */
  send: string;
  cancel: () => void;
}

/** The end of a form in a dialog: what went wrong, and its two buttons. */
export function FormEnd({ fault, saving, send, cancel }: FormEndProps) {
  return (
    <>
      {fault !== null && (
        <p className="notice notice-error" role="alert">
          <Icon name="warning" />
          <span>{fault}</span>
        </p>
      )}
      <div className="form-buttons">
        <button type="button" className="button" onClick={cancel}>Cancel</button>
        <button type="submit" className="button button-primary" disabled={saving}>
          {saving ? "Saving…" : send}
        </button>
      </div>
    </>
  );
}
