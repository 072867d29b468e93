import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DemoSize } from '../../world/index.ts';
import type { Scene, SceneStore } from '../catalog/index.ts';
import type { CubesConfig, LockFolder } from '../cubes/index.ts';
import { lockCubes } from '../cubes/index.ts';
import { isSwathError } from '../errors.ts';
import { openOwnFiles, openOwnObjects } from '../objects/index.ts';
import { ingestMoistureFiles, openMoistureCubes } from '../soil-moisture/index.ts';
import type { DemStore, IngestDemOptions } from '../terrain/index.ts';
import { ingestDem } from '../terrain/index.ts';
import { cancelled, conflict, internal } from './errors.ts';

/** Folder of the demo inside the data directory. */
export const DEMO_FOLDER = 'demo';
/** Name of the elevation model of the demo world. */
const DEMO_DEM = 'demo';
/** Name of the soil moisture data cube of the demo world. */
const DEMO_CUBE = 'demo';
/** Files of soil moisture in the weather part of the demo. */
const MOISTURE_FILE = /^soil-moisture-daily_.*\.nc$/;

/** File that names the set to make, as long as a part of it is missing. */
const UNFINISHED = '.unfinished';
/** Object of a bucket that says that its demo was made, or is being made. */
const BEGUN = '.begun';
/** A bucket is asked this often whether it has a demo. */
const ASKED_MS = 60_000;
const MARK = { contentType: 'text/plain', when: 'always' } as const;

const openMarks = (config: CubesConfig) => openOwnObjects(config, DEMO_FOLDER);

/** Notes that a set is being made; the next start goes on with it, on whichever node. */
export async function beginDemo(config: CubesConfig, size: DemoSize): Promise<void> {
  const marks = openMarks(config);
  await marks.put(UNFINISHED, Buffer.from(`${size}\n`), MARK);
  if (config.cubes !== null) await marks.put(BEGUN, Buffer.from(`${size}\n`), MARK);
}

/** Notes that a set is whole. */
export async function endDemo(config: CubesConfig): Promise<void> {
  await openMarks(config).remove(UNFINISHED);
}

/** The set that a stopped run has left unfinished; null without one, or if the bucket cannot be asked. */
export async function findUnfinishedDemo(config: CubesConfig): Promise<DemoSize | null> {
  const found = await openMarks(config)
    .read(UNFINISHED, { maxBytes: 100 })
    .catch(() => null);
  const size = found === null || found === 'same' ? '' : Buffer.from(found.bytes).toString().trim();
  return size === 'small' || size === 'standard' || size === 'full' ? size : null;
}

/** Tells whether the demo was made, or is being made; a bucket is asked once a minute, and what it said last is used while it is away. */
export function makeHasDemo(config: CubesConfig): () => Promise<boolean> {
  if (config.cubes === null) return async () => existsSync(join(config.dataDir, DEMO_FOLDER));
  const marks = openMarks(config);
  let askedMs = Number.NEGATIVE_INFINITY;
  let answer = Promise.resolve(false);
  return () => {
    if (performance.now() - askedMs >= ASKED_MS) {
      askedMs = performance.now();
      const before = answer;
      answer = marks.stat(BEGUN).then(
        (found) => found !== null,
        () => before,
      );
    }
    return answer;
  };
}

/** How files of elevation models are found and opened. */
export type DemDoors = Pick<IngestDemOptions, 'open' | 'listBucket' | 'isAllowedHref' | 'toHref'>;

/** Tells whether a file belongs to the demo: of this data directory, or of the bucket. */
function makeIsDemoFile(config: CubesConfig): (href: string) => boolean {
  const places = [`${DEMO_FOLDER}/`, openOwnFiles(config).toHref(`${DEMO_FOLDER}/`)];
  return (href) => places.some((place) => href.startsWith(place));
}

