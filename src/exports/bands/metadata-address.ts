import type { Scene } from '../../catalog/index.ts';
import type { SwathError } from '../../errors.ts';
import { badInput } from '../../errors.ts';
import { findBandFile, sensorByDataset } from '../../sensors/index.ts';

/**
 * Which files an order may include: those of the scene's own product, and no others. What is refused here never
 * reaches the door of storage, which refuses addresses that the operator has not allowed.
 */

/** Kinds of files that describe products; images are ordered as bands, and nothing else is given out. */
const METADATA_NAME = /\.(?:xml|json|geojson|txt|gml|safe|met|csv|html?|ya?ml)$/i;

/** Longer than any real one. */
const MAX_URL_CHARACTERS = 2_048;

const refuse = (): SwathError =>
  badInput(
    'bad-metadata-url',
    'A metadata file is named by its path in the product of the scene, or by an address there.',
  );

/** Names joined by single slashes, as paths in products are: nothing to decode, no way up, nothing hidden. */
const PLAIN_PATH = /^[A-Za-z0-9_-][A-Za-z0-9._+=-]{0,199}(?:\/[A-Za-z0-9_-][A-Za-z0-9._+=-]{0,199}){0,19}$/;

/** The part of an address that names a store: `https://host:port`, `s3://bucket`; empty for files of this machine. */
function splitAddress(href: string): { readonly store: string; readonly path: string } {
  const [, store = '', path = href] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)(.*)$/is.exec(href) ?? [];
  return { store, path };
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

/** A folder with a slash at its end; null for the root of a disk, a bucket or the data directory, which is no product. */
function toFolder(store: string, names: readonly string[]): string | null {
  return names.some((name) => name !== '') ? `${store}${names.join('/')}/` : null;
}

/** The folders of a scene's product; several when its files lie in several stores. */
function findRoots(scene: Scene): readonly string[] {
  const { cloudMask } = scene;
  const hrefs = [
    ...Object.values(scene.assets).map(({ href }) => href),
    ...(cloudMask?.kind === 'polygons' ? [cloudMask.href] : []),
  ];
  return [...new Set(hrefs.flatMap((href) => findRoot(href, scene) ?? []))];
}

/** Addresses that the record itself states, such as the link to the tile's metadata. */
const isStated = (url: string, { fields, cloudMask }: Scene): boolean =>
  (cloudMask?.kind === 'polygons' && cloudMask.href === url) ||
  (/^(?:https|s3):\/\//.test(url) && Object.values(fields).includes(url));

/** The files that an address of an order may mean, best first: it is one of the record, or lies in the product. */
export function findMetadataFiles(url: string, scene: Scene): readonly string[] {
  if (url.length > MAX_URL_CHARACTERS || !METADATA_NAME.test(url)) throw refuse();
  if (isStated(url, scene)) return [url];
  const roots = findRoots(scene);
  const inside = roots.find((root) => url.startsWith(root));
  if (inside !== undefined && PLAIN_PATH.test(url.slice(inside.length))) return [url];
  if (!PLAIN_PATH.test(url) || roots.length === 0) throw refuse();
  return roots.map((root) => `${root}${url}`);
}
