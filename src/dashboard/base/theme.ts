/// <reference lib="dom" />
import { useState } from "react";

export type Theme = "system" | "light" | "dark";
/** The themes in the order of the choice, with their names. */
export const THEMES: readonly (readonly [Theme, string])[] = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
];

const STORED = "ndr.theme";

function currentTheme(): Theme {
  const theme = document.documentElement.dataset.theme;
  return theme === "dark" || theme === "light" ? theme : "system";
}

function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, theme);
  } catch {
    // Without storage the choice lasts until the page is left.
  }
}

/** The theme and its setter; public/theme.js applies the stored theme before the first paint. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(currentTheme);
  return [theme, (next) => {
    applyTheme(next);
    setTheme(next);
  }];
}
