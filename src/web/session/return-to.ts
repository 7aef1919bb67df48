/**
 * The target after sign-in: a path of this origin, so that a link cannot use the sign-in to redirect
 * elsewhere. Anything else leads to the start page.
 */
export function localPath(wanted: string | undefined, publicUrl: string): string {
  // Visible ASCII without the backslash: browsers read it as a slash and drop control characters.
  if (wanted === undefined || !/^\/(?!\/)[!-[\]-~]*$/.test(wanted)) return "/";
  if (!URL.canParse(wanted, publicUrl)) return "/";
  const url = new URL(wanted, publicUrl);
  const isPage = url.origin === publicUrl && !/^\/(api|auth|internal)(\/|$)/.test(url.pathname);
  return isPage && !url.pathname.startsWith("//") ? url.pathname + url.search + url.hash : "/";
}
