/**
 * The files or options cannot be replayed: unreadable, unknown format, a resume file of another replay.
 * Nothing was sent. The message is for the user and names the file.
 */
export class ReplayInputError extends Error {
  override name = "ReplayInputError";
}

/** The file is readable text without any record, such as zeekctl's `stdout.log`. */
export class NoRecordsError extends ReplayInputError {}
