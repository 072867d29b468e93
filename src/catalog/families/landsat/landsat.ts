import { sourceBroken } from '../../../errors.ts';
import type { Band, QualityLayout, ViewId } from '../../../sensors/index.ts';
import { parseViewId } from '../../../sensors/index.ts';
import type { Product } from '../../files/product.ts';
import type { ReadText } from '../../files/product-files.ts';
import type { BandCalibration, CloudMask } from '../../product-details.ts';
import type { SceneFacts } from '../scene-facts.ts';
import { NOTHING_MORE, toDayOrNight, toFields } from '../scene-facts.ts';
import type { LandsatMetadata } from './mtl.ts';
import { parseLandsatMtl } from './mtl.ts';

/** Describes a Landsat product by its MTL file; by its name alone when it has none. */
export async function describeLandsat(product: Product, readText: ReadText): Promise<SceneFacts> {
  const [file] = product.files.get('metadata') ?? [];
  if (file === undefined) return describeByName(product);
  const metadata = parseLandsatMtl(await readText(file), file.parts.at(-1) ?? '');
  if (product.id !== (metadata.productId ?? metadata.sceneId)) {
    throw sourceBroken(
      'metadata-of-another',
      `The metadata are those of ${metadata.productId ?? metadata.sceneId}, but the files are called ${product.id}.`,
    );
  }
  return describeByMetadata(product, metadata);
}

/** A scene goes by its scene id; its surface reflectance is another picture of it, and goes by its product id. */
const nameOf = ({ level, sceneId, productId }: LandsatMetadata): string =>
  level.startsWith('L2') ? (productId ?? sceneId) : sceneId;

function describeByMetadata(product: Product, metadata: LandsatMetadata): SceneFacts {
  const { sensor } = product;
  const { viewId } = parseViewId(`${sensor.abbreviation}/${nameOf(metadata)}`);
  const isSurface = metadata.level.startsWith('L2');
  return {
    ...NOTHING_MORE,
    isTilted: true,
    viewId,
    sceneId: metadata.sceneId,
    productId: metadata.productId,
    acquiredAt: metadata.acquiredAt,
    processed: [metadata.collection.replace('pre-collection', '-'), metadata.processedAt ?? ''].join(' '),
    cloudPercent: metadata.cloudPercent,
    sunElevationDeg: metadata.sunElevationDeg,
    sunAzimuthDeg: metadata.sunAzimuthDeg,
    fields: toFields(sensor, {
      productID: metadata.productId ?? metadata.sceneId,
      cloudCoverage: metadata.cloudPercent,
      sunElevation: metadata.sunElevationDeg,
      sunAzimuth: metadata.sunAzimuthDeg,
      storedInCollection: metadata.collection,
      path: metadata.path,
      row: metadata.row,
      sensor: metadata.sensor,
      satelliteName: `Landsat-${metadata.spacecraft}`,
      dayOrNight: toDayOrNight(metadata.sunElevationDeg),
      // Only the middle is known.
      sceneStartTime: metadata.acquiredAt,
      sceneStopTime: metadata.acquiredAt,
      onAmazon: true,
      onGoogle: false,
    }),
    calibration: isSurface
      ? null
      : { earthSunDistanceAu: metadata.earthSunDistanceAu, bands: toCalibrations(product, metadata) },
    cloudMask: toCloudMask(product, metadata.collection),
    scaleOf: (band) => toSurfaceScale(band, metadata),
  };
}

/** The key of a band in MTL files, from a name of a field there: `RADIANCE_MULT_BAND_6_VCID_1`. */
function keyOf({ calibration }: Band): string | null {
  const hasKeys = calibration.kind === 'reflectance' || calibration.kind === 'brightness-temperature';
  return hasKeys ? calibration.metadata.radianceMult.replace('RADIANCE_MULT_BAND_', '') : null;
}

function toCalibrations(product: Product, metadata: LandsatMetadata): Record<string, BandCalibration> {
  return Object.fromEntries(
    product.sensor.bands.flatMap((band) => {
      const calibration = metadata.bands[keyOf(band) ?? ''];
      return calibration === undefined || !product.bands.has(band.name) ? [] : [[band.name, calibration]];
    }),
  );
}

/** Level 2 calls thermal bands `ST_B10`, others by their number. */
function toSurfaceScale(band: Band, { surface }: LandsatMetadata): { scale: number; offset: number } {
  const scale = surface[`ST_${band.name}`] ?? surface[keyOf(band) ?? ''];
  return scale === undefined ? { scale: 1, offset: 0 } : { scale: scale.mult, offset: scale.add };
}

function toCloudMask({ sensor, bands }: Product, layout: QualityLayout): CloudMask | null {
  const band = sensor.quality?.band;
  return band === undefined || !bands.has(band) ? null : { kind: 'quality', band, layout };
}

/** What the name of a product says: place, day and processing, but neither time nor clouds nor the sun. */
function describeByName(product: Product): SceneFacts {
  const { sensor, layout, id } = product;
  const view = parseViewId(`${sensor.abbreviation}/${id}`);
  const { path, row } = toPathAndRow(view);
  return {
    ...NOTHING_MORE,
    isTilted: true,
    viewId: view.viewId,
    sceneId: view.sceneName,
    productId: view.form === 'product-id' ? view.sceneName : null,
    acquiredAt: `${view.date}T00:00:00.000Z`,
    processed: view.parts.processed ?? '',
    fields: toFields(sensor, {
      productID: view.sceneName,
      storedInCollection: layout.quality,
      path,
      row,
      satelliteName: sensor.title.replace(/^(Landsat) (\d).*$/, '$1-$2'),
      onAmazon: true,
      onGoogle: false,
    }),
    cloudMask: layout.quality === undefined ? null : toCloudMask(product, layout.quality),
    scaleOf: ({ kind }) => {
      const rule = kind === 'thermal' ? layout.calibration?.thermal : layout.calibration?.reflective;
      const isScaled = rule?.kind === 'scaled' && kind !== 'quality';
      return isScaled ? { scale: rule.scale.mult, offset: rule.scale.add } : { scale: 1, offset: 0 };
    },
  };
}

function toPathAndRow({ parts }: ViewId): { path: number; row: number } {
  const both = parts.pathRow ?? `${parts.path}${parts.row}`;
  return { path: Number(both.slice(0, 3)), row: Number(both.slice(3)) };
}
