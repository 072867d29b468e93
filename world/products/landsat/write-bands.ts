import type { CogWriter } from '../../../src/formats/cog/index.ts';
import type { SkyPlan, SpectralBand } from '../../light/exposure.ts';
import { addNoise } from '../../light/index.ts';
import { hash } from '../../numbers/noise.ts';
import { sin, toRadians } from '../../numbers/steady-math.ts';
import type { ProductDeps } from '../product-deps.ts';
import type { BandScale } from './band-scale.ts';
import { makeToStored, storeNumbers } from './digital-numbers.ts';
import type { LandsatGrid } from './grid.ts';
import type { Mission } from './missions.ts';
import type { Swath } from './swath.ts';
import type { Strip } from './take-strips.ts';
import { takeStrips } from './take-strips.ts';

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
