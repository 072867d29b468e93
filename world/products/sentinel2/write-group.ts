import { cancelled } from '../../../src/errors.ts';
import type { Locations } from '../../ground/ground.ts';
import { addNoise, expose } from '../../light/expose.ts';
import type { Exposure } from '../../light/exposure.ts';
import type { ProductDeps } from '../product-deps.ts';
import type { BandGroup, MsiBand } from './band-groups.ts';
import { toStoredNumbers } from './band-groups.ts';
import { findOutside } from './footprint.ts';
import type { Sentinel2Plan } from './plan.ts';
import { COARSEST_M, toPixelM } from './plan.ts';

/** A band's file in the making. */
interface BandFile {
  writeRows(bands: readonly Uint16Array[], rowCount: number): Promise<void>;
  finish(): Promise<unknown>;
  /** Gives up and leaves nothing behind; does nothing after `finish`. */
  abort(): Promise<void>;
}

/** How a group of bands is written. */
interface GroupRequest {
  readonly plan: Sentinel2Plan;
  readonly group: BandGroup;
  readonly level: 'top' | 'surface';
  /** What is added to stored numbers. */
  readonly added: number;
  createFile(band: MsiBand): Promise<BandFile>;
  /** Hears of each strip, and of what was stored of it by name of the band. */
  onStrip(strip: Strip, stored: ReadonlyMap<string, Uint16Array>): Promise<void> | void;
  /** Pixels of bands that are done, more each time. */
  onPixels(count: number): void;
}

/** Writes the files of a group of bands, strip after strip; on failure none of them is left unfinished. */
export async function writeGroup(deps: ProductDeps, request: GroupRequest): Promise<void> {
  const { plan, group, level, added } = request;
  const files: BandFile[] = [];
  try {
    for (const band of group.bands) files.push(await request.createFile(band));
    for (const strip of takeStrips(deps, plan, { group, level })) {
      const stored = new Map<string, Uint16Array>();
      for (const [i, { name }] of group.bands.entries()) {
        const numbers = toStoredNumbers(strip.exposure.planes[i]!, { added, outside: strip.outside });
        stored.set(name, numbers);
        await files[i]!.writeRows([numbers], strip.rowCount);
        request.onPixels(numbers.length);
      }
      await request.onStrip(strip, stored);
    }
    for (const file of files) await file.finish();
  } catch (error) {
    // the first failure is what the caller hears of
    await Promise.allSettled(files.map((file) => file.abort()));
    throw error;
  }
}

/** Tells how far a product is, by pixels of all of its bands. */
export function makeProgress(deps: ProductDeps, groups: readonly BandGroup[]): (pixels: number) => void {
  const all = groups.reduce((sum, { width, height, bands }) => sum + width * height * bands.length, 0);
  let done = 0;
  return (pixels) => {
    done += pixels;
    deps.onProgress?.(done / all);
  };
}

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
function* takeStrips(
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
