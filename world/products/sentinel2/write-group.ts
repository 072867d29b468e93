import type { ProductDeps } from '../product-deps.ts';
import type { BandGroup, MsiBand } from './band-groups.ts';
import type { Sentinel2Plan } from './plan.ts';
import { toStoredNumbers } from './stored-numbers.ts';
import type { Strip } from './take-strips.ts';
import { takeStrips } from './take-strips.ts';

/** A band's file in the making. */
export interface BandFile {
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
