import { cancelled } from '../../../src/errors.ts';
import type { Locations } from '../../ground/ground.ts';
import { addNoise } from '../../light/add-noise.ts';
import { expose } from '../../light/expose.ts';
import type { Exposure } from '../../light/exposure.ts';
import type { ProductDeps } from '../product-deps.ts';
import type { BandGroup } from './band-groups.ts';
import { findOutside } from './footprint.ts';
import type { Sentinel2Plan } from './plan.ts';
import { COARSEST_M, toPixelM } from './plan.ts';

/** Pixels that are computed together: planes of a dozen bands then take some 50 MB. */
const STRIP_PIXELS = 1_000_000;

/** Some rows of a group of bands, noise included. */
export interface Strip {
  readonly row: number;
  readonly rowCount: number;
  readonly exposure: Exposure;
  /** 1 where nothing was measured; null when all was. */
  readonly outside: Uint8Array | null;
}

/** Takes the picture of a group strip after strip, from the top; strips of all groups cover the same ground. */
export function* takeStrips(
  deps: ProductDeps,
  plan: Sentinel2Plan,
  { group, level }: { readonly group: BandGroup; readonly level: 'top' | 'surface' },
): Generator<Strip> {
  const { world, surveys } = deps;
  const { pixelM, width, height, bands } = group;
  const unitRows = toPixelM(plan, COARSEST_M) / pixelM;
  const stripRows = Math.max(1, Math.floor(STRIP_PIXELS / (width * unitRows))) * unitRows;
  for (let row = 0; row < height; row += stripRows) {
    if (deps.signal?.aborted) throw cancelled('demo-stopped', 'Making the demo was stopped.');
    const rowCount = Math.min(stripRows, height - row);
    const locations = toLocations(plan, group, { row, rowCount });
    const key = `sentinel2 ${plan.window.x} ${plan.window.y} ${pixelM} ${width} ${row} ${rowCount}`;
    const make = () => world.ground.survey(locations);
    const survey = surveys?.getOrMake(key, make) ?? make();
    const exposure = expose(world, { survey, atMs: plan.atMs, bands, sky: plan.sky, level });
    exposure.planes.forEach((plane, i) => {
      const { id, noise } = bands[i]!;
      addNoise(plane, { ...noise, seed: toNoiseSeed(plan.seed, row, id) });
    });
    yield { row, rowCount, exposure, outside: findOutside(plan, group, { row, rowCount }) };
  }
}

/** Strips and bands have noise of their own; there are fewer than 16 bands. */
const toNoiseSeed = (seed: number, row: number, band: number): number =>
  (Math.imul(seed, 1_000_003) + row * 16 + band) | 0;

function toLocations(
  { window }: Sentinel2Plan,
  { pixelM, width }: BandGroup,
  { row, rowCount }: { readonly row: number; readonly rowCount: number },
): Locations {
  const x = new Float64Array(width * rowCount);
  const y = new Float64Array(width * rowCount);
  for (let i = 0; i < x.length; i++) {
    x[i] = window.x + ((i % width) + 0.5) * pixelM;
    y[i] = window.y + (row + Math.floor(i / width) + 0.5) * pixelM;
  }
  return { width, height: rowCount, x, y, sideM: pixelM };
}
