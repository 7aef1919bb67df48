/**
 * The files or options given cannot be replayed: unreadable, of an unknown format, a resume file of another
 * replay. Nothing was sent. The message is meant for the person at the terminal and names the file.
 */
export class ReplayInputError extends Error {
  override name = "ReplayInputError";
}
