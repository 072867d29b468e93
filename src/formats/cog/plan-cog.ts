import type { Affine } from '../../geo/index.ts';
import type { PixelType } from '../../raster/index.ts';
import { bytesPerSample } from '../../raster/index.ts';
import { badInput, tooLarge } from '../errors.ts';
import type { CogCompression } from '../tiff/codecs/codecs.ts';
import { writableCodecs } from '../tiff/codecs/codecs.ts';
import type { GeoKeyTags } from '../tiff/georeference/geo-keys.ts';
import { checkGeoKeys, checkSinusoidal } from '../tiff/georeference/geo-keys.ts';
import type { ControlPoint } from '../tiff/georeference/georeference.ts';
import { checkControlPoints, isStorableCode, isUsableTransform } from '../tiff/georeference/georeference.ts';
import {
  MAX_BLOCK_BYTES,
  MAX_SAMPLES,
  MAX_SIDE_PX,
  MAX_TILE_SIDE_PX,
  MAX_WRITER_BLOCKS,
  MAX_WRITER_BYTES,
} from '../tiff/limits.ts';
import type { BandInfo, FileMetadata } from '../tiff/samples/gdal-metadata.ts';
import { PLAIN_BAND, toStoredNodata } from '../tiff/samples/gdal-metadata.ts';

/** How the smaller copies are made: `average` for measurements, `nearest` for classes and flags. */
export type OverviewMethod = 'average' | 'nearest';

/** Options of `createCog`. */
export interface CogOptions {
  readonly width: number;
  readonly height: number;
  readonly bandCount: number;
  readonly type: PixelType;
  /** Null leaves the reference system out of the file: a catalog may know one that has no code. */
  readonly epsg: number | null;
  /** Radius of the sphere of a sinusoidal image, whose system has no code; only without `epsg`. */
  readonly sinusoidalRadiusM?: number | null;
  /** Keys of another file, for systems that have no code; only without `epsg` and `sinusoidalRadiusM`. */
  readonly geoKeys?: GeoKeyTags | null;
  /** Null leaves the transform out of the file. */
  readonly transform: Affine | null;
  /** Coordinates of single pixels, for images in the geometry of their sensor; only without a transform. */
  readonly controlPoints?: readonly ControlPoint[];
  readonly nodata: number | null;
  readonly compression: CogCompression;
  /** deflate 1–9 (default: 6), zstd 1–22 (default: 3); steady-deflate has one only. */
  readonly level?: number;
  /** 2 is for integers, 3 for floats; both need a compression. */
  readonly predictor: 1 | 2 | 3;
  /** Side of the square blocks in pixels, a multiple of 16; 512 when not given. */
  readonly blockSize?: number;
  /** `pixel` (the default) stores the bands of a pixel together, `band` stores band after band. */
  readonly interleave?: 'pixel' | 'band';
  readonly overviews?: 'auto' | 'none';
  /** For all bands, or one for each. */
  readonly overviewMethod?: OverviewMethod | readonly OverviewMethod[];
  readonly bigTiff?: 'auto' | 'yes' | 'no';
  /** `rgb` says that the first three bands are colours. */
  readonly photometric?: 'gray' | 'rgb';
  /**
   * The last band is opacity. `cut-out`: pixels are either opaque or transparent, those are zeros in all bands, and it
   * is the same in the smaller copies; only for bytes.
   */
  readonly alpha?: boolean | 'cut-out';
  /**
   * What fills the rows of blocks below the image: its last row again (the default), or the last pixels of that row. The
   * second suits steady-deflate, which does not find repeated rows: a small image takes a tenth of the bytes.
   */
  readonly padding?: 'row' | 'flat';
  /** False when the caller syncs the file to disk; otherwise `finish` does. */
  readonly isDurable?: boolean;
  /** One for each band. */
  readonly bands?: readonly Partial<BandInfo>[];
  /** What the file says about itself as a whole, as names and texts of GDAL; `finish` may add to it. */
  readonly metadata?: FileMetadata;
}

/** Size and block grid of one resolution. */
export interface CogLevel {
  readonly width: number;
  readonly height: number;
  readonly blocksAcross: number;
  readonly blocksDown: number;
  /** Side of its blocks where it differs from that of the file, as in copies of files of other programs. */
  readonly blockSize?: number;
}

/** Options with everything filled in that was left open. */
type FullOptions = Required<Omit<CogOptions, 'bands' | 'overviews' | 'overviewMethod'>>;

