import { isSwathError } from '../../errors.ts';
import type { AreaGeometry } from '../../geo/index.ts';
import { areaContains, geometryBounds } from '../../geo/index.ts';
import type { CrsId, Position } from '../../proj/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import type { SceneFacts } from '../families/scene-facts.ts';
import { toFields } from '../families/scene-facts.ts';
import { tidyFootprint, toFootprint } from '../footprint/footprint.ts';
import { toOutlineOnGlobe } from '../footprint/globe-edge.ts';
import type { MeasuredArea } from '../footprint/measured-area.ts';
import type { CloudMask, SceneOrigin } from '../product-details.ts';
import type { Asset, NewScene } from '../scene.ts';

/** What a record is made of. */
export interface SceneParts {
  readonly facts: SceneFacts;
  readonly sensor: Sensor;
  /** By band name; at least one. */
  readonly assets: Readonly<Record<string, Asset>>;
  readonly cloudFlags: Asset | null;
  /** What the images themselves tell of the measured part, where it was looked for. */
  readonly measured: (MeasuredArea & { readonly crs: CrsId }) | null;
  readonly provenance: string;
  readonly origin: SceneOrigin;
}

/** The catalog's record of a scene, from what its metadata say and its images are. */
export function toSceneRecord({
  facts,
  sensor,
  assets,
  cloudFlags,
  measured,
  provenance,
  origin,
}: SceneParts): NewScene {
  const { viewId, sceneId, acquiredAt, cloudPercent, sunElevationDeg, sunAzimuthDeg } = facts;
  const coveragePercent = facts.coveragePercent ?? measured?.coveragePercent ?? null;
  const cloudMask: CloudMask | null =
    facts.cloudMask?.kind === 'classes' || cloudFlags === null
      ? facts.cloudMask
      : { kind: 'flags', asset: cloudFlags };
  const extent = largestExtent(Object.values(assets));
  return {
    viewId,
    sceneId,
    dataset: sensor.dataset,
    acquiredAt,
    cloudPercent,
    sunElevationDeg,
    sunAzimuthDeg,
    coveragePercent,
    footprint: chooseFootprint({ stated: facts.stated, measured }, extent),
    ...(sensor.hit.some(({ name }) => name === 'tileGeometry') ? { frame: extent } : {}),
    fields: {
      ...(provenance === 'demo' ? withoutPicture(facts.fields) : facts.fields),
      ...toFields(sensor, { dataCoveragePercentage: coveragePercent }),
    },
    assets,
    provenance,
    ...(facts.productId === null ? {} : { productId: facts.productId }),
    ...(facts.calibration === null ? {} : { calibration: facts.calibration }),
    ...(cloudMask === null ? {} : { cloudMask }),
    origin,
  };
}

/** An invented scene lies where a real one would, but no provider has a small picture of it. */
function withoutPicture({ thumbnail: _, ...fields }: NewScene['fields']): NewScene['fields'] {
  return fields;
}

/** From here on an image is full, and tells nothing that its extent does not. */
const FULL_PERCENT = 99.5;
/** Half a percent of an image's side: outlines are stated with less care than images are placed. */
const SLACK = 0.005;

/**
 * The measured part as the images show it; or else as the provider states it, if the images hold it; or else all of
 * what they cover. A statement that reaches beyond the images is about more than is here: somebody has cut them.
 */
function chooseFootprint(
  { stated, measured }: { stated: SceneFacts['stated']; measured: SceneParts['measured'] },
  extent: AreaGeometry,
): AreaGeometry {
  const isPart = measured !== null && measured.coveragePercent < FULL_PERCENT;
  if (isPart && measured.outline !== null) return toFootprint(measured.outline, measured.crs);
  const area = stated === null ? null : tryFootprint(stated);
  return area !== null && areaContains(grow(extent), area) ? area : extent;
}

/** The ground that the widest image covers. */
export function largestExtent(assets: readonly Asset[]): AreaGeometry {
  const extents = assets.map((asset) => toExtent(asset));
  return extents.reduce((best, one) => (areaOf(one) > areaOf(best) ? one : best));
}

/** The ground that an image covers. */
export function toExtent(asset: Asset): AreaGeometry {
  const crs = asset.proj ?? asset.epsg;
  return toFootprint(toOutlineOnGlobe(asset, crs), crs);
}

/** Null for a statement that is no footprint: providers' outlines cross themselves now and then. */
function tryFootprint({ area, epsg }: NonNullable<SceneFacts['stated']>): AreaGeometry | null {
  try {
    if (epsg === 4326) return tidyFootprint(area);
    const rings = area.type === 'Polygon' ? area.coordinates.slice(0, 1) : [];
    const [ring] = rings.map((positions) => positions.slice(0, -1).map(([x, y]): Position => [x, y]));
    return ring === undefined ? null : toFootprint(ring, epsg);
  } catch (error) {
    if (isSwathError(error) && error.code === 'no-footprint') return null;
    throw error;
  }
}

function areaOf(area: AreaGeometry): number {
  const { west, south, east, north } = geometryBounds(area);
  return (east - west) * (north - south);
}

/** The same area, a little larger in all directions, seen from the middle of each part. */
function grow(area: AreaGeometry): AreaGeometry {
  const parts = area.type === 'Polygon' ? [area.coordinates] : area.coordinates;
  return {
    type: 'MultiPolygon',
    coordinates: parts.map((rings) => {
      const bounds = geometryBounds({ type: 'Polygon', coordinates: rings });
      const [lon, lat] = [(bounds.west + bounds.east) / 2, (bounds.south + bounds.north) / 2];
      return rings.map((ring) =>
        ring.map(([x, y]) => [x + (x - lon) * 2 * SLACK, y + (y - lat) * 2 * SLACK] as const),
      );
    }),
  };
}
