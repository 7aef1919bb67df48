import { useCommand } from "../palette/commands.ts";
import { useSignedIn, useSignOut } from "../../base/session.ts";
import { type Theme, THEMES, useTheme } from "../../base/theme.ts";
import { DENSITIES, type Density, setDensity, useDensity } from "../../ui/grid/density.ts";
import { formatLabel } from "../../ui/format.ts";
import { Icon, type IconName } from "../../ui/icons.tsx";
import { Popover } from "../../ui/popover.tsx";

const THEME_ICONS: Readonly<Record<Theme, IconName>> = { system: "system", light: "sun", dark: "moon" };

function ThemeChoice({ current, set }: { current: Theme; set: (theme: Theme) => void }) {
  return (
    <div className="segments" role="group" aria-label="Theme">
      {THEMES.map(([theme, name]) => (
        <button
          type="button"
          key={theme}
          className="segment"
          title={`${name} theme`}
          aria-label={`${name} theme`}
          aria-pressed={theme === current}
          onClick={() => set(theme)}
        >
          <Icon name={THEME_ICONS[theme]} />
        </button>
      ))}
    </div>
  );
}

function DensityChoice({ current, set }: { current: Density; set: (density: Density) => void }) {
  return (
    <div className="segments" role="group" aria-label="Row height">
      {DENSITIES.map(([density, name]) => (
        <button
          type="button"
          key={density}
          className="segment"
          aria-pressed={density === current}
          onClick={() => set(density)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

/** The signed-in person with roles, preferences and sign-out. */
export function Account({ showHelp }: { showHelp: () => void }) {
  const { session, roles } = useSignedIn();
  const leave = useSignOut(session.csrf_token);
  const [theme, setTheme] = useTheme();
  const density = useDensity();
  const dark = theme === "dark";
  useCommand({
    label: dark ? "Use the light theme" : "Use the dark theme",
    icon: dark ? "sun" : "moon",
    words: "mode colour color",
    run: () => setTheme(dark ? "light" : "dark"),
  });
  useCommand({ label: "Use the theme of the system", icon: "system", run: () => setTheme("system") });
  const compact = density === "compact";
  useCommand({
    label: compact ? "Use comfortable rows" : "Use compact rows",
    icon: "menu",
    words: "density row height",
    run: () => setDensity(compact ? "comfortable" : "compact"),
  });
  useCommand({ label: "Sign out", icon: "leave", words: "log out", run: () => leave.mutate() });
  return (
    <Popover
      label={`Account of ${session.display_name}`}
      title={session.display_name}
      className="account-button"
      panelClass="account-panel"
      button={
        <span className="avatar" aria-hidden="true">{session.display_name.charAt(0).toUpperCase()}</span>
      }
    >
      {(close) => (
        <>
          <div className="account-name">
            <p className="clip strong" title={session.subject}>{session.display_name}</p>
            <p className="muted small clip">{roles.map(formatLabel).join(", ")}</p>
          </div>
          <div className="account-choice">
            <span className="small soft">Theme</span>
            <ThemeChoice current={theme} set={setTheme} />
          </div>
          <div className="account-choice">
            <span className="small soft">Rows</span>
            <DensityChoice current={density} set={setDensity} />
          </div>
          <ul>
            <li>
              <button
                type="button"
                className="panel-item"
                onClick={() => {
                  close();
                  showHelp();
                }}
              >
                <span className="panel-label">
                  <Icon name="keyboard" />Keyboard shortcuts
                </span>
                <kbd>?</kbd>
              </button>
            </li>
            <li>
              <a className="panel-item" href="/api/docs">
                <span className="panel-label">
                  <Icon name="api" />REST API
                </span>
              </a>
            </li>
            <li>
              <button
                type="button"
                className="panel-item"
                disabled={leave.isPending}
                onClick={() => leave.mutate()}
              >
                <span className="panel-label">
                  <Icon name="leave" />Sign out
                </span>
              </button>
            </li>
          </ul>
          {leave.error && <p className="field-error" role="alert">Not signed out: {leave.error.message}</p>}
        </>
      )}
    </Popover>
  );
}
