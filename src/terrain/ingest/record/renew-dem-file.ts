import type { HeaderDeps } from '../../../ingest/index.ts';
import type { DemFile } from '../../dems/dem.ts';
import { readDemFile } from './read-dem-file.ts';

/**
 * Reads the header of a file that was replaced. What an operator has said of it when it was ingested, its band and its
 * unit, holds for the new one too.
 */
export async function renewDemFile(deps: HeaderDeps, file: DemFile): Promise<DemFile> {
  const { dem, overview, href, bandIndex, nodata, scale, offset } = file;
  const fresh = await readDemFile(deps, { dem, overview, href, bandIndex, unit: null, nodata });
  return { ...fresh, scale, offset, stepM: fresh.stepM === 0 ? 0 : Math.abs(scale) };
}
