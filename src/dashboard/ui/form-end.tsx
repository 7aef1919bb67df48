import { Icon } from "./icons.tsx";

interface FormEndProps {
  /** The server's reason for refusing. */
  fault: string | null;
  saving: boolean;
  /** Whether it cannot be sent at present; the form says why. */
  blocked?: boolean;
  /** Label of the submit button. */
  send: string;
  /** Its label meanwhile. */
  savingText?: string;
  cancel: () => void;
}

/** The end of a form in a dialog: errors and both buttons. */
export function FormEnd(
  { fault, saving, blocked = false, send, savingText = "Saving…", cancel }: FormEndProps,
) {
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
        <button type="submit" className="button button-primary" disabled={saving || blocked}>
          {saving ? savingText : send}
        </button>
      </div>
    </>
  );
}