/** Options checked and completed, with all levels from full resolution to smallest. */
export interface CogPlan extends FullOptions {
  readonly bands: readonly BandInfo[];
  /** One for each band. */
  readonly overviewMethods: readonly OverviewMethod[];
  readonly levels: readonly CogLevel[];
  /** Blocks of one grid cell: the number of bands when they are stored apart. */
  readonly planes: number;
  /** Bands inside one block. */
  readonly samplesPerBlock: number;
  /** Value of the Compression tag: of `compression`, or of the file whose blocks are copied. */
  readonly compressionTag: number;
}

/** Checks every option and every size before anything is allocated, and fills in what was left open. */
export function planCog(options: CogOptions): CogPlan {
  const { bands, overviews = 'auto', overviewMethod = 'average', ...given } = options;
  const core: FullOptions = {
    blockSize: 512,
    interleave: 'pixel',
    bigTiff: 'auto',
    photometric: 'gray',
    alpha: false,
    controlPoints: [],
    sinusoidalRadiusM: null,
    geoKeys: null,
    isDurable: true,
    padding: 'row',
    metadata: {},
    level: writableCodecs[options.compression].levels.default,
    ...given,
    nodata: planNodata(options.nodata, options.type),
  };
  checkOptions(core);
  // with one band both ways are the same bytes, and the simpler tags say so
  const interleave = core.bandCount === 1 ? 'pixel' : core.interleave;
  const plan: CogPlan = {
    ...core,
    interleave,
    bands: planBands(core.bandCount, bands),
    overviewMethods: planMethods(core.bandCount, overviewMethod),
    levels: planLevels(core.width, core.height, core.blockSize, overviews),
    planes: interleave === 'band' ? core.bandCount : 1,
    samplesPerBlock: interleave === 'band' ? 1 : core.bandCount,
    compressionTag: writableCodecs[core.compression].tags[0],
  };
  checkCost(plan);
  return plan;
}

/** Halves both sides, rounding up as `gdaladdo` does, until the smallest copy is one block. */
function planLevels(
  width: number,
  height: number,
  blockSize: number,
  overviews: 'auto' | 'none',
): CogLevel[] {
  const levels: CogLevel[] = [];
  for (let w = width, h = height; ; w = Math.ceil(w / 2), h = Math.ceil(h / 2)) {
    levels.push({
      width: w,
      height: h,
      blocksAcross: Math.ceil(w / blockSize),
      blocksDown: Math.ceil(h / blockSize),
    });
    if (overviews === 'none' || (w <= blockSize && h <= blockSize)) return levels;
  }
}

function planNodata(nodata: number | null, type: PixelType): number | null {
  const stored = nodata === null ? null : toStoredNodata(nodata, type);
  if (nodata !== null && stored === null) {
    throw badInput('bad-nodata', `No ${type} pixel can have the nodata value ${nodata}.`);
  }
  return stored;
}

/** XML has no way to write most control characters, and a NUL would end the tag. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/;

function planBands(bandCount: number, bands: readonly Partial<BandInfo>[] | undefined): BandInfo[] {
  if (bands === undefined) return Array.from({ length: bandCount }, () => PLAIN_BAND);
  if (bands.length !== bandCount) {
    throw badInput('bad-bands', `There are ${bands.length} band descriptions for ${bandCount} bands.`);
  }
  return bands.map((given) => {
    const band = { ...PLAIN_BAND, ...given };
    if (!Number.isFinite(band.scale) || !Number.isFinite(band.offset)) {
      throw badInput('bad-bands', 'Scale and offset of a band are finite numbers.');
    }
    const texts = [band.description ?? '', band.unit ?? ''];
    if (texts.some((text) => text.length > 1_000 || CONTROL.test(text) || !text.isWellFormed())) {
      throw badInput(
        'bad-bands',
        'The description and the unit of a band have at most 1,000 characters and no control characters.',
      );
    }
    return band;
  });
}

function planMethods(
  bandCount: number,
  method: NonNullable<CogOptions['overviewMethod']>,
): readonly OverviewMethod[] {
  if (typeof method === 'string') return Array.from({ length: bandCount }, () => method);
  if (method.length === bandCount) return method;
  throw badInput('bad-bands', `There are ${method.length} overview methods for ${bandCount} bands.`);
}

/** Refuses options that make no image, or one that other programs would misread. */
function checkOptions(options: FullOptions): void {
  checkSize(options);
  checkCodec(options);
  checkColours(options);
  checkGeoreference(options);
}

const isCount = (value: number, max: number): boolean =>
  Number.isInteger(value) && value >= 1 && value <= max;

