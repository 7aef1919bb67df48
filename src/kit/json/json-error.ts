/**
 * Why a text is not acceptable JSON, and where. The message is well formed and at most 160 characters long.
 */
export class JsonError extends Error {
  override readonly name = "JsonError";
  /** Index of the offending character, in UTF-16 units from the start of the text. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(`${message} at character ${position}`);
    this.position = position;
  }
}