/** Keeps other processes from making or removing the demo: two at once would remove each other's unfinished folders. */
export function lockDemo(dataDir: string, lockFolder: LockFolder): ReturnType<LockFolder> {
  try {
    return lockFolder(join(dataDir, DEMO_FOLDER));
  } catch (error) {
    if (!isSwathError(error) || error.code !== 'store-locked') throw error;
    const message =
      'Another Swath makes or removes the demo of this data directory: wait for it, or stop it.';
    throw conflict('demo-busy', message, { cause: error });
  }
}

/** Ingests the terrain of the demo world as an elevation model. */
export async function takeDemoTerrain(
  folder: string,
  { doors, dems, signal }: { doors: DemDoors; dems: DemStore; signal: AbortSignal },
): Promise<void> {
  const { totals, files, stopped } = await ingestDem({
    ...doors,
    from: folder,
    store: dems,
    name: DEMO_DEM,
    gaps: 'unknown',
    // Its files are named like those of the Copernicus DEM, but contain none of it.
    attribution: null,
    signal,
  });
  if (stopped) throw cancelled('demo-stopped', 'Making the demo was stopped.');
  if (totals.broken === 0) return;
  const why = files.find(({ outcome }) => outcome === 'broken')?.reason;
  throw internal('demo-not-ingested', `The demo's terrain could not be ingested: ${why}`);
}

/** Where the soil moisture of the demo is stored. */
interface MoistureDeps {
  readonly config: CubesConfig;
  readonly lockFolder: LockFolder;
}

/** Ingests the soil moisture of the demo world as a data cube. */
export async function takeDemoSoilMoisture(
  folder: string,
  { config, lockFolder, signal }: MoistureDeps & { readonly signal: AbortSignal },
): Promise<void> {
  for (const name of (await readdir(folder)).filter((one) => MOISTURE_FILE.test(one))) {
    const { totals, files, stopped } = await ingestMoistureFiles({
      config,
      lockFolder,
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

interface RemoveDeps extends MoistureDeps {
  readonly scenes: SceneStore;
  readonly dems: DemStore;
}

/** Removes the demo from the catalog and the disk; gives the number of scenes. */
export async function removeDemo({ config, lockFolder, scenes, dems }: RemoveDeps): Promise<number> {
  const lock = lockDemo(config.dataDir, lockFolder);
  const isDemoFile = makeIsDemoFile(config);
  const isDemoScene = ({ assets }: Pick<Scene, 'assets'>): boolean =>
    Object.values(assets).some(({ href }) => isDemoFile(href));
  const viewIds: string[] = [];
  for await (const scene of scenes.list()) if (isDemoScene(scene)) viewIds.push(scene.viewId);
  for (const viewId of viewIds) await scenes.remove(viewId);
  await removeDemoTerrain(dems, isDemoFile);
  await removeDemoSoilMoisture({ config, lockFolder });
  // Before the folder is removed: not every system can remove an open file.
  lock.release();
  if (config.cubes !== null) await openOwnFiles(config).removeBelow(`${DEMO_FOLDER}/`);
  await rm(join(config.dataDir, DEMO_FOLDER), { recursive: true, force: true });
  return viewIds.length;
}

/** Removes the terrain of the demo; files that an operator has added to the model stay in it. */
async function removeDemoTerrain(dems: DemStore, isDemoFile: (href: string) => boolean): Promise<void> {
  const [own, others]: [string[], string[]] = [[], []];
  for await (const { id, href } of dems.listFiles({ dem: DEMO_DEM, overview: 0 })) {
    (isDemoFile(href) ? own : others).push(id);
  }
  if (others.length > 0) await dems.removeFiles(own);
  else if (own.length > 0) await dems.removeDem(DEMO_DEM);
}

/** Removes the soil moisture of the demo. */
export async function removeDemoSoilMoisture({ config, lockFolder }: MoistureDeps): Promise<void> {
  if ((await openMoistureCubes(config).find(DEMO_CUBE)) === null) return;
  const lock = await lockCubes(config, lockFolder);
  try {
    await openMoistureCubes(config, lock).remove(DEMO_CUBE);
  } finally {
    await lock.release();
  }
}
