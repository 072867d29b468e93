/** What the pictures in test/golden/pictures are of. */
export interface GoldenIndex {
  readonly pictures: readonly {
    readonly name: string;
    /** The small product that is shown. */
    readonly product: string;
    /** What to ask the service for. */
    readonly path: string;
  }[];
}

/** `index.json` says what, and `computed.br` holds the pixels of one picture after the other, four bytes each. */
export const GOLDEN_FOLDER = new URL('../../golden/pictures/', import.meta.url);

/** Bytes of a golden picture. */
export const PICTURE_BYTES = 256 * 256 * 4;
