import { cancelled } from '../../../src/errors.ts';
import type { Exposure, SkyPlan, SpectralBand } from '../../light/exposure.ts';
import { expose } from '../../light/index.ts';
import type { ProductDeps } from '../product-deps.ts';
import type { GridBox, LandsatGrid } from './grid.ts';
import { toLocations } from './grid.ts';
import type { RowRange, Swath } from './swath.ts';
import { findSeen } from './swath.ts';

/** Pixels that are computed together: planes of a dozen bands then take some 50 MB. */
const STRIP_PIXELS = 1_000_000;

/** Some rows of a scene as an ideal instrument sees them. */
export interface Strip extends RowRange {
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
export function* takeStrips(deps: ProductDeps, request: StripsRequest): Generator<Strip> {
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
