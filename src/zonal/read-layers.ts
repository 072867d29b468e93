/** Scenes as layers on the same pixels, those of one of them: planned here, read on the pool. */
import type { Scene, SceneStore } from '../catalog/index.ts';
import type { AreaOutline, Grid } from '../geo/index.ts';
import { outlineBounds, scaleAffine } from '../geo/index.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import type { PixelWindow } from '../raster/index.ts';
import type { CompareScene, FileWatch } from '../render/native/index.ts';
import { cropGrid, withCurrentFiles } from '../render/native/index.ts';
import type { Sensor } from '../sensors/index.ts';
import { sensorByDataset } from '../sensors/index.ts';
import { notFound } from './errors.ts';
import type { LayerJob, LayerJobs, ReadLayer } from './layer-jobs.ts';
import type { MaskedScene } from './plan-scene.ts';
import { groupByGrid, makePlanPieces, planWindowAround } from './plan-scene.ts';
import { parseMeasured, refuseExpression } from './statistics-order.ts';

/** What is read of a scene. */
export interface LayerRequest {
  readonly outline: AreaOutline;
  readonly expression: string;
  /** Whether pixels under the scene's own clouds have no value; true by default. */
  readonly masksClouds?: boolean;
  /** Whether the speckle of radar bands is filtered; false by default. */
  readonly filtersSpeckle?: boolean;
}

/** The pixels that layers are read on. */
export interface LayerPixels {
  readonly grid: Grid;
  /** Whether these are the pixels of a band of the first scene. */
  readonly isNative: boolean;
  /** Whether they are larger than those of the first scene: then values are means over them. */
  readonly isCoarser: boolean;
  /** The part around the area. */
  readonly window: PixelWindow;
}

/** Reads layers. */
export interface ReadLayers {
  /** The scene of a view id; refuses an unknown one. */
  find(viewId: string): Promise<Scene>;
  /** Whether a scene has the bands of an expression. */
  hasBands(scene: Scene, expression: string): boolean;
  /**
   * The pixels of a scene around an area, or larger ones of at least `pixelM` metres; null if the area lies outside of its
   * images. Refuses a scene that lacks a band.
   */
  plan(scene: Scene, request: LayerRequest, pixelM?: number | null): Promise<LayerPixels | null>;
  /** Reads a scene on pixels of its own or of another scene. */
  read(scene: Scene, pixels: LayerPixels, request: LayerRequest, ticket: Ticket): Promise<ReadLayer>;
}

interface LayerDeps {
  readonly scenes: Pick<SceneStore, 'findByViewId'>;
  readonly compareScene: CompareScene;
  readonly watch: Pick<FileWatch, 'renew'>;
  readonly pool: JobRunner<LayerJobs>;
}

/** A scene with its sensor, ready to be read. */
interface Prepared extends MaskedScene {
  readonly sensor: Sensor;
}

/** Builds it. */
export function makeReadLayers({ scenes, compareScene, watch, pool }: LayerDeps): ReadLayers {
  async function prepare(
    scene: Scene,
    { expression, masksClouds = true, filtersSpeckle = false }: LayerRequest,
  ): Promise<Prepared> {
    const sensor = sensorByDataset(scene.dataset) as Sensor;
    const { inputs } = parseMeasured(expression, sensor);
    return {
      scene: await compareScene(scene, inputs),
      sensor,
      classified: null,
      masksClouds,
      level: null,
      filtersSpeckle,
    };
  }

  function planJob(
    prepared: Prepared,
    { grid, isNative, isCoarser, window }: LayerPixels,
    { expression, outline }: LayerRequest,
  ): { readonly job: LayerJob; readonly bytes: number } {
    const [own] = groupByGrid([expression], prepared);
    // A scene of another grid is resampled.
    const isSame = JSON.stringify(own?.grid) === JSON.stringify(grid);
    const averages = isCoarser || (isSame && isNative);
    const plan = makePlanPieces({ texts: [expression], grid, isNative: averages }, prepared);
    const planned = [...plan(window)];
    const pieces = planned.map(({ piece, window: part }) => ({
      piece,
      at: { ...part, x: part.x - window.x, y: part.y - window.y },
    }));
    const bytes = Math.max(0, ...planned.map((one) => one.bytes)) + 6 * window.width * window.height;
    return { job: { outline, grid: cropGrid(grid, window), pieces }, bytes };
  }

  return {
    async find(viewId) {
      const found = await scenes.findByViewId(viewId);
      if (found === null) throw notFound('unknown-scene', `There is no scene ${viewId}.`);
      return found;
    },

    hasBands({ dataset, assets }, expression) {
      const sensor = sensorByDataset(dataset) as Sensor;
      if (refuseExpression(expression, sensor) !== null) return false;
      return parseMeasured(expression, sensor).inputs.every(({ band }) => Object.hasOwn(assets, band));
    },

    async plan(scene, request, pixelM = null) {
      const [group] = groupByGrid([request.expression], await prepare(scene, request));
      if (group === undefined) return null;
      const times = pixelM === null ? 1 : Math.max(1, Math.ceil(pixelM / toPixelM(group.grid) - 1e-6));
      const grid = times === 1 ? group.grid : toCoarser(group.grid, times);
      const { outline } = request;
      const { west, south, east, north } = outlineBounds(outline);
      const bounds = { minX: west, minY: south, maxX: east, maxY: north };
      const window = planWindowAround(grid, { bounds, outline });
      return window === null ? null : { grid, isNative: group.isNative, isCoarser: times > 1, window };
    },

    async read(found, pixels, request, ticket) {
      let isFirst = true;
      return withCurrentFiles({
        watch,
        find: async () => {
          if (isFirst) return found;
          return (await scenes.findByViewId(found.viewId)) ?? found;
        },
        run: async (scene) => {
          isFirst = false;
          const { job, bytes } = planJob(await prepare(scene, request), pixels, request);
          return (await pool.run('read-layer', job, { ...ticket, bytes })).output;
        },
      });
    },
  };
}

/** The side of a pixel in units of the grid. */
export const toPixelM = ({ transform: [, width, , , , height] }: Pick<Grid, 'transform'>): number =>
  Math.sqrt(Math.abs(width * height));

/** The same ground in pixels that are so many times as large. */
function toCoarser(grid: Grid, times: number): Grid {
  const size = { width: Math.ceil(grid.width / times), height: Math.ceil(grid.height / times) };
  const whole = { width: size.width * times, height: size.height * times };
  return { ...grid, ...size, transform: scaleAffine(grid.transform, whole, size) };
}
