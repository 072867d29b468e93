/** A setting whose wrong value is not the text of its variable, but stands in a file that it names. */
export class SettingError extends Error {
  /** The wrong value; null if the message has it already, or if it may not be shown. */
  readonly got: string | null;

  constructor(message: string, got: string | null) {
    super(message);
    this.got = got;
  }
}
