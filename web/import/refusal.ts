/** Why a file gives no shapes. */

/** Enough for the fields of a whole region; a file is read at once. */
export const MAX_FILE_BYTES = 20_000_000;

/** Of all shapes of a Shapefile together: as many as a browser holds with ease. A shape that is used has far fewer. */
export const MAX_FILE_POSITIONS = 1_000_000;

/** The reasons; each has a sentence in the texts. */
export type RefusalReason =
  | 'too-large'
  | 'unknown-format'
  | 'bad-json'
  | 'bad-kml'
  | 'bad-zip'
  | 'encrypted-zip'
  | 'empty-zip'
  | 'too-many-positions'
  | 'too-slow'
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
