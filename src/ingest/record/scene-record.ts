import type { Asset, Calibration, CloudMask, NewScene } from '../../catalog/index.ts';
import { isSwathError } from '../../errors.ts';
import type { AreaGeometry } from '../../geo/index.ts';
import { areaKm2, areasIntersect, geometryBounds, relates } from '../../geo/index.ts';
import type { CrsId, Position } from '../../proj/index.ts';
import type { Band } from '../../sensors/index.ts';
import { sourceBroken } from '../errors.ts';
import type { BandScale, BandSource, SceneFacts } from '../families/family.ts';
import { tidyFootprint, toFootprint } from './footprint.ts';
import type { MeasuredArea } from './image-area.ts';
import { largestExtent } from './image-area.ts';

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
  readonly origin: NonNullable<NewScene['origin']>;
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

/** Above this an image is full, and its outline is its extent. */
const FULL_PERCENT = 99.5;
/** Half a percent of an image's side: outlines of providers are less precise than georeferences. */
const SLACK = 0.005;

/**
 * The footprint of a product in a folder: the measured area of its images, or the outline of the provider if the images
 * contain it, or the extent of the images. An outline that reaches beyond the images belongs to a product that was
 * cropped afterwards.
 */
export function productFootprint(
  { stated }: Pick<SceneFacts, 'stated'>,
  measured: (MeasuredArea & { readonly crs: CrsId }) | null,
  extent: AreaGeometry,
): AreaGeometry {
  const isPart = measured !== null && measured.coveragePercent < FULL_PERCENT;
  if (isPart && measured.outline !== null) return toFootprint(measured.outline, measured.crs);
  const area = stated === null ? null : tryFootprint(stated);
  return area !== null && relates(grow(extent), area, 'contains') ? area : extent;
}

/** The footprint of an item: its geometry, by which its own catalog is searched, or the extent of its images. */
export function itemFootprint({ stated }: Pick<SceneFacts, 'stated'>, extent: AreaGeometry): AreaGeometry {
  const area = stated === null ? null : tryFootprint(stated);
  if (area === null) return extent;
  if (areasIntersect(area, extent)) return area;
  throw sourceBroken('stac-misplaced', 'Its geometry and its images do not overlap.');
}

/** Null for an invalid outline: those of providers sometimes cross themselves. */
export function tryFootprint({ area, epsg }: NonNullable<SceneFacts['stated']>): AreaGeometry | null {
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

/** The same area, each part a little enlarged from its centre. */
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

/** The scale of a band in its record, and a note about that of its file. */
interface ChosenScale extends BandScale {
  /** Null if there is nothing to report. */
  readonly note: string | null;
}

/** Rules that the scale of a file can replace. The others compute with stored numbers. */
const BY_SCALE: ReadonlySet<Band['calibration']['kind']> = new Set(['none', 'scaled', 'quantified']);

/**
 * Chooses the scale of a band: that of the product's metadata, which take precedence, or that of its file (GDAL's scale
 * and offset). A file that disagrees with the metadata is reported, never ignored silently.
 */
export function chooseScale(
  { name, kind, calibration }: Pick<Band, 'name' | 'kind' | 'calibration'>,
  { stated, ofFile }: { readonly stated: BandScale; readonly ofFile: BandScale },
): ChosenScale {
  const isUsable = Number.isFinite(ofFile.scale) && ofFile.scale !== 0 && Number.isFinite(ofFile.offset);
  if (isPlain(ofFile) || !isUsable || isNear(ofFile, stated)) return { ...stated, note: null };
  const what = `the scale ${ofFile.scale} and offset ${ofFile.offset} of its file`;
  const refuse = (why: string): ChosenScale => ({
    ...stated,
    note: `${name}: ${what} are not used: ${why}.`,
  });
  if (!isPlain(stated))
    return refuse(`the product's metadata say ${stated.scale} and ${stated.offset}, which go first`);
  if (kind === 'quality') return refuse('it holds classes or bits');
  if (!BY_SCALE.has(calibration.kind)) return refuse('its calibration is made of the stored numbers');
  return { ...ofFile, note: `${name}: CALIBRATE uses ${what}.` };
}

const isPlain = ({ scale, offset }: BandScale): boolean => scale === 1 && offset === 0;

/** Writers print some digits only, and 32-bit floats have seven. */
const isNear = (a: BandScale, b: BandScale): boolean =>
  Math.abs(a.scale - b.scale) <= 1e-6 * Math.abs(b.scale) &&
  Math.abs(a.offset - b.offset) <= 1e-6 * Math.max(1, Math.abs(b.offset));
