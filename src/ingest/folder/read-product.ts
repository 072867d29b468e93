import { hash } from 'node:crypto';
import type { Asset, NewScene } from '../../catalog/index.ts';
import type { Jp2Decoder } from '../../formats/jp2/index.ts';
import { geometryBounds } from '../../geo/index.ts';
import { sourceBroken } from '../errors.ts';
import type { BandSource, SceneFacts } from '../families/family.ts';
import type { ProductDoors, ReadAsset } from '../read-files.ts';
import { readAsset, readAssetFile, withAssetFile } from '../read-files.ts';
import { readMeasuredArea, toExtent } from '../record/image-area.ts';
import { chooseScale, productFootprint, toSceneRecord } from '../record/scene-record.ts';
import type { Product } from './find-products.ts';

/** Bump when the same files give other records, so that the next ingest makes them again. */
const INGEST_VERSION = 7;

interface ReadProductDeps extends ProductDoors {
  readonly jp2Decoder: Jp2Decoder;
  readonly provenance: string;
  readonly signal?: AbortSignal | undefined;
}

/** A hash that changes when a file of the product is changed, moved, added or removed. */
export function toFingerprint({ bands, sidecars, files }: Product, toHref: ProductDoors['toHref']): string {
  const used = [...[...bands.values()].map(({ file }) => file), ...sidecars, ...[...files.values()].flat()];
  const lines = used.map(({ path, sizeBytes, modifiedMs }) => `${toHref(path)} ${sizeBytes} ${modifiedMs}`);
  const text = [INGEST_VERSION, ...new Set(lines.sort())].join('\n');
  return hash('sha256', text, 'hex').slice(0, 16);
}

/** A record and notes about its product. */
export interface ReadProduct {
  readonly scene: NewScene;
  readonly notes: readonly string[];
}

/** Opens the images of a product and makes its record; an image that cannot be opened breaks the whole product. */
export async function readProduct(
  deps: ReadProductDeps,
  { product, facts, fingerprint }: { product: Product; facts: SceneFacts; fingerprint: string },
): Promise<ReadProduct> {
  const all: [string, Asset][] = [];
  const sources: BandSource[] = [];
  const notes: string[] = [...facts.notes];
  for (const band of product.sensor.bands) {
    const found = product.bands.get(band.name);
    if (found === undefined) continue;
    const source: BandSource = { band, asset: null, stated: null };
    sources.push(source);
    const stated = facts.scaleOf(source);
    const read = await tryBand(deps, {
      path: found.file.path,
      name: found.file.parts.at(-1) ?? '',
      bandIndex: found.bandIndex,
      nodata: band.nodata,
      ...stated,
      fallback: facts.placementOf(band.name),
    });
    if (read === null) {
      notes.push(`${band.name} is left out: its file has fewer bands.`);
      continue;
    }
    const ofFile = read.scales[found.bandIndex] ?? stated;
    const { note, ...scale } = chooseScale(band, { stated, ofFile });
    if (note !== null) notes.push(note);
    all.push([band.name, { ...read.asset, ...scale }]);
  }
  const { near, strays } = splitByLocation(all);
  notes.push(...strays.map(([name]) => `${name} is left out: it lies far from the other bands.`));
  const cloudFlags = facts.cloudImage === null ? null : await readCloudFlags(deps, facts);
  const isFlagsHere = cloudFlags !== null && splitByLocation([...near, ['', cloudFlags]]).strays.length === 0;
  const measured = facts.isTilted ? await readMeasured(deps, near) : null;
  const scene = toSceneRecord({
    facts: await withMaskStamp(deps, facts),
    sources,
    assets: Object.fromEntries(near),
    cloudFlags: isFlagsHere ? cloudFlags : null,
    toFootprint: (extent) => productFootprint(facts, measured, extent),
    measuredPercent: measured?.coveragePercent ?? null,
    provenance: deps.provenance,
    origin: { fingerprint, processed: facts.processed },
  });
  return { scene, notes };
}

/** Null if the file has fewer bands than its layout says: three colours instead of four. */
async function tryBand(
  deps: ReadProductDeps,
  request: Parameters<typeof readAsset>[1],
): Promise<ReadAsset | null> {
  try {
    return await readAssetFile(deps, request);
  } catch (error) {
    if (request.bandIndex > 0 && (error as { code?: string }).code === 'no-band') return null;
    throw error;
  }
}

async function readCloudFlags(deps: ReadProductDeps, facts: SceneFacts): Promise<Asset | null> {
  const file = facts.cloudImage;
  if (file === null) return null;
  const name = file.parts.at(-1) ?? '';
  const fallback = facts.placementOf(name);
  return readAsset(deps, {
    path: file.path,
    name,
    bandIndex: 0,
    scale: 1,
    offset: 0,
    nodata: null,
    fallback,
  });
}

/** Adds the state of the cloud polygon file, which is parsed only when a picture needs it. */
async function withMaskStamp({ open }: ReadProductDeps, facts: SceneFacts): Promise<SceneFacts> {
  const { cloudMask } = facts;
  if (cloudMask?.kind !== 'polygons') return facts;
  const source = await open(cloudMask.href);
  await source.close();
  return { ...facts, cloudMask: { ...cloudMask, stamp: source.version } };
}

/** Reads the first band with a nodata value; if it is damaged, so is the product. */
async function readMeasured(deps: ReadProductDeps, assets: readonly [string, Asset][]) {
  const [, asset] = assets.find(([, { nodata, lattice }]) => nodata !== null && lattice === undefined) ?? [];
  const nodata = asset?.nodata ?? null;
  if (asset === undefined || nodata === null) return null;
  const { bandIndex, transform } = asset;
  const area = await withAssetFile(deps, asset, (file) =>
    readMeasuredArea(file, { bandIndex, nodata, transform, signal: deps.signal }),
  );
  return area === null ? null : { ...area, crs: asset.proj ?? asset.epsg };
}

/**
 * Splits off bands that lie far from the majority: some copies of products contain a file of another location, and a
 * mask from there would be worse than none.
 */
function splitByLocation(assets: readonly [string, Asset][]) {
  if (assets.length === 0) throw sourceBroken('no-images', 'The product has no band that can be read.');
  const located = assets.map((entry) => {
    const { west, south, east, north } = geometryBounds(toExtent(entry[1]));
    return {
      entry,
      lon: (west + east) / 2,
      lat: (south + north) / 2,
      reach: Math.max(east - west, north - south),
    };
  });
  const isNear = (a: (typeof located)[number], b: (typeof located)[number]) =>
    Math.hypot(a.lon - b.lon, a.lat - b.lat) <= Math.max(a.reach, b.reach) / 2;
  const votes = located.map((one) => located.filter((other) => isNear(one, other)).length);
  const middle = located[votes.indexOf(Math.max(...votes))]!;
  return {
    near: located.filter((one) => isNear(one, middle)).map(({ entry }) => entry),
    strays: located.filter((one) => !isNear(one, middle)).map(({ entry }) => entry),
  };
}
