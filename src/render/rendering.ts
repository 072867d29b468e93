import type { CachedPixels, WindowRequest } from '../blocks/index.ts';
import type { SceneStore } from '../catalog/index.ts';
import type { SwathError } from '../errors.ts';
import type { ResultCache } from '../files/index.ts';
import { makeResultCache } from '../files/index.ts';
import type { SceneFiles } from '../ingest/index.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import type { ReadFileStamp } from '../sources/index.ts';
import { MIB } from '../units.ts';
import { makeCachedPoints } from './cached-points.ts';
import type { Explainer } from './explain/explainer.ts';
import { makeExplainer } from './explain/explainer.ts';
import type { ContrastStore } from './intensity/find-contrast.ts';
import { makeFindContrast } from './intensity/find-contrast.ts';
import type { FindIntensity, IntensityStore } from './intensity/find-intensity.ts';
import { makeFindIntensity } from './intensity/find-intensity.ts';
import type { DrawColorbar } from './pictures/draw-colorbar.ts';
import { makeDrawColorbar } from './pictures/draw-colorbar.ts';
import { DEFAULT_LIMITS } from './plan/plan-inputs.ts';
import type { ReadPoint } from './read-point.ts';
import { makePointReader } from './read-point.ts';
import type { RenderJobs } from './render-jobs.ts';
import type { Painter, Renderer } from './renderer.ts';
import { makePictureCache, makeRenderer } from './renderer.ts';
import type { CompareScene, FileWatch } from './scenes/file-watch.ts';
import { makeCompareScene, makeFileWatch } from './scenes/file-watch.ts';
import { findRemoteFiles, warmUp } from './warm-up.ts';
import { makeWarmUpScenes } from './warm-up-scenes.ts';

/** All that draws and measures scenes. */
export interface Rendering {
  readonly renderer: Renderer & Painter;
  readonly findIntensity: FindIntensity;
  readonly readPoint: ReadPoint;
  readonly drawColorbar: DrawColorbar;
  readonly explainer: Explainer;
  readonly compareScene: CompareScene;
  readonly watch: FileWatch;
  /** Plans and paints pictures on other threads. */
  makePainter(pool: RenderPool): Renderer & Painter;
  /** Draws pictures that no one asked for, so that the first one after startup is as fast as any other. */
  warmUp(request: WarmUpRequest, ticket: Ticket): Promise<void>;
  /** A file of each remote store that the first scenes of the catalog lie in. */
  findRemoteFiles(): ReturnType<typeof findRemoteFiles>;
}

type RenderPool = JobRunner<RenderJobs>;

interface RenderingDeps {
  readonly scenes: SceneStore;
  readonly contrasts: ContrastStore;
  readonly intensities: IntensityStore;
  readonly results: ResultCache;
  readonly pool: RenderPool;
  /** Of what the pool's threads have decoded; without it all points take a thread. */
  readonly cachedPixels?: CachedPixels;
  readonly readStamp: ReadFileStamp;
  readonly nowMs: () => number;
  /** For reading the headers of files that were replaced. */
  readonly filesTicket: Ticket;
  /** Called after a picture of remote files with what may be looked at next. */
  readonly onNext?: ((list: () => readonly WindowRequest[]) => void) | undefined;
  readonly events: RenderingEvents;
}

/** What rendering reports, for the log. */
interface RenderingEvents {
  /** A measured range could not be stored. */
  onForgotten(error: unknown): void;
  /** The record of a scene follows its replaced files. */
  onRenewed(viewId: string): void;
  /** A scene has files of another image now; called once for each state of the files. */
  onUnfit(viewId: string, error: SwathError): void;
  /** The state of a scene's files could not be stored. */
  onFailure(error: unknown): void;
}

interface WarmUpRequest {
  /** Called before each round of pictures. */
  readonly makePool: () => RenderPool;
  /** Pictures that are drawn side by side. */
  readonly threads: number;
  /** Takes temporary scenes, and for `isRemote` also if the catalog has a scene on this machine. */
  readonly dataDir: string;
  readonly isRemote: boolean;
}

/** Builds all that draws and measures scenes: plans here, pixels on the pool. */
export function makeRendering(deps: RenderingDeps): Rendering {
  const { scenes, contrasts, intensities, results, pool, readStamp, nowMs, filesTicket, events } = deps;
  const { onForgotten, onRenewed, onUnfit, onFailure } = events;
  const watch = makeFileWatch({
    scenes,
    readStamp,
    nowMs,
    async renewFiles({ assets, cloudMask, viewId, version }) {
      const input: SceneFiles = cloudMask === undefined ? { assets } : { assets, cloudMask };
      const singleFlightKey = `files ${viewId} ${version}`;
      return (await pool.run('renew-files', input, { ...filesTicket, bytes: MIB, singleFlightKey })).output;
    },
    onRenewed,
    onUnfit,
    onFailure,
  });
  const compareScene = makeCompareScene({ scenes, watch, nowMs });
  const common = { scenes, compareScene, watch, pool, onForgotten, limits: DEFAULT_LIMITS };
  const pictures = makePictureCache(results);
  const findContrast = makeFindContrast({ ...common, store: contrasts });
  const renderer = makeRenderer({ ...common, findContrast, pictures, onNext: deps.onNext });
  const { cachedPixels } = deps;
  const cachedPoints = cachedPixels && makeCachedPoints(cachedPixels);
  return {
    renderer,
    explainer: makeExplainer({ ...common, contrasts, intensities, pictures, plans: renderer }),
    findIntensity: makeFindIntensity({ ...common, store: intensities }),
    readPoint: makePointReader({ ...common, cachedPoints }),
    drawColorbar: makeDrawColorbar({ pool }),
    compareScene,
    watch,
    makePainter(other) {
      const own = { ...common, pool: other };
      return makeRenderer({
        ...own,
        findContrast: makeFindContrast({ ...own, store: contrasts }),
        pictures,
      });
    },
    async warmUp({ makePool, threads, dataDir, isRemote }, ticket) {
      const draw = (catalog: SceneStore, sidePx: number): Promise<boolean> => {
        const own = {
          ...common,
          scenes: catalog,
          compareScene: makeCompareScene({ scenes: catalog, watch, nowMs }),
          pool: makePool(),
        };
        const renderer = makeRenderer({
          ...own,
          findContrast: makeFindContrast({ ...own, store: FORGETFUL }),
          pictures: makePictureCache(makeResultCache(null)),
        });
        const findIntensity = makeFindIntensity({ ...own, store: FORGETFUL });
        return warmUp({ scenes: catalog, renderer, findIntensity, threads, sidePx }, ticket);
      };
      const isDrawn = await draw(scenes, TILE_PX);
      if (isDrawn && !isRemote) return;
      await using made = await makeWarmUpScenes(dataDir, WARM_UP_SCENES);
      for (const catalog of made.catalogs) await draw(catalog, WARM_UP_PX);
    },
    findRemoteFiles: () => findRemoteFiles(scenes),
  };
}

/** Stores nothing and finds nothing: a range that was measured before would warm nothing up. */
const FORGETFUL = { find: async () => null, put: async () => {} };

const TILE_PX = 256;
/** All blocks of a temporary scene are decoded for a picture of this size. */
const WARM_UP_PX = 700;
/** V8 needs some runs to compile the long path from a remote file to a picture. Without them the first one took twice as long. */
const WARM_UP_SCENES = 4;
