/** A range of bytes of a file. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}
