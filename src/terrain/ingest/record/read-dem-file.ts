import { sourceBroken, unsupported } from '../../../errors.ts';
import type { BlockFile } from '../../../formats/block-file/index.ts';
import { toStoredNodata } from '../../../formats/tiff/index.ts';
import type { HeaderDeps, OpenedImage } from '../../../ingest/index.ts';
import { findAffinePlacement, readHeader } from '../../../ingest/index.ts';
import type { DemFile } from '../../dems/dem.ts';
import { toDemFileId } from '../../dems/dem-file-id.ts';
import type { HeightUnit } from './height-unit.ts';
import { findMetresPerUnit } from './height-unit.ts';
import { toImageBounds } from './image-bounds.ts';
import { toPixelSizeM } from './pixel-size.ts';

/** What an operator says about files, where they do not say it themselves or say it wrongly. */
export interface HeightOptions {
  /** Band with the heights, counted from 0. */
  readonly bandIndex: number;
  /** Null: as the file says. */
  readonly unit: HeightUnit | null;
  /** The stored value of a void, for files that state none. */
  readonly nodata: number | null;
}

interface DemFileRequest extends HeightOptions {
  readonly dem: string;
  /** Number of the overview mosaic that it is a file of; 0, the default, for a file as ingested. */
  readonly overview?: number;
  readonly href: string;
}

/** Reads the header of a GeoTIFF and records all that reading its heights needs. */
export const readDemFile = (deps: HeaderDeps, request: DemFileRequest): Promise<DemFile> =>
  readHeader(deps, request.href, (image) => toDemFile(image, request));

function toDemFile({ href, file, sidecars, stamps }: OpenedImage, request: DemFileRequest): DemFile {
  const { dem, bandIndex, overview = 0 } = request;
  if (file.format !== 'tiff') {
    throw unsupported('not-a-geotiff', 'It is a JPEG 2000 file; heights are read from GeoTIFF.');
  }
  const [main, ...overviews] = file.levels;
  const { width, height, bandCount } = main;
  if (bandIndex >= bandCount) {
    const bands = bandCount === 1 ? 'one band' : `${bandCount} bands`;
    throw sourceBroken('no-band', `It has ${bands} and no band ${bandIndex + 1}.`);
  }
  const placed = { ...findPlacement(file), width, height };
  const { scale, offset } = toHeightScale(file, request);
  const isFloat = main.type === 'float32' || main.type === 'float64';
  return {
    id: toDemFileId({ dem, overview, href }),
    dem,
    overview,
    format: 'tiff',
    href,
    bandIndex,
    ...(typeof placed.crs === 'number' ? { epsg: placed.crs } : { epsg: 0, proj: placed.crs }),
    transform: placed.transform,
    width,
    height,
    levels: overviews.map((level) => ({ width: level.width, height: level.height })),
    nodata: findNodata(file, request),
    scale,
    offset,
    stepM: isFloat ? 0 : Math.abs(scale),
    resolutionM: toPixelSizeM(placed),
    bounds: toImageBounds(placed),
    ...(sidecars.length === 0 ? {} : { sidecars: sidecars.map(({ suffix }) => suffix) }),
    stamps,
  };
}

function findPlacement(file: BlockFile): NonNullable<ReturnType<typeof findAffinePlacement>> {
  const placement = findAffinePlacement(file);
  if (placement !== null) return placement;
  if (file.transform === null && file.gcps.length > 0) {
    throw unsupported(
      'control-points',
      'It is georeferenced by control points; heights need a regular grid (gdalwarp makes one).',
    );
  }
  const missing = file.transform === null ? 'a transform' : 'a known reference system';
  throw sourceBroken(
    'no-georeference',
    `It has no georeference: neither the file nor a sidecar has ${missing}.`,
  );
}

/** GDAL's scale and offset give values in the unit of the band, which becomes a part of both. */
function toHeightScale(file: BlockFile, { bandIndex, unit }: DemFileRequest) {
  const band = file.bands[bandIndex];
  const metres = findMetresPerUnit(file, bandIndex, unit);
  const scale = (band?.scale ?? 1) * metres;
  if (scale === 0) throw sourceBroken('no-heights', 'Its scale is 0, so all its heights are the same.');
  return { scale, offset: (band?.offset ?? 0) * metres };
}

/** SRTM and its likes mark voids with the lowest number of 16 bits, and many copies of them do not say so. */
const INT16_VOID = -32_768;

function findNodata(file: BlockFile, { nodata }: DemFileRequest): number | null {
  const { type } = file.levels[0];
  const stated = file.nodata ?? (nodata === null ? null : toStoredNodata(nodata, type));
  // Values that are not finite are never heights, and records are JSON, which has no word for them.
  if (stated !== null) return Number.isFinite(stated) ? stated : null;
  return type === 'int16' ? INT16_VOID : null;
}
