import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cancelled, internal } from '../errors.ts';
import type { CubesConfig } from './data-cubes.ts';
import { lockCubes } from './data-cubes.ts';
import { ingestMoistureFiles, openMoistureCubes } from './soil-moisture.ts';

/** Name of the data cube of the demo world. */
const DEMO_CUBE = 'demo';
/** Files of soil moisture in the part of the demo that holds the weather. */
const FILE = /^soil-moisture-daily_.*\.nc$/;

/** Takes the soil moisture of the demo world in as a data cube. */
export async function takeDemoSoilMoisture(
  folder: string,
  { config, signal }: { readonly config: CubesConfig; readonly signal: AbortSignal },
): Promise<void> {
  for (const name of (await readdir(folder)).filter((one) => FILE.test(one))) {
    const { totals, files, stopped } = await ingestMoistureFiles({
      config,
      from: join(folder, name),
      cube: DEMO_CUBE,
      variable: null,
      porosity: null,
      signal,
    });
    if (stopped) throw cancelled('demo-stopped', 'Making the demo was stopped.');
    if (totals.broken === 0) continue;
    throw internal(
      'demo-not-ingested',
      `The demo's soil moisture could not be ingested: ${files[0]?.reason}`,
    );
  }
}

/** Takes it out again. */
export async function removeDemoSoilMoisture(config: CubesConfig): Promise<void> {
  if ((await openMoistureCubes(config).find(DEMO_CUBE)) === null) return;
  const lock = await lockCubes(config);
  try {
    await openMoistureCubes(config, lock).remove(DEMO_CUBE);
  } finally {
    await lock.release();
  }
}
