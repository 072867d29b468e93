import type { AreaGeometry } from '../../geo/index.ts';
import { isObject } from '../../json.ts';
import { parseViewId } from '../../sensors/index.ts';
import { sourceBroken } from '../errors.ts';
import type { Product } from '../folder/find-products.ts';
import { parseJsonObject, required, toArea, toNumberWithin, toText, toUtcTime } from '../metadata-values.ts';
import type { Family, ProductTools, SceneFacts } from './family.ts';
import { DEFAULT_FACTS, scaleByRule, toFields } from './family.ts';

/** The content of `…_metadata.json`: the item of Planet's catalog, a GeoJSON feature. */
interface PlanetScopeMetadata {
  readonly id: string;
  readonly acquiredAt: string;
  /** When the item was published or last updated; null if unknown. */
  readonly processedAt: string | null;
  readonly cloudPercent: number | null;
  readonly sunElevationDeg: number | null;
  readonly sunAzimuthDeg: number | null;
  /** `PS2`, `PS2.SD`, `PSB.SD`; null if unknown. */
  readonly instrument: string | null;
  readonly area: AreaGeometry | null;
}

/** Reads `…_metadata.json`. */
export function parsePlanetScopeMetadata(text: string, what: string): PlanetScopeMetadata {
  const { id, geometry, properties } = parseJsonObject(text, what);
  const said = isObject(properties) ? properties : {};
  const number = (name: string, bounds: readonly [number, number]) =>
    toNumberWithin(toText(said[name]), bounds);
  const time = (name: string) => toUtcTime(toText(said[name]));
  // Items from before UDM2 only have a share of clouds.
  const cloudShare = number('cloud_cover', [0, 1]);
  return {
    id: required(toText(id), 'id', what),
    acquiredAt: required(time('acquired'), 'acquired', what),
    processedAt: time('updated') ?? time('published'),
    cloudPercent: number('cloud_percent', [0, 100]) ?? (cloudShare === null ? null : 100 * cloudShare),
    sunElevationDeg: number('sun_elevation', [-90, 90]),
    sunAzimuthDeg: number('sun_azimuth', [-180, 360]),
    instrument: toText(said.instrument),
    area: toArea(geometry),
  };
}

/** Describes a product by Planet's metadata, or by its name, which has the time to the second. */
async function describeProduct(product: Product, { readText }: ProductTools): Promise<SceneFacts> {
  const { sensor, id, files } = product;
  const { viewId, sceneName, parts, date } = parseViewId(`${sensor.abbreviation}/${id}`);
  const [file] = files.get('metadata') ?? [];
  const metadata =
    file === undefined ? null : parsePlanetScopeMetadata(await readText(file), file.parts.at(-1) ?? '');
  if (metadata !== null && metadata.id !== id) {
    throw sourceBroken(
      'metadata-of-another',
      `The metadata belong to ${metadata.id}, but the files to ${id}.`,
    );
  }
  const { cloudPercent = null, sunElevationDeg = null, sunAzimuthDeg = null } = metadata ?? {};
  const clock = parts.time?.replace(/(..)(..)(..)/, '$1:$2:$3');
  const acquiredAt = metadata?.acquiredAt ?? `${date}T${clock}.${parts.hundredths ?? '00'}0Z`;
  return {
    ...DEFAULT_FACTS,
    sensor,
    viewId,
    sceneId: sceneName,
    acquiredAt,
    processed: metadata?.processedAt ?? '',
    cloudPercent,
    sunElevationDeg,
    sunAzimuthDeg,
    fields: toFields<'planetscope'>({
      timestamp: acquiredAt,
      cloudCoverage: cloudPercent,
      sunElevation: sunElevationDeg,
      sunAzimuth: sunAzimuthDeg,
      satelliteName: `PlanetScope ${parts.satellite}`,
      sensor: metadata?.instrument,
      onAmazon: false,
    }),
    scaleOf: scaleByRule,
    cloudImage: files.get('cloud-image')?.[0] ?? null,
    stated: metadata?.area ? { area: metadata.area, epsg: 4326 } : null,
    // Frames are tilted along the orbit, and clipped products are smaller than their metadata say.
    isTilted: true,
  };
}

/** PlanetScope orders: images, a mask, and the item of Planet's catalog as a JSON file. */
export const planetscope: Family = { name: 'planetscope', describeProduct, items: null };
