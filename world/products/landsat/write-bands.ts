import { join } from 'node:path';
import { cancelled } from '../../../src/errors.ts';
import type { CogWriter } from '../../../src/formats/cog/index.ts';
import { createCog } from '../../../src/formats/cog/index.ts';
import type { Exposure, SkyPlan, SpectralBand } from '../../light/exposure.ts';
import { addNoise, expose } from '../../light/index.ts';
import { hash } from '../../numbers/noise.ts';
import { exp, sin, toRadians } from '../../numbers/steady-math.ts';
import { epsg } from '../../setting.ts';
import type { ProductDeps } from '../product-deps.ts';
import type { BandScale } from './band-scale.ts';
import type { GridBox, LandsatGrid } from './grid.ts';
import { toLocations, toTransform } from './grid.ts';
import type { Mission } from './missions.ts';
import type { RowRange, Swath } from './swath.ts';
import { findSeen } from './swath.ts';

/** Bands of one grid, and all it takes to write them. */
interface BandsRequest {
  readonly mission: Mission;
  readonly grid: LandsatGrid;
  readonly swath: Swath;
  readonly scales: readonly BandScale[];
  /** One file each scale. */
  readonly files: readonly CogWriter[];
  readonly atMs: number;
  readonly sky: SkyPlan;
  readonly sunElevationDeg: number;
  /** Gets the bits of `toSaturationBit`, by pixel of the grid; null when they are not wanted. */
  readonly saturated: Uint16Array | null;
  readonly onStrip: (strip: Strip) => void;
}

/** Writes the bands of one grid; the answer are the keys of those with pixels too bright for them. */
export async function writeBands(deps: ProductDeps, request: BandsRequest): Promise<string[]> {
  const { mission, grid, scales, files, saturated, atMs, sky } = request;
  const { bands, planeOf } = toViews(scales);
  const sine = sin(toRadians(request.sunElevationDeg));
  const toStored = scales.map((scale) => makeToStored(scale, sine));
  const tooBright = new Set<string>();
  const seed = hash(Math.floor(atMs / 1000), mission.satellite, sky.seed);
  for (const strip of takeStrips(deps, { ...request, bands })) {
    const { taken, seen, row, rowCount } = strip;
    for (const [i, plane] of (taken?.exposure.planes ?? []).entries()) {
      const noise = bands[i]!.kind === 'thermal' ? mission.thermalNoise : mission.reflectiveNoise;
      addNoise(plane, { ...noise, seed: hash(i, row, seed + grid.width) });
    }
    const start = row * grid.width;
    const flags = saturated?.subarray(start, start + rowCount * grid.width);
    for (const [i, scale] of scales.entries()) {
      const Numbers = scale.maxStored > 255 ? Uint16Array : Uint8Array;
      const numbers = new Numbers(grid.width * rowCount);
      const bit = toSaturationBit(scale, mission);
      if (taken !== null) {
        const isTooBright = storeNumbers({
          values: taken.exposure.planes[planeOf[i]!]!,
          boxWidth: taken.box.width,
          column: taken.box.column,
          toStored: toStored[i]!,
          maxStored: scale.maxStored,
          seen,
          into: numbers,
          rowWidth: grid.width,
          saturated: flags === undefined || bit === 0 ? null : { flags, bit },
        });
        if (isTooBright) tooBright.add(scale.key);
      }
      await files[i]!.writeRows([numbers], rowCount);
    }
    request.onStrip(strip);
  }
  // together, because each waits for the disk
  await Promise.all(files.map((file) => file.finish()));
  return [...tooBright];
}

/** Bands as the instrument sees them: one that is stored with two gains is seen once, with the same noise in both. */
function toViews(scales: readonly BandScale[]): {
  bands: readonly SpectralBand[];
  planeOf: readonly number[];
} {
  const bands: SpectralBand[] = [];
  const planeOf = scales.map(({ band: { name, centreNm, widthNm }, thermal }) => {
    const known = bands.findIndex((band) => band.centreNm === centreNm && band.widthNm === widthNm);
    if (known >= 0) return known;
    const kind = thermal === null ? 'reflective' : 'thermal';
    return bands.push({ name, kind, centreNm: centreNm!, widthNm: widthNm! }) - 1;
  });
  return { bands, planeOf };
}

/** The band's bit of `QA_RADSAT`; 0 for bands that have none there (USGS, Level 1 data format control books). */
function toSaturationBit({ key, isPan, thermal }: BandScale, { quality }: Mission): number {
  if (isPan || (quality === 'oli' && thermal !== null)) return 0;
  return key === '6_VCID_2' ? 1 << 8 : 1 << (Number.parseInt(key, 10) - 1);
}

/** What a file of the product holds. */
export interface BandFile {
  /** Ends the file's name: `B4`, `QA_PIXEL`. */
  readonly name: string;
  readonly type: 'uint8' | 'uint16';
  /** The number of pixels that were not seen; null when it means something else too. */
  readonly nodata: number | null;
  readonly kind: 'measure' | 'bits';
}

/** Starts one file of a product, laid out as the provider's: blocks of 256, deflated, with smaller copies inside. */
export const createBandFile = (
  {
    folder,
    productId,
    grid,
  }: { readonly folder: string; readonly productId: string; readonly grid: LandsatGrid },
  { name, type, nodata, kind }: BandFile,
): Promise<CogWriter> =>
  createCog(join(folder, `${productId}_${name}.TIF`), {
    width: grid.width,
    height: grid.height,
    bandCount: 1,
    type,
    epsg,
    transform: toTransform(grid),
    nodata,
    compression: 'steady-deflate',
    isDurable: false,
    predictor: kind === 'measure' ? 2 : 1,
    blockSize: 256,
    overviewMethod: kind === 'measure' ? 'average' : 'nearest',
  });

