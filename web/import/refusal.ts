/** Why a file gives no shapes. */

/** Enough for the fields of a whole region; the page reads a file at once. */
export const MAX_FILE_BYTES = 20_000_000;

/** The reasons; each has a sentence in the texts. */
export type RefusalReason =
  | 'too-large'
  | 'unknown-format'
  | 'bad-json'
  | 'bad-kml'
  | 'bad-zip'
  | 'bad-shapefile'
  | 'lone-shp'
  | 'no-shapes'
  | 'projection'
  | 'not-degrees';

/** Thrown by all readers of files; `detail` is the part of the sentence that only the file knows. */
export class Refusal extends Error {
  readonly reason: RefusalReason;
  readonly detail: string;

  constructor(reason: RefusalReason, detail = '') {
    super(reason);
    this.name = 'Refusal';
    this.reason = reason;
    this.detail = detail;
  }
}
