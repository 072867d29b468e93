import { tooLarge } from '../../errors.ts';
import type { OpenSource } from '../../storage/index.ts';
import { MAX_METADATA_BYTES } from '../../xml/index.ts';
import type { FoundFile } from './walk-folder.ts';

/** The doors through which files of products are read: what the catalog could not open later, ingest cannot either. */
export interface ProductDoors {
  readonly open: OpenSource;
  /** What the catalog writes down for a file; throws for one that it may not refer to. */
  readonly toHref: (path: string) => string;
}

/** Reads a text file of a product. */
export type ReadText = (file: FoundFile) => Promise<string>;

/** Reads text files through the doors, none larger than metadata can be. */
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
