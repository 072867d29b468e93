import type { Band, QualityLayout, ViewId } from '../../../sensors/index.ts';
import type { BandScale, SceneFacts } from '../scene-facts.ts';
import { DEFAULT_FACTS, toFields } from '../scene-facts.ts';
import type { LandsatMetadata } from './mtl.ts';

/** What a folder or an item knows of a scene. */
interface LandsatScene
  extends Pick<SceneFacts, 'productId' | 'processed' | 'cloudPercent' | 'sunElevationDeg' | 'sunAzimuthDeg'> {
  /** The scene name of its view id. */
  readonly view: ViewId;
  readonly sceneId: string;
  /** The centre time of the recording; null if only the day is known. */
  readonly acquiredAt: string | null;
  readonly collection: QualityLayout | undefined;
  /** `OLI_TIRS`; null if unknown. */
  readonly instrument: string | null;
  readonly pathRow?: { readonly path: number | null; readonly row: number | null };
  readonly thumbnail?: string | null;
  /** Null without an MTL file. */
  readonly metadata: LandsatMetadata | null;
}

/** The facts of a scene, whatever source it is known from. */
export function toLandsatFacts(scene: LandsatScene): SceneFacts {
  const { view, acquiredAt, collection, productId, cloudPercent, sunElevationDeg, sunAzimuthDeg } = scene;
  const { sensor, viewId, sceneName, parts, date } = view;
  const pathRow = parts.pathRow ?? `${parts.path}${parts.row}`;
  const isSurface = isSurfaceLevel(parts.level);
  const qualityBand = sensor.quality?.band;
  return {
    ...DEFAULT_FACTS,
    sensor,
    viewId,
    sceneId: scene.sceneId,
    productId,
    acquiredAt: acquiredAt ?? `${date}T00:00:00.000Z`,
    processed: scene.processed,
    cloudPercent,
    sunElevationDeg,
    sunAzimuthDeg,
    fields: toFields<'landsat8'>({
      productID: productId ?? sceneName,
      cloudCoverage: cloudPercent,
      sunElevation: sunElevationDeg,
      sunAzimuth: sunAzimuthDeg,
      storedInCollection: collection,
      path: scene.pathRow?.path ?? Number(pathRow.slice(0, 3)),
      row: scene.pathRow?.row ?? Number(pathRow.slice(3)),
      sensor: scene.instrument,
      satelliteName: sensor.title.replace(/^(Landsat) (\d).*$/, '$1-$2'),
      dayOrNight: sunElevationDeg === null ? null : sunElevationDeg > 0 ? 'day' : 'night',
      // Only the centre time is known.
      sceneStartTime: acquiredAt,
      sceneStopTime: acquiredAt,
      thumbnail: scene.thumbnail,
      onAmazon: true,
      onGoogle: false,
    }),
    earthSunDistanceAu: isSurface ? null : (scene.metadata?.earthSunDistanceAu ?? null),
    calibrationOf: ({ band, stated }) => {
      if (isSurface) return null;
      const known = scene.metadata?.bands[mtlKeyOf(band) ?? ''];
      if (known !== undefined) return known;
      // Items of level 1 scale to radiance, which the unit says.
      if (stated?.scale == null || !/^watt\/steradian/.test(stated.unit ?? '')) return null;
      return { radiance: { mult: stated.scale, add: stated.offset ?? 0 } };
    },
    cloudMask:
      qualityBand === undefined || collection === undefined
        ? null
        : { kind: 'quality', band: qualityBand, layout: collection },
  };
}

/** Whether a level is surface reflectance and temperature: `L2SP`. */
export const isSurfaceLevel = (level: string | undefined): boolean => level?.startsWith('L2') === true;

/** The key of a band in MTL files, from a field name: `RADIANCE_MULT_BAND_6_VCID_1`. */
export function mtlKeyOf({ calibration }: Band): string | null {
  const hasKeys = calibration.kind === 'reflectance' || calibration.kind === 'brightness-temperature';
  return hasKeys ? calibration.metadata.radianceMult.replace('RADIANCE_MULT_BAND_', '') : null;
}

/** The scale of all level-2 products; level 1 and quality bits have none. */
export function surfaceScaleOf({ kind }: Band, { sensor, parts }: ViewId): BandScale {
  const rules = sensor.layouts
    .flatMap(({ calibration }) => calibration ?? [])
    .find(({ levels }) => levels.includes(parts.level ?? ''));
  const rule = kind === 'thermal' ? rules?.thermal : rules?.reflective;
  return rule?.kind !== 'scaled' || kind === 'quality'
    ? { scale: 1, offset: 0 }
    : { scale: rule.scale.mult, offset: rule.scale.add };
}
