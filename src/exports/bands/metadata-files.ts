import type { Scene } from '../../catalog/index.ts';
import type { SwathError } from '../../errors.ts';
import { isSwathError } from '../../errors.ts';
import type { StoredBytes } from '../../formats/block-file/index.ts';
import type { JobContext } from '../../pool/index.ts';
import { findBandFile, sensorByDataset } from '../../sensors/index.ts';
import type { OpenSource } from '../../sources/index.ts';
import { badInput } from '../errors.ts';

/** A metadata file that goes into the archive: the name that it gets, and where it is. */
export interface OrderedMetadata {
  readonly label: string;
  /** An address of the scene's own product, or a path relative to it (`MTD_MSIL1C.xml`). */
  readonly url: string;
}

/** For each metadata file of an order, where it may be, best first. */
export interface FindMetadataJob {
  readonly files: readonly (readonly string[])[];
}

/** Enough for every file of a product that describes it; a Sentinel-2 product has about ten. */
const MAX_FILES = 20;

/** The addresses of the metadata of an order; refuses what is not of the scene's own product. */
export function planMetadata(metadata: readonly OrderedMetadata[], scene: Scene): FindMetadataJob {
  if (metadata.length > MAX_FILES) {
    throw badInput('too-many-metadata', `At most ${MAX_FILES} metadata files, not ${metadata.length}.`);
  }
  return { files: metadata.map(({ url }) => findMetadataFiles(url, scene)) };
}

/** The largest annotation of a radar product has 3 MB. */
const MAX_FILE_BYTES = 16 * 2 ** 20;

/** Error codes of a file that does not exist or may not be read. */
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

/** Kinds of files that describe products; images are ordered as bands, and nothing else is given out. */
const METADATA_NAME = /\.(?:xml|json|geojson|txt|gml|safe|met|csv|html?|ya?ml)$/i;

/** Longer than any real one. */
const MAX_URL_CHARACTERS = 2_048;

/** Names joined by single slashes, as paths in products are: nothing to decode, no way up, nothing hidden. */
const PLAIN_PATH = /^[A-Za-z0-9_-][A-Za-z0-9._+=-]{0,199}(?:\/[A-Za-z0-9_-][A-Za-z0-9._+=-]{0,199}){0,19}$/;

/**
 * The files that an address of an order may mean, best first. It must be stated in the scene's record or lie in its own
 * product. What is refused here never reaches the byte sources, which refuse addresses that the operator has not allowed.
 */
function findMetadataFiles(url: string, scene: Scene): readonly string[] {
  if (url.length > MAX_URL_CHARACTERS || !METADATA_NAME.test(url)) throw refuse();
  if (isStated(url, scene)) return [url];
  const roots = findRoots(scene);
  const inside = roots.find((root) => url.startsWith(root));
  if (inside !== undefined && PLAIN_PATH.test(url.slice(inside.length))) return [url];
  if (!PLAIN_PATH.test(url) || roots.length === 0) throw refuse();
  return roots.map((root) => `${root}${url}`);
}

const refuse = (): SwathError =>
  badInput(
    'bad-metadata-url',
    'A metadata file is named by its path in the product of the scene, or by an address there.',
  );

/** Addresses that the record itself states, such as the link to the tile's metadata. */
const isStated = (url: string, { fields, cloudMask }: Scene): boolean =>
  (cloudMask?.kind === 'polygons' && cloudMask.href === url) ||
  (/^(?:https|s3):\/\//.test(url) && Object.values(fields).includes(url));

/** The folders of a scene's product; several when its files lie in several stores. */
function findRoots(scene: Scene): readonly string[] {
  const { cloudMask } = scene;
  const hrefs = [
    ...Object.values(scene.assets).map(({ href }) => href),
    ...(cloudMask?.kind === 'polygons' ? [cloudMask.href] : []),
  ];
  return [...new Set(hrefs.flatMap((href) => findRoot(href, scene) ?? []))];
}

/** The folder of a product, by the path of one of its files: as the sensor's products are laid out, or its own folder. */
function findRoot(href: string, { dataset }: Scene): string | null {
  const { store, path } = splitAddress(href.replace(/[?#].*$/s, ''));
  const names = path.split('/');
  const sensor = sensorByDataset(dataset);
  // The longest path that the layout knows: bands of a product may lie folders below its metadata.
  for (let depth = 1; sensor !== null && depth < names.length; depth++) {
    const inProduct = names.slice(depth).join('/');
    const isKnown = sensor.layouts.some((layout) => findBandFile(sensor, layout, inProduct) !== null);
    if (isKnown) return toFolder(store, names.slice(0, depth));
  }
  return toFolder(store, names.slice(0, -1));
}

/** A folder with a slash at its end; null for the root of a disk, a bucket or the data directory, which is not a product. */
function toFolder(store: string, names: readonly string[]): string | null {
  return names.some((name) => name !== '') ? `${store}${names.join('/')}/` : null;
}

/** The part of an address that names a store: `https://host:port`, `s3://bucket`; empty for files of this machine. */
function splitAddress(href: string): { readonly store: string; readonly path: string } {
  const [, store = '', path = href] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)(.*)$/is.exec(href) ?? [];
  return { store, path };
}