function checkSize({ width, height, bandCount, blockSize }: FullOptions): void {
  if (!isCount(width, MAX_SIDE_PX) || !isCount(height, MAX_SIDE_PX)) {
    throw badInput(
      'bad-image-size',
      `An image needs whole sides from 1 to ${MAX_SIDE_PX}, not ${width} × ${height}.`,
    );
  }
  if (!isCount(bandCount, MAX_SAMPLES)) {
    throw badInput('bad-band-count', `An image has 1 to ${MAX_SAMPLES} bands, not ${bandCount}.`);
  }
  if (!isCount(blockSize, MAX_TILE_SIDE_PX) || blockSize % 16 !== 0) {
    throw badInput(
      'bad-block-size',
      `A block side is a multiple of 16 up to ${MAX_TILE_SIDE_PX}, not ${blockSize}.`,
    );
  }
}

function checkCodec({ type, compression, level, predictor }: FullOptions): void {
  const { levels } = writableCodecs[compression];
  if (!Number.isInteger(level) || level < levels.min || level > levels.max) {
    throw badInput(
      'bad-level',
      `The level of ${compression} is a whole number from ${levels.min} to ${levels.max}, not ${level}.`,
    );
  }
  if (predictor === 1) return;
  const wanted = type === 'float32' ? 3 : 2;
  if (predictor !== wanted) {
    throw badInput(
      'bad-predictor',
      `Predictor ${predictor} does not fit ${type} pixels; use ${wanted} or 1.`,
    );
  }
  if (compression === 'none') {
    // libtiff ignores the Predictor tag of uncompressed files, so it would show the differences as pixels
    throw badInput('bad-predictor', `Predictor ${predictor} needs a compression; without one use 1.`);
  }
}

function checkColours({ bandCount, type, photometric, alpha, interleave }: FullOptions): void {
  const needed = (photometric === 'rgb' ? 3 : 1) + (alpha ? 1 : 0);
  if (bandCount < needed) {
    throw badInput('bad-colours', `This colour model needs at least ${needed} bands, not ${bandCount}.`);
  }
  if (photometric === 'rgb' && type !== 'uint8' && type !== 'uint16') {
    throw badInput('bad-colours', `Colours are stored as uint8 or uint16, not as ${type}.`);
  }
  if (alpha === 'cut-out' && (type !== 'uint8' || interleave !== 'pixel')) {
    throw badInput('bad-colours', 'Images are cut out of bytes whose bands are stored together.');
  }
}

function checkGeoreference(options: FullOptions): void {
  const { epsg, transform, controlPoints, sinusoidalRadiusM, geoKeys } = options;
  checkGeoKeys(geoKeys, epsg === null && sinusoidalRadiusM === null);
  checkSinusoidal(sinusoidalRadiusM, epsg);
  checkControlPoints(controlPoints, transform);
  if (epsg !== null && !isStorableCode(epsg))
    throw badInput('bad-epsg', `EPSG code ${epsg} cannot be stored: codes go from 1024 to 32766.`);
  if (transform !== null && !isUsableTransform(transform)) {
    throw badInput('bad-transform', 'The transform has to be finite and to give each pixel an area.');
  }
}

/** Refuses an image whose blocks or index are over a limit. */
export function checkCost(plan: CogPlan): void {
  const sampleBytes = bytesPerSample[plan.type];
  const blockBytes = plan.blockSize ** 2 * plan.samplesPerBlock * sampleBytes;
  if (blockBytes > MAX_BLOCK_BYTES) {
    throw tooLarge(
      'cog-block-too-large',
      `A block of ${blockBytes} bytes is over the limit of ${MAX_BLOCK_BYTES}.`,
    );
  }
  const blocks = plan.levels.reduce(
    (sum, level) => sum + level.blocksAcross * level.blocksDown * plan.planes,
    0,
  );
  if (blocks > MAX_WRITER_BLOCKS) {
    throw tooLarge(
      'cog-too-many-blocks',
      `The image needs ${blocks} blocks, over the limit of ${MAX_WRITER_BLOCKS}; use larger blocks.`,
    );
  }
}

/** Refuses an image whose rows of blocks do not fit into memory: what writing it row by row holds. */
export function checkWidth(plan: CogPlan): void {
  const sampleBytes = bytesPerSample[plan.type];
  const held = plan.levels.reduce(
    (sum, level) => sum + level.width * Math.min(plan.blockSize, level.height) * plan.bandCount * sampleBytes,
    0,
  );
  if (held > MAX_WRITER_BYTES) {
    throw tooLarge(
      'cog-too-wide',
      `A row of blocks takes ${held} bytes, over the limit of ${MAX_WRITER_BYTES}; use smaller blocks.`,
    );
  }
}
