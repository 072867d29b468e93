import type { AreaGeometry } from '../../geo/index.ts';
import { areaKm2 } from '../../geo/index.ts';
import type { Asset } from '../asset.ts';
import type { BandSource, SceneFacts } from '../families/scene-facts.ts';
import type { Calibration, CloudMask, SceneOrigin } from '../product-details.ts';
import type { NewScene } from '../scene.ts';
import { largestExtent } from './extent.ts';

/** What a record is made of, for products in folders and for STAC items. */
export interface SceneParts {
  readonly facts: SceneFacts;
  /** The bands that were found. */
  readonly sources: readonly BandSource[];
  /** The readable bands by name; at least one. */
  readonly assets: Readonly<Record<string, Asset>>;
  readonly cloudFlags: Asset | null;
  /** Chooses the footprint, given the extent of the widest image. */
  readonly toFootprint: (extent: AreaGeometry) => AreaGeometry;
  /** The measured share of the images; null if they were not read. */
  readonly measuredPercent: number | null;
  readonly provenance: string;
  readonly origin: SceneOrigin;
}

/** Makes the catalog's record of a scene from its facts and images. */
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

/** The share of the extent that the footprint covers; an imprecise footprint may reach beyond it. */
function toCoveragePercent(footprint: AreaGeometry, extent: AreaGeometry): number {
  if (footprint === extent) return 100;
  const percent = (100 * areaKm2(footprint)) / areaKm2(extent);
  return Math.min(100, Math.round(percent * 100) / 100);
}

/** The calibration of the bands that exist. */
function toCalibration({ facts, sources, assets }: SceneParts): Calibration | null {
  const { earthSunDistanceAu, calibrationOf } = facts;
  const bands = sources.flatMap((source) => {
    const calibration = Object.hasOwn(assets, source.band.name) ? calibrationOf(source) : null;
    return calibration === null ? [] : [[source.band.name, calibration] as const];
  });
  if (bands.length === 0 && earthSunDistanceAu === null) return null;
  return { earthSunDistanceAu, bands: Object.fromEntries(bands) };
}

/** Classes of a band come first, then flags of an image; a mask in a missing band is ignored. */
function toCloudMask({ facts, assets, cloudFlags }: SceneParts): CloudMask | null {
  const { cloudMask: mask } = facts;
  const isThere = mask !== null && (!('band' in mask) || Object.hasOwn(assets, mask.band));
  if (cloudFlags !== null && !(isThere && mask.kind === 'classes'))
    return { kind: 'flags', asset: cloudFlags };
  return isThere ? mask : null;
}

/** A demo scene has the addresses of a real one, but no provider has a thumbnail of it. */
function withoutPicture({ thumbnail: _, ...fields }: NewScene['fields']): NewScene['fields'] {
  return fields;
}
