import { makeTtlCache } from '../../async/index.ts';
import type { Ticket } from '../../pool/index.ts';
import type { ReadElevation } from '../values/read-elevation.ts';
import type { ReadGrid } from '../values/read-grid.ts';

/** Heights of the ground in metres; null where they are unknown. */
interface GroundHeights {
  at(lon: number, lat: number): Promise<number | null>;
  /** The mean height inside of a box in degrees. */
  meanOf(bounds: {
    readonly minX: number;
    readonly minY: number;
    readonly maxX: number;
    readonly maxY: number;
  }): Promise<number | null>;
}

interface GroundDeps {
  readonly readElevation: ReadElevation;
  readonly readGrid: ReadGrid;
  readonly timeoutMs: number;
  readonly nowMs: () => number;
  /** Called when an elevation model could not be read; the height is unknown then. */
  readonly onFailure: (error: unknown) => void;
}

/** Cached heights: the same fields are requested again and again. */
const MAX_REMEMBERED = 20_000;
/** TTL of a cached height: another elevation model may have been ingested. */
const FRESH_MS = 600_000;
/** Samples per side of a mean. Cells of weather models are tens of kilometres wide, so overviews are read for them. */
const SAMPLES = 16;

/** Heights of the ground from the elevation models, as weather asks for them. */
export function makeGroundHeights({
  readElevation,
  readGrid,
  timeoutMs,
  nowMs,
  onFailure,
}: GroundDeps): GroundHeights {
  const heights = makeTtlCache<number | null>({
    name: 'heights',
    nowMs,
    freshMs: FRESH_MS,
    absentMs: FRESH_MS,
    max: MAX_REMEMBERED,
  });
  const ticket: Ticket = { owner: 'weather', lane: 'tile', timeoutMs };

  async function remember(key: string, read: () => Promise<number | null>): Promise<number | null> {
    try {
      return await heights.find(key, read);
    } catch (error) {
      onFailure(error);
      return null;
    }
  }

  return {
    at: (lon, lat) =>
      remember(`${lon.toFixed(5)} ${lat.toFixed(5)}`, () => readElevation({ lon, lat }, ticket)),
    meanOf({ minX, minY, maxX, maxY }) {
      const [width, height] = [(maxX - minX) / SAMPLES, (maxY - minY) / SAMPLES];
      return remember(`${minX} ${minY} ${maxX} ${maxY}`, async () => {
        const grid = {
          epsg: 4326,
          transform: [minX, width, 0, maxY, 0, -height],
          width: SAMPLES,
          height: SAMPLES,
        } as const;
        const samples = (await readGrid({ grid, isFiltered: false }, ticket)).filter(
          (sample) => !Number.isNaN(sample),
        );
        return samples.length === 0
          ? null
          : samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
      });
    },
  };
}
