import { tooLarge } from '../../errors.ts';
import type { FoundFile } from '../../files/index.ts';
import type { OpenSource } from '../../sources/index.ts';
import { MAX_METADATA_BYTES } from '../../xml/index.ts';

/** How ingest reads files of products: in the same way as the catalog later, so that it refuses the same files. */
export interface ProductDoors {
  readonly open: OpenSource;
  /** The address of a file in the catalog; throws for a file that the catalog may not refer to. */
  readonly toHref: (path: string) => string;
}

/** Reads a text file of a product. */
export type ReadText = (file: FoundFile) => Promise<string>;

/** Builds a reader of text files, which refuses files larger than any metadata. */
export function makeReadText({ open, toHref }: ProductDoors, signal?: AbortSignal): ReadText {
  return async ({ path, parts }) => {
    const source = await open(toHref(path));
    try {
      if (source.size > MAX_METADATA_BYTES) {
        throw tooLarge(
          'metadata-too-large',
          `The file ${parts.at(-1)} has more than ${MAX_METADATA_BYTES} bytes.`,
        );
      }
      return new TextDecoder().decode(await source.read(0, source.size, signal));
    } finally {
      await source.close();
    }
  };
}
