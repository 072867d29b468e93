/**
 * A scene as an item of the API: what STAC can say of it, and addresses that work. Items are written from parts that
 * all scenes of a dataset share: a page of them costs about what a page of our own search does.
 */
import type { FiledHit, Scene, SceneHit } from '../../catalog/index.ts';
import { listFiles, toSearchFields } from '../../catalog/index.ts';
import type { AreaGeometry } from '../../geo/index.ts';
import { areaBounds } from '../../geo/index.ts';
import type { ToThumbnailAddress } from '../pictures/thumbnails.ts';
import type { StacAddresses } from './addresses.ts';
import { STAC_VERSION } from './addresses.ts';
import { makeFindTemplate, writeFileAssets } from './item-assets.ts';
import { EXTENSION_BITS, writeExtensions } from './item-extensions.ts';
import { makeWriteLinks } from './item-links.ts';
import { toItemId } from './item-properties.ts';
import { JsonBytes } from './json-bytes.ts';
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

/** One place for all: an item is copied before the next is written, and most answers have a few. */
const out = new JsonBytes();

/**
 * Builds the function that writes items as JSON. The bytes must be copied before another item is written. A scene whose record was
 * not read, such as a hit of a live catalog, has no files among its assets.
 */
export function makeWriteItem(
  tools: ItemTools,
  isWanted: (part: string) => boolean = () => true,
): (scene: FiledHit | Scene | SceneHit) => Buffer {
  const writeLinks = makeWriteLinks(tools);
  const findTemplate = makeFindTemplate();
  const { toFolder } = tools;
  return (scene) => {
    const { viewId, footprint } = scene;
    const files = filesOf(scene);
    const template = files === null ? null : findTemplate(scene, files);
    // Extensions are named even where the part that uses them is not wanted.
    const properties = writeProperties(scene);
    let { used } = properties;
    out.clear();
    let begin = '{';
    if (isWanted('type')) begin += '"type":"Feature",';
    if (isWanted('stac_version')) begin += `"stac_version":"${STAC_VERSION}",`;
    if (isWanted('id')) begin += `"id":${JSON.stringify(toItemId(viewId))},`;
    if (isWanted('collection')) begin += `"collection":${JSON.stringify(scene.dataset)},`;
    if (isWanted('geometry')) begin += `"geometry":${writeFootprint(scene)},`;
    if (isWanted('bbox')) begin += `"bbox":${writeBbox(footprint)},`;
    if (isWanted('properties')) begin += `"properties":{${properties.text}},`;
    out.write(begin);
    if (isWanted('links')) out.write('"links":');
    if (writeLinks(scene, template?.names ?? null, isWanted('links') ? out : null))
      used |= EXTENSION_BITS.maps;
    if (isWanted('links')) out.write(',');
    if (isWanted('assets')) {
      out.write('"assets":{');
      if (files !== null && template !== null)
        writeFileAssets(template, { places: files.places, folder: toInner(toFolder(viewId)) }, out);
      out.write(writeThumbnail(scene, tools));
      out.dropComma();
      out.write('},');
    }
    if (isWanted('stac_extensions')) {
      const ofFiles = isWanted('assets') ? (template?.extensions ?? NO_EXTENSIONS) : NO_EXTENSIONS;
      out.write(`"stac_extensions":${writeExtensions(ofFiles, used)}`);
    }
    out.dropComma();
    out.write('}');
    return out.since(0);
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

const writeFootprint = (scene: FiledHit | Scene | SceneHit): string =>
  ('footprintJson' in scene ? scene.footprintJson : undefined) ?? JSON.stringify(scene.footprint);

/** West, south, east and north; across the antimeridian west is larger than east (RFC 7946). */
function writeBbox(footprint: AreaGeometry): string {
  const { west, south, east, north } = areaBounds(footprint);
  return `[${west},${south},${east > 180 ? east - 360 : east},${north}]`;
}

const NO_EXTENSIONS: readonly string[] = [];

function writeThumbnail(scene: SceneHit, { toThumbnail }: ItemTools): string {
  const { thumbnail: stored } = toSearchFields(scene);
  if (typeof stored !== 'string') return '';
  const { viewId, provenance } = scene;
  const href = toThumbnail({ stored, viewId, isLive: provenance === 'live' });
  const type = /\.jpe?g(?:[?#]|$)/i.test(href) ? 'image/jpeg' : 'image/png';
  return `"thumbnail":{"href":${JSON.stringify(href)},"type":"${type}","roles":["thumbnail"],"title":"Thumbnail"}`;
}
