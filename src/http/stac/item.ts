/**
 * A scene as an item of the API: what STAC can say of it, and addresses that work. Items are written as text, from parts
 * that all scenes of a dataset share: a page of them costs about what a page of our own search does.
 */
import type { FiledHit, Scene, SceneHit } from '../../catalog/index.ts';
import { listFiles, toSearchFields } from '../../catalog/index.ts';
import type { AreaGeometry } from '../../geo/index.ts';
import { areaBounds } from '../../geo/index.ts';
import type { ToThumbnailAddress } from '../pictures/thumbnails.ts';
import type { StacAddresses } from './addresses.ts';
import { STAC_VERSION } from './addresses.ts';
import { findTemplate, writeFileAssets } from './item-assets.ts';
import { EXTENSION_BITS, writeExtensions } from './item-extensions.ts';
import { makeWriteLinks } from './item-links.ts';
import { toItemId } from './item-properties.ts';
import { toInner } from './json-template.ts';
import { writeProperties } from './write-properties.ts';

/** What items are written with. */
export interface ItemTools {
  readonly publicUrl: string;
  readonly addresses: StacAddresses;
  readonly toThumbnail: ToThumbnailAddress;
  /** What the addresses of a scene's own files begin with; they work without a key for some time. */
  readonly toFolder: (viewId: string) => string;
  /** What the addresses of an item's map begin with, likewise; null for guests, who need none. */
  readonly toMap: ((itemId: string) => string) | null;
  /** For whom these addresses are signed, and until when: what is signed for one is equal. */
  readonly signedFor: string;
}

/**
 * Builds the function that writes items as JSON. A scene whose record was not read, such as a hit of a live catalog, has no
 * files among its assets.
 */
export function makeWriteItem(
  tools: ItemTools,
  isWanted: (part: string) => boolean = () => true,
): (scene: FiledHit | Scene | SceneHit) => string {
  const writeLinks = makeWriteLinks(tools);
  const { toFolder } = tools;
  return (scene) => {
    const { viewId, dataset, footprint } = scene;
    const files = filesOf(scene);
    const template = files === null ? null : findTemplate(scene, files);
    const written: string[] = ['{'];
    const add = (part: string, text: string): void => {
      if (isWanted(part)) written.push(`"${part}":`, text, ',');
    };
    add('type', '"Feature"');
    add('stac_version', `"${STAC_VERSION}"`);
    add('id', JSON.stringify(toItemId(viewId)));
    add('collection', JSON.stringify(dataset));
    if (isWanted('geometry')) add('geometry', JSON.stringify(footprint));
    if (isWanted('bbox')) add('bbox', JSON.stringify(toBbox(footprint)));
    // Extensions are named even where the part that uses them is not wanted.
    const properties: string[] = isWanted('properties') ? written : [];
    properties.push('"properties":{');
    let used = writeProperties(scene, properties);
    properties.push('},');
    const links: string[] = isWanted('links') ? written : [];
    links.push('"links":');
    if (writeLinks(scene, template?.names ?? null, links)) used |= EXTENSION_BITS.maps;
    links.push(',');
    if (isWanted('assets')) {
      written.push('"assets":{');
      if (files !== null && template !== null)
        writeFileAssets(template, { places: files.places, folder: toInner(toFolder(viewId)) }, written);
      written.push(writeThumbnail(scene, tools));
      endWithout(written, ',');
      written.push('},');
    }
    if (isWanted('stac_extensions'))
      add(
        'stac_extensions',
        writeExtensions(isWanted('assets') ? (template?.extensions ?? NO_EXTENSIONS) : NO_EXTENSIONS, used),
      );
    endWithout(written, ',');
    written.push('}');
    return written.join('');
  };
}

/** The files of a scene, where they are known. */
const filesOf = (scene: FiledHit | Scene | SceneHit): FiledHit['files'] | null =>
  'files' in scene ? scene.files : 'assets' in scene ? listFiles(writeAssets(scene.assets)) : null;

/** Assets as a record has them: JSON has no NaN. A function for every value would take longer than all else of an item. */
function writeAssets(assets: Scene['assets']): string {
  const hasNan = Object.values(assets).some((asset) => Object.values(asset).some(Number.isNaN));
  return hasNan
    ? JSON.stringify(assets, (_, value) => (Number.isNaN(value) ? 'nan' : value))
    : JSON.stringify(assets);
}

/** West, south, east and north; across the antimeridian west is larger than east (RFC 7946). */
function toBbox(footprint: AreaGeometry): readonly number[] {
  const { west, south, east, north } = areaBounds(footprint);
  return [west, south, east > 180 ? east - 360 : east, north];
}

const NO_EXTENSIONS: readonly string[] = [];

/** Takes back the comma behind the last entry, and empty pieces behind that. */
function endWithout(written: string[], comma: ','): void {
  while (written.at(-1) === '') written.pop();
  const last = written.at(-1);
  if (last?.endsWith(comma)) written[written.length - 1] = last.slice(0, -1);
}

function writeThumbnail(scene: SceneHit, { toThumbnail }: ItemTools): string {
  const { thumbnail: stored } = toSearchFields(scene);
  if (typeof stored !== 'string') return '';
  const { viewId, provenance } = scene;
  const href = toThumbnail({ stored, viewId, isLive: provenance === 'live' });
  const type = /\.jpe?g(?:[?#]|$)/i.test(href) ? 'image/jpeg' : 'image/png';
  return `"thumbnail":{"href":${JSON.stringify(href)},"type":"${type}","roles":["thumbnail"],"title":"Thumbnail"}`;
}
