/** Where the bytes of an entry come from. */
export type ZipSource =
  /** A file on disk, stored as it is. */
  | { readonly path: string }
  /** Bytes in memory; `deflate` compresses them, for text. */
  | { readonly bytes: Uint8Array; readonly deflate?: boolean }
  /**
   * Bytes that are made while the archive is written, in order, stored as they are. Each chunk may be used again after
   * the next is asked for. The archive is a little smaller if the size is known.
   */
  | { readonly chunks: AsyncIterable<Uint8Array>; readonly size?: number };

/** One file of an archive. */
export interface ZipEntry {
  /** Its path in the archive, relative and with `/` between folders. */
  readonly name: string;
  readonly source: ZipSource;
}
