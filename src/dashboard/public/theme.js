// Applies the stored theme before the first paint; without one the system decides.
try {
  const theme = localStorage.getItem("ndr.theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be refused; the system's theme is fine then.
}
