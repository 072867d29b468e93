/**
 * Files of a whole scene compared with GDAL, small files, and tiles meanwhile: `npm run bench -- exports`.
 *
 * Both sides read the same COGs and write to the same disk, and alternate; the medians of `--rounds` count. Swath is a
 * service with its default settings, measured from the order to the stored file; its GeoTIFFs have overviews and are
 * synced to the disk, which those of GDAL are not. The threads of tasks take only what other programs leave: CPU seconds
 * and how busy others were ("others") say what wall times are worth. Fails when a demand is not met.
 *
 * `--scene <folder>` takes the scene from there, and makes it there first when there is none; by default it is made in a
 * folder for this run. `--only ndvi,bands,crop,picture,small,tasks,memory,tiles` selects measurements. Without GDAL only
 * Swath is measured. With TEST_DATABASE_URL, tasks are measured on PostgreSQL too
 * (`npm run with-postgres -- npm run bench -- exports`). Needs Linux.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { COMPARISONS, compare } from './compare.ts';
import { findGdal } from './gdal.ts';
import { makeScene, SCENE } from './make-scene.ts';
import { measureMemory } from './memory.ts';
import { NDVI, PICTURE } from './orders.ts';
import { printHead } from './report.ts';
import { startService } from './service.ts';
import { measureCrops, measureSmallTasks } from './small-files.ts';
import { compareTiles } from './tiles.ts';

const { values } = parseArgs({
  options: {
    scene: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    tasks: { type: 'string', default: '1000' },
    only: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const wanted = values.only?.split(',') ?? null;
const isWanted = (name: string): boolean => wanted === null || wanted.includes(name);

const work = mkdtempSync(join(tmpdir(), 'swath-bench-'));
const scene = join(resolve(values.scene ?? work), SCENE.name);

async function measureFiles(): Promise<void> {
  const gdal = findGdal();
  if (gdal === null) console.log('GDAL is not installed: there is nothing to compare with.');
  await using service = await startService({ scene });
  const options = { service, folders: { scene, work }, gdal, rounds };
  for (const [key, comparison] of Object.entries(COMPARISONS))
    if (isWanted(key)) await compare(comparison, options);
  if (isWanted('small')) {
    await measureCrops(service, 'NDVI', NDVI);
    await measureCrops(service, 'JPEG', PICTURE);
  }
  if (isWanted('tiles')) await compareTiles(service, rounds);
}

try {
  if (!existsSync(join(scene, `${SCENE.name}.json`))) {
    console.log('making a scene, which takes some minutes');
    await makeScene(scene);
  }
  printHead();
  await measureFiles();
  if (isWanted('tasks')) {
    const options = { scene, count: Number(values.tasks), rounds };
    await measureSmallTasks(options);
    const { TEST_DATABASE_URL: databaseUrl = '' } = process.env;
    if (databaseUrl !== '') await measureSmallTasks({ ...options, databaseUrl });
  }
  if (isWanted('memory')) await measureMemory(scene);
} finally {
  rmSync(work, { recursive: true, force: true });
}