/** Pixels that are computed together: planes of a dozen bands then take some 50 MB. */
const STRIP_PIXELS = 1_000_000;

/** Some rows of a scene as an ideal instrument sees them. */
interface Strip extends RowRange {
  /** 1 where the instrument looked, over the whole width. */
  readonly seen: Uint8Array;
  /** The columns that were exposed, and what was seen there; null when all of the rows lie outside the swath. */
  readonly taken: { readonly box: GridBox; readonly exposure: Exposure } | null;
}

/** What to take pictures of. */
interface StripsRequest {
  readonly grid: LandsatGrid;
  readonly swath: Swath;
  readonly bands: readonly SpectralBand[];
  readonly atMs: number;
  readonly sky: SkyPlan;
}

/** Takes the picture of a scene strip after strip, from the top. */
function* takeStrips(deps: ProductDeps, request: StripsRequest): Generator<Strip> {
  const { grid, swath } = request;
  const stripRows = Math.max(1, Math.floor(STRIP_PIXELS / grid.width));
  for (let row = 0; row < grid.height; row += stripRows) {
    if (deps.signal?.aborted) throw cancelled('demo-stopped', 'Making the demo was stopped.');
    const rowCount = Math.min(stripRows, grid.height - row);
    const { pixels, fromColumn, toColumn } = findSeen(swath, grid, { row, rowCount });
    const box = { column: fromColumn, row, width: toColumn - fromColumn, height: rowCount };
    yield { row, rowCount, seen: pixels, taken: box.width === 0 ? null : take(deps, request, box) };
  }
}

function take({ world, surveys }: ProductDeps, request: StripsRequest, box: GridBox): Strip['taken'] {
  const { grid, bands, atMs, sky } = request;
  const makeSurvey = () => world.ground.survey(toLocations(grid, box));
  const key = `landsat ${grid.firstX} ${grid.firstY} ${grid.pixelM} ${Object.values(box).join(' ')}`;
  const survey = surveys?.getOrMake(key, makeSurvey) ?? makeSurvey();
  return { box, exposure: expose(world, { survey, atMs, bands, sky, level: 'top' }) };
}

/** Stored numbers begin at 1, because 0 means that nothing was measured. */
const MIN_STORED = 1;

/** Temperatures between which radiances are tabulated, in steps so fine that straight lines between them do. */
const COLDEST_K = 180;
const HOTTEST_K = 400;
const STEP_K = 0.05;

/** Numbers before they are rounded: stored = value * slope + start, or for kelvin by a table. */
type ToStored = (value: number) => number;

/** The inverse of a band's calibration: from reflectance or kelvin to numbers that are not rounded yet. */
function makeToStored({ reflectance, radiance, thermal }: BandScale, sunElevationSine: number): ToStored {
  if (reflectance !== null) {
    const slope = sunElevationSine / reflectance.mult;
    const start = -reflectance.add / reflectance.mult;
    return (value) => value * slope + start;
  }
  const { k1, k2 } = thermal!;
  const count = Math.round((HOTTEST_K - COLDEST_K) / STEP_K) + 2;
  const table = new Float64Array(count).map((_, i) => {
    const spectral = k1 / (exp(k2 / (COLDEST_K + i * STEP_K)) - 1);
    return (spectral - radiance.add) / radiance.mult;
  });
  return (kelvin) => {
    const position = (Math.min(Math.max(kelvin, COLDEST_K), HOTTEST_K) - COLDEST_K) / STEP_K;
    const below = Math.floor(position);
    return table[below]! + (position - below) * (table[below + 1]! - table[below]!);
  };
}

/** Values of a box of pixels, and where they go in rows of the whole width. */
interface StoreRequest {
  readonly values: Float32Array;
  readonly boxWidth: number;
  /** First column of the box. */
  readonly column: number;
  readonly toStored: ToStored;
  readonly maxStored: number;
  /** By pixel of the whole rows: 0 leaves the number 0. */
  readonly seen: Uint8Array;
  readonly into: Uint8Array | Uint16Array;
  readonly rowWidth: number;
  /** Gets this bit where the number is as large as it can be; null when it is not wanted. */
  readonly saturated: { readonly flags: Uint16Array; readonly bit: number } | null;
}

/** Rounds to stored numbers what was seen; true when some of them are too bright for the instrument. */
function storeNumbers(request: StoreRequest): boolean {
  const { values, boxWidth, column, toStored, maxStored, seen, into, rowWidth, saturated } = request;
  let isAnySaturated = false;
  for (let from = 0, line = column; from < values.length; from += boxWidth, line += rowWidth) {
    for (let i = 0; i < boxWidth; i++) {
      const at = line + i;
      if (seen[at] === 0) continue;
      const stored = Math.floor(toStored(values[from + i]!) + 0.5);
      if (stored >= maxStored) {
        into[at] = maxStored;
        isAnySaturated = true;
        if (saturated !== null) saturated.flags[at]! |= saturated.bit;
      } else into[at] = stored < MIN_STORED ? MIN_STORED : stored;
    }
  }
  return isAnySaturated;
}
