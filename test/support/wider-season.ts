/** More ground for a service with a season: the flood by radar, and a coarse scene that reaches from the sea to the mountains. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { planSet } from '../../world/demo/plan-set.ts';
import { floodParts } from '../world/flood-parts.ts';
import { copyParts, openWorld } from '../world/shared-world.ts';
import { runSwath } from './start-swath.ts';

/** Of the summer of the season, so that the newest clear view has it. */
const COARSE = 'modis-2026-08-13';

/** Adds them to a data directory, also while a service uses it. */
export async function widenSeason(dataDir: string): Promise<void> {
  const { climate } = await openWorld();
  const coarse = planSet('standard', climate).filter(({ key }) => key === COARSE);
  assert.equal(coarse.length, 1, `the demo has no ${COARSE}`);
  const folder = join(dataDir, 'wider');
  await copyParts([...floodParts, ...coarse], ({ key }) => join(folder, key));
  const { status, stderr } = await runSwath(['ingest', 'folder', folder], { SWATH_DATA: dataDir });
  assert.equal(status, 0, stderr);
}
