import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before } from 'node:test';
import { makeBlockCache, makeThreadTools } from '../../../blocks/index.ts';
import type { Scene, SceneStore } from '../../../catalog/index.ts';
import { makeResultCache } from '../../../files/index.ts';
import { writeCogFile } from '../../../formats/cog/testing/write-cog.ts';
import { aTicket, makeRunnerHere } from '../../../pool/testing/run-here.ts';
import type { Painter, Renderer, RenderJobs } from '../../../render/index.ts';
import { DEFAULT_LIMITS, makeRenderJobs } from '../../../render/index.ts';
import { makeFindContrast } from '../../../render/intensity/find-contrast.ts';
import { landsat, makeLandsat, paintScene } from '../../../render/pansharpening/testing/landsat-scene.ts';
import { makePictureCache, makeRenderer } from '../../../render/renderer.ts';
import type { ExportRun, PlanExport } from '../../export.ts';
import type { ExportJobs } from '../../export-jobs.ts';
import { makeExportJobs } from '../../export-jobs.ts';
import type { PictureOrder } from '../plan-picture-file.ts';
import { makePlanPictureFile } from '../plan-picture-file.ts';

/** Nine kilometres of Landsat 8, with an empty corner. */
export const scene: Scene = makeLandsat('L8');

/** A picture of the scene as a request without any parameter orders it. */
export const anOrder: PictureOrder = {
  viewId: scene.viewId,
  sceneName: scene.sceneId,
  sensor: 'L8',
  bands: 'B4,B3,B2',
  nameAlias: null,
  area: null,
  options: { method: null, range: null, calibrated: false, isComposite: false, color: {} },
  pixel: null,
  file: { kind: 'image', format: 'png' },
};

/** What draws the scene, without threads. */
interface PictureKit {
  readonly folder: string;
  readonly pool: ReturnType<typeof makeRunnerHere<RenderJobs & ExportJobs>>;
  readonly renderer: Renderer & Painter;
  readonly plan: PlanExport<PictureOrder>;
}

/** A run that no one watches. */
export const aRun: ExportRun = { ticket: { ...aTicket, lane: 'task' }, onProgress() {} };

/** Writes the scene into a folder and builds all that draws it. */
export async function openPictures(folder: string): Promise<PictureKit> {
  await writeBands(folder);
  const files = { dataDir: folder, folders: [] };
  const tools = makeThreadTools({ files, blocks: makeBlockCache(32 * 2 ** 20).handle });
  const jobs = { ...makeRenderJobs(tools), ...makeExportJobs(tools) };
  const pool = makeRunnerHere<RenderJobs & ExportJobs>(jobs);
  const renderer = makeTestRenderer(pool);
  return { folder, pool, renderer, plan: makePlanPictureFile({ painter: renderer, pool }) };
}

/** The same for all tests of a file. */
export function usePictures(): PictureKit {
  const kit = {} as PictureKit;
  before(async () => {
    Object.assign(kit, await openPictures(mkdtempSync(join(tmpdir(), 'picture-test-'))));
  });
  after(() => rmSync(kit.folder, { recursive: true, force: true }));
  return kit;
}

async function writeBands(folder: string): Promise<void> {
  for (const [band, { pixels, width, height }] of Object.entries(paintScene(scene))) {
    const asset = scene.assets[band];
    if (asset === undefined) throw new Error(`no band ${band}`);
    const path = join(folder, asset.href);
    mkdirSync(dirname(path), { recursive: true });
    // A corner without data, as scenes that are cut off by their orbit have.
    const cut = pixels.map((value, i) => ((i % width) + i / width < width / 4 ? 0 : value));
    const { epsg, transform } = asset;
    const options = { width, height, bandCount: 1, type: 'uint16', epsg, transform, nodata: 0 } as const;
    await writeCogFile(path, { ...options, compression: 'deflate', predictor: 2, overviews: 'none' }, [cut]);
  }
}

function makeTestRenderer(pool: PictureKit['pool']): Renderer & Painter {
  const limits = DEFAULT_LIMITS;
  const contrasts = new Map();
  const store = {
    find: async (key: string) => contrasts.get(key) ?? null,
    put: async (key: string, range: unknown) => void contrasts.set(key, range),
  };
  const scenes = {
    findByViewId: async (viewId: string) => (viewId === scene.viewId ? scene : null),
    findByName: async () => null,
  } as Partial<SceneStore> as SceneStore;
  return makeRenderer({
    scenes,
    pool,
    limits,
    compareScene: async (found) => found,
    watch: { renew: async () => {} },
    findContrast: makeFindContrast({
      store,
      pool,
      limits,
      onForgotten(error) {
        throw error;
      },
    }),
    pictures: makePictureCache(makeResultCache(null)),
  });
}

/** The sensor of the scene. */
export const sensor = landsat('L8');
