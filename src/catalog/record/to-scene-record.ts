import type { AreaGeometry } from '../../geo/index.ts';
import { areaKm2 } from '../../geo/index.ts';
import type { Asset } from '../asset.ts';
import type { BandSource, SceneFacts } from '../families/scene-facts.ts';
import type { Calibration, CloudMask, SceneOrigin } from '../product-details.ts';
import type { NewScene } from '../scene.ts';
import { largestExtent } from './extent.ts';

/** What a record is made of, whether of a product in a folder or of a STAC item. */
export interface SceneParts {
  readonly facts: SceneFacts;
  /** The bands that were found. */
  readonly sources: readonly BandSource[];
  /** Those that can be read, by band name; at least one. */
  readonly assets: Readonly<Record<string, Asset>>;
  readonly cloudFlags: Asset | null;
  /** Chooses the footprint, given the ground that the widest image covers. */
  readonly toFootprint: (extent: AreaGeometry) => AreaGeometry;
  /** Which part of the images is measured, where they were looked at. */
  readonly measuredPercent: number | null;
  readonly provenance: string;
  readonly origin: SceneOrigin;
}

/** The catalog's record of a scene, from what names and metadata say and its images are. */
export function toSceneRecord(parts: SceneParts): NewScene {
  const { facts, assets, measuredPercent, provenance, origin } = parts;
  const { sensor, viewId, sceneId, acquiredAt, cloudPercent, sunElevationDeg, sunAzimuthDeg } = facts;
  const extent = largestExtent(Object.values(assets));
  const footprint = parts.toFootprint(extent);
  const coveragePercent = facts.coveragePercent ?? measuredPercent ?? toCoveragePercent(footprint, extent);
  const calibration = toCalibration(parts);
  const cloudMask = toCloudMask(parts);
  return {
    viewId,
    sceneId,
    dataset: sensor.dataset,
    acquiredAt,
    cloudPercent,
    sunElevationDeg,
    sunAzimuthDeg,
    coveragePercent,
    footprint,
    ...(sensor.hit.some(({ name }) => name === 'tileGeometry') ? { frame: extent } : {}),
    fields: {
      ...(provenance === 'demo' ? withoutPicture(facts.fields) : facts.fields),
      dataCoveragePercentage: coveragePercent,
    },
    assets,
    provenance,
    ...(facts.productId === null ? {} : { productId: facts.productId }),
    ...(calibration === null ? {} : { calibration }),
    ...(cloudMask === null ? {} : { cloudMask }),
    origin,
  };
}

/** How much of the images' ground the footprint covers; one that was stated with little care may reach beyond them. */
function toCoveragePercent(footprint: AreaGeometry, extent: AreaGeometry): number {
  if (footprint === extent) return 100;
  const percent = (100 * areaKm2(footprint)) / areaKm2(extent);
  return Math.min(100, Math.round(percent * 100) / 100);
}

/** Of the bands that are there. */
function toCalibration({ facts, sources, assets }: SceneParts): Calibration | null {
  const { earthSunDistanceAu, calibrationOf } = facts;
  const bands = sources.flatMap((source) => {
    const calibration = Object.hasOwn(assets, source.band.name) ? calibrationOf(source) : null;
    return calibration === null ? [] : [[source.band.name, calibration] as const];
  });
  if (bands.length === 0 && earthSunDistanceAu === null) return null;
  return { earthSunDistanceAu, bands: Object.fromEntries(bands) };
}

/** Classes of a band come first, then flags of an image; a mask that names a missing band does not count. */
function toCloudMask({ facts, assets, cloudFlags }: SceneParts): CloudMask | null {
  const { cloudMask: mask } = facts;
  const isThere = mask !== null && (!('band' in mask) || Object.hasOwn(assets, mask.band));
  if (cloudFlags !== null && !(isThere && mask.kind === 'classes'))
    return { kind: 'flags', asset: cloudFlags };
  return isThere ? mask : null;
}

/** An invented scene lies where a real one would, but no provider has a small picture of it. */
function withoutPicture({ thumbnail: _, ...fields }: NewScene['fields']): NewScene['fields'] {
  return fields;
}
