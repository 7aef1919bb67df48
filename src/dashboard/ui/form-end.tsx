import { Icon } from "./icons.tsx";

interface FormEndProps {
  /** The server's reason for refusing. */
  fault: string | null;
  saving: boolean;
  /** Label of the submit button. */
  send: string;
  cancel: () => void;
}

/** The end of a form in a dialog: errors and both buttons. */
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
