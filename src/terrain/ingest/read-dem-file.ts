import type { SwathError } from '../../errors.ts';
import { isSwathError } from '../../errors.ts';
import type { BlockFile } from '../../formats/block-file/index.ts';
import { openBlockFile } from '../../formats/block-file/index.ts';
import type { BlockPosition } from '../../formats/tiff/index.ts';
import { toStoredNodata } from '../../formats/tiff/index.ts';
import type { HeaderDeps, OpenedImage } from '../../ingest/index.ts';
import { findAffinePlacement, readHeader } from '../../ingest/index.ts';
import type { DemFile } from '../dem.ts';
import { toDemFileId } from '../dem.ts';
import { cancelled, sourceBroken, unsupported } from '../errors.ts';
import { toImageBounds, toPixelSizeM } from './placed-image.ts';

/** What an operator states about files that do not state it, or state it wrongly. */
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

/** SRTM and similar models mark voids with the lowest 16-bit number, and many copies do not declare it. */
const INT16_VOID = -32_768;

function findNodata(file: BlockFile, { nodata }: DemFileRequest): number | null {
  const { type } = file.levels[0];
  const stated = file.nodata ?? (nodata === null ? null : toStoredNodata(nodata, type));
  // Values that are not finite are never heights, and records are JSON, which cannot express them.
  if (stated !== null) return Number.isFinite(stated) ? stated : null;
  return type === 'int16' ? INT16_VOID : null;
}

/**
 * Reads the header of a file that was replaced. The band and the unit that an operator stated at its ingest apply to the
 * new file too.
 */
export async function renewDemFile(deps: HeaderDeps, file: DemFile): Promise<DemFile> {
  const { dem, overview, href, bandIndex, nodata, scale, offset } = file;
  const fresh = await readDemFile(deps, { dem, overview, href, bandIndex, unit: null, nodata });
  return { ...fresh, scale, offset, stepM: fresh.stepM === 0 ? 0 : Math.abs(scale) };
}

/** Blocks that are read at the same time: enough to keep a disk busy while one is decoded. */
const BLOCKS_AT_ONCE = 4;

/** Reads and decodes every block of a file, those of its reduced copies too; throws the error of the first bad one. */
export async function checkDemFile(
  { open, jp2Decoder, signal }: HeaderDeps,
  { href, bandIndex, sidecars = [] }: Pick<DemFile, 'href' | 'bandIndex' | 'sidecars'>,
): Promise<void> {
  const source = await open(href, signal);
  try {
    const suffixes = sidecars.filter((suffix) => suffix === '.ovr');
    const file = await openBlockFile(source, { jp2Decoder, signal, sidecars: { href, suffixes, open } });
    try {
      for (const level of file.levels.keys()) await checkLevel(file, { level, bandIndex }, signal);
    } finally {
      if (file.source !== source) await file.source.close();
    }
  } finally {
    await source.close();
  }
}

async function checkLevel(
  file: BlockFile,
  { level, bandIndex }: { readonly level: number; readonly bandIndex: number },
  signal: AbortSignal | undefined,
): Promise<void> {
  const { blocksAcross, blocksDown } = file.levels[level]!;
  let next = 0;
  const readOn = async (): Promise<void> => {
    while (next < blocksAcross * blocksDown) {
      const number = next++;
      const position = {
        band: bandIndex,
        column: number % blocksAcross,
        row: Math.floor(number / blocksAcross),
      };
      await checkBlock(file, { level, position }, signal).catch((error: unknown) => {
        // The others end after the block at hand.
        next = Number.POSITIVE_INFINITY;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: BLOCKS_AT_ONCE }, readOn));
}

async function checkBlock(
  file: BlockFile,
  { level, position }: { readonly level: number; readonly position: BlockPosition },
  signal: AbortSignal | undefined,
): Promise<void> {
  if (signal?.aborted) throw cancelled('ingest-stopped', 'Checking the file was stopped.');
  const block = await file.readBlock(level, position, signal);
  await file.readMask(level, position, block, signal);
}

/** Codes of storage errors that may be temporary; the file itself may be fine. */
const PASSING_CODES = new Set([
  'source-cut-off',
  'source-failing',
  'source-redirected',
  'source-refused',
  'source-resting',
  'source-unreachable',
  'source-untrusted',
  'source-wrong-range',
  'token-refused',
]);

/** Whether an error says that the file itself is bad, so that another attempt to read it would fail too. */
export const isDamage = (error: unknown): error is SwathError =>
  isSwathError(error) &&
  (error.tag === 'source-broken' || error.tag === 'too-large' || error.tag === 'unsupported') &&
  !PASSING_CODES.has(error.code);

/** Units of heights that an operator can name: metre, international foot, US survey foot. */
export type HeightUnit = 'm' | 'ft' | 'us-ft';

const METRES: Readonly<Record<HeightUnit, number>> = { m: 1, ft: 0.3048, 'us-ft': 1200 / 3937 };

/** By EPSG code. */
const CODED: ReadonlyMap<number, number> = new Map([
  [9001, METRES.m],
  [9002, METRES.ft],
  [9003, METRES['us-ft']],
]);

/** By the words that GDAL, PROJ and Esri write, in lower case and with single spaces. */
const SPELT: ReadonlyMap<string, number> = new Map([
  ...spell(METRES.m, ['m', 'metre', 'metres', 'meter', 'meters']),
  ...spell(METRES.ft, ['ft', 'foot', 'feet', 'international foot', 'international feet', 'foot intl']),
  ...spell(METRES['us-ft'], ['us ft', 'ftus', 'usft', 'us foot', 'us feet', 'foot us']),
  ...spell(METRES['us-ft'], ['us survey foot', 'us survey feet', 'survey foot', 'survey feet']),
  ...spell(0.1, ['dm', 'decimetre', 'decimeter']),
  ...spell(0.01, ['cm', 'centimetre', 'centimeter']),
  ...spell(1000, ['km', 'kilometre', 'kilometer']),
]);

function spell(metres: number, words: readonly string[]): (readonly [string, number])[] {
  return words.map((word) => [word, metres]);
}

/**
 * The metres of one unit of a file's heights: by the operator, by the band itself, or by the georeference, in this
 * order; metres if none of them states one. An unknown unit throws `height-unit`.
 */
export function findMetresPerUnit(
  file: Pick<BlockFile, 'bands' | 'verticalUnit'>,
  bandIndex: number,
  stated: HeightUnit | null,
): number {
  if (stated !== null) return METRES[stated];
  const text = file.bands[bandIndex]?.unit ?? null;
  if (text !== null) {
    return SPELT.get(text.toLowerCase().replace(/[\s_-]+/g, ' ')) ?? refuse(`"${text.slice(0, 40)}"`);
  }
  if (file.verticalUnit === null) return METRES.m;
  return CODED.get(file.verticalUnit) ?? refuse(`EPSG:${file.verticalUnit}`);
}

function refuse(unit: string): never {
  throw unsupported(
    'height-unit',
    `Its heights are in the unit ${unit}, which is unknown; --unit names one.`,
  );
}
