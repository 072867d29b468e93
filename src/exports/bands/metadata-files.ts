import type { Scene } from '../../catalog/index.ts';
import { badInput, isSwathError } from '../../errors.ts';
import type { StoredBytes } from '../../formats/block-file/index.ts';
import type { JobContext } from '../../pool/index.ts';
import type { OpenSource } from '../../sources/index.ts';
import type { OrderedMetadata } from './bands-order.ts';
import { findMetadataFiles } from './metadata-address.ts';

/** Enough for every file of a product that describes it; a Sentinel-2 product has about ten. */
const MAX_FILES = 20;
/** The largest annotation of a radar product has 3 MB. */
const MAX_FILE_BYTES = 16 * 2 ** 20;

/** For each metadata file of an order, where it may be, best first. */
export interface FindMetadataJob {
  readonly files: readonly (readonly string[])[];
}

/** The addresses of the metadata of an order; refuses what is not of the scene's own product. */
export function planMetadata(metadata: readonly OrderedMetadata[], scene: Scene): FindMetadataJob {
  if (metadata.length > MAX_FILES) {
    throw badInput('too-many-metadata', `At most ${MAX_FILES} metadata files, not ${metadata.length}.`);
  }
  return { files: metadata.map(({ url }) => findMetadataFiles(url, scene)) };
}

/** Failures that mean: there is no such file, or none that may be read. */
const ABSENT: ReadonlySet<string> = new Set([
  'source-gone',
  'source-unreadable',
  'source-refused',
  'source-no-ranges',
  'source-wrong-range',
  'bad-href',
]);

/** Builds the finding of metadata files, through the door of storage that opens images. */
export function makeFindMetadata({ open }: { readonly open: OpenSource }) {
  const find = async (hrefs: readonly string[], signal: AbortSignal): Promise<StoredBytes> => {
    for (const href of hrefs) {
      try {
        const source = await open(href, signal);
        await source.close();
        return { href, size: source.size, version: source.version };
      } catch (error) {
        if (!isSwathError(error) || !ABSENT.has(error.code)) throw error;
      }
    }
    throw badInput('no-such-metadata', 'A metadata file of this order is not in the product of the scene.');
  };
  return async (
    { files }: FindMetadataJob,
    { signal }: Pick<JobContext, 'signal'>,
  ): Promise<StoredBytes[]> => {
    const found = await Promise.all(files.map((hrefs) => find(hrefs, signal)));
    if (found.some(({ size }) => size > MAX_FILE_BYTES)) {
      throw badInput('metadata-too-large', `A metadata file has at most ${MAX_FILE_BYTES} bytes.`);
    }
    return found;
  };
}
