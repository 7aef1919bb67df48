import { formatLabel } from "../ui/format.ts";
import { useSignedIn, useSignOut } from "./session.ts";
import { type Theme, useTheme } from "./theme.ts";
import { Icon, type IconName } from "../ui/icons.tsx";

const THEMES: { theme: Theme; name: string; icon: IconName }[] = [
  { theme: "system", name: "System theme", icon: "system" },
  { theme: "light", name: "Light theme", icon: "sun" },
  { theme: "dark", name: "Dark theme", icon: "moon" },
];

function ThemeChoice() {
  const [current, setTheme] = useTheme();
  return (
    <div className="segments" role="group" aria-label="Theme">
      {THEMES.map(({ theme, name, icon }) => (
        <button
          type="button"
          key={theme}
          className="segment"
          title={name}
          aria-label={name}
          aria-pressed={theme === current}
          onClick={() => setTheme(theme)}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  );
}

/** The signed-in person with roles, and sign-out. */
export function Account({ showHelp }: { showHelp: () => void }) {
  const { session, roles } = useSignedIn();
  const leave = useSignOut(session.csrf_token);
  return (
    <div className="account">
      <div className="account-tools">
        <ThemeChoice />
        <a className="button-icon" href="/api/docs" title="REST API" aria-label="REST API">
          <Icon name="api" />
        </a>
        <button
          type="button"
          className="button-icon"
          title="Keyboard shortcuts"
          aria-label="Keyboard shortcuts"
          onClick={showHelp}
        >
          <Icon name="keyboard" />
        </button>
      </div>
      <div className="account-person">
        <span className="avatar" aria-hidden="true">{session.display_name.charAt(0).toUpperCase()}</span>
        <div className="account-name">
          <p className="clip" title={session.subject}>{session.display_name}</p>
          <p className="muted small clip">{roles.map(formatLabel).join(", ")}</p>
        </div>
        <button
          type="button"
          className="button-icon"
          title="Sign out"
          aria-label="Sign out"
          disabled={leave.isPending}
          onClick={() => leave.mutate()}
        >
          <Icon name="leave" />
        </button>
      </div>
      {leave.error && <p className="field-error" role="alert">Not signed out: {leave.error.message}</p>}
    </div>
  );
}
