import type { ThreadTools } from '../../blocks/index.ts';
import type { ColormapCache } from '../../color/index.ts';
import type { Grid } from '../../geo/index.ts';
import { moveOrigin } from '../../geo/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import { makeComputeBands } from '../../raster/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { sensorByAbbreviation } from '../../sensors/index.ts';
import { makeReadClouds } from '../clouds/read-clouds.ts';
import { toShownColor } from '../clusters/find-clusters.ts';
import type { FittedClusters } from '../clusters/fit-clusters.ts';
import { internal } from '../errors.ts';
import type { ChannelContrast } from '../intensity/find-contrast.ts';
import { beginWork } from '../pixels/read-channels.ts';
import { DEFAULT_LIMITS, makePlanExpressions, workPerPixel } from '../plan/plan-inputs.ts';
import type { ComparedScene, RenderPlan } from '../plan/render-plan.ts';
import type { DrawJob } from './draw.ts';
import { paintCanvas, toRgba } from './draw.ts';
import type { RenderOptions } from './plan-picture.ts';
import { planPicture } from './plan-picture.ts';

/** All that the parts of one picture have in common: with it a thread plans and paints any of them. Cloneable. */
export interface PaintedScene {
  readonly scene: ComparedScene;
  /** Abbreviation of the sensor. */
  readonly sensor: string;
  readonly bands: string;
  readonly options: RenderOptions;
  /** One for each channel. */
  readonly contrast: readonly ChannelContrast[];
  /** Null if no classes are shown, or none were found. */
  readonly clusters: FittedClusters | null;
}

/** A picture of any size, and where in the kernels' memory its pixels go. */
interface PaintRequest {
  readonly grid: Grid;
  /** Four bytes for each pixel of the grid. */
  readonly rgbaAt: number;
  /** First byte of the kernels' memory that is free. */
  readonly freeAt: number;
  readonly signal: AbortSignal;
}

/** Paints red, green, blue and alpha of a picture in the kernels' memory. */
export type PaintParts = (painted: PaintedScene, request: PaintRequest) => Promise<void>;

/**
 * Pixels of a part: wide enough that planning costs little of its time, and low enough that little is read twice where
 * the rows of the image are inclined to those of the picture.
 */
const PART_PX = { width: 2_048, height: 256 } as const;

/** Memory of a part in addition to the picture; where one needs more (files without overviews), it is halved. */
export const MAX_PART_BYTES = 48 * 2 ** 20;

/** Additions of all pixels of a part: about a quarter of a second, so that a cancelled picture stops soon. */
const MAX_PART_WORK = 2 ** 28;

/** Parts are halved where they are too large: what is refused is decided before the first is painted. */
const UNLIMITED = { ...DEFAULT_LIMITS, bytes: Number.POSITIVE_INFINITY, work: Number.POSITIVE_INFINITY };

/**
 * Builds the painting of pictures that are larger than a tile, for one thread: part by part, with the same pixels as
 * the one picture, because pictures have no seams.
 */
export function makePaintParts({ open, readWindow, kernels }: ThreadTools): PaintParts {
  const tools = { readWindow, kernels, compute: makeComputeBands(kernels) };
  const readClouds = makeReadClouds({ open });
  const readExpressions = makePlanExpressions();
  const tables: ColormapCache = new Map();

  return async (painted, request) => {
    const { grid, signal } = request;
    const sensor = findSensor(painted.sensor);
    const waiting = [...partsOf({ x: 0, y: 0, width: grid.width, height: grid.height })].reverse();
    for (let window = waiting.pop(); window !== undefined; window = waiting.pop()) {
      signal.throwIfAborted();
      const plan = planPart(painted, { sensor, grid: cutGrid(grid, window) });
      const halves = isTooLarge(plan) ? halve(window) : null;
      if (halves === null) await paintPart(painted, { plan, window, request });
      else waiting.push(...halves);
    }
  };

  function planPart(
    { scene, bands, options, clusters }: PaintedScene,
    { sensor, grid }: { readonly sensor: Sensor; readonly grid: Grid },
  ): RenderPlan {
    const plan = planPicture({ sensor, bands, grid, options }, scene, {
      readExpressions,
      tables,
      limits: UNLIMITED,
    });
    return clusters === null ? plan : { ...plan, color: toShownColor(plan, clusters) };
  }

  async function paintPart(
    { options, contrast, clusters }: PaintedScene,
    { plan, window, request }: { plan: RenderPlan; window: PixelWindow; request: PaintRequest },
  ): Promise<void> {
    const { freeAt, signal } = request;
    const work = { ...beginWork(tools, signal, freeAt), readClouds };
    const outline = options.area?.outline ?? null;
    const job: DrawJob = { plan, contrast, outline, clusters: clusters ?? undefined };
    const { rgbaAt } = toRgba(await paintCanvas(job, work), work);
    copyPixels(new Uint32Array(kernels.buffer()), { fromAt: rgbaAt, window, request });
  }
}

const isTooLarge = ({ bytes, tree, grid }: RenderPlan): boolean =>
  bytes > MAX_PART_BYTES || workPerPixel(tree) * grid.width * grid.height > MAX_PART_WORK;

function findSensor(abbreviation: string): Sensor {
  const sensor = sensorByAbbreviation(abbreviation);
  if (sensor === null) throw internal('no-sensor', `No sensor is known as ${abbreviation}.`);
  return sensor;
}

/** A part of a grid, on the same lattice. */
const cutGrid = (grid: Grid, window: PixelWindow): Grid => ({
  ...grid,
  transform: moveOrigin(grid.transform, window),
  width: window.width,
  height: window.height,
});

function* partsOf({ width, height }: PixelWindow): Generator<PixelWindow> {
  for (let y = 0; y < height; y += PART_PX.height) {
    for (let x = 0; x < width; x += PART_PX.width) {
      yield {
        x,
        y,
        width: Math.min(PART_PX.width, width - x),
        height: Math.min(PART_PX.height, height - y),
      };
    }
  }
}

/** Two halves of a window, across its longer side; null for a single pixel. */
function halve(window: PixelWindow): readonly [PixelWindow, PixelWindow] | null {
  const { x, y, width, height } = window;
  if (width * height === 1) return null;
  if (width >= height) {
    const half = width >> 1;
    return [
      { ...window, x: x + half, width: width - half },
      { ...window, width: half },
    ];
  }
  const half = height >> 1;
  return [
    { ...window, y: y + half, height: height - half },
    { ...window, height: half },
  ];
}

/** Copies a part into the picture. */
function copyPixels(
  memory: Uint32Array,
  { fromAt, window, request }: { fromAt: number; window: PixelWindow; request: PaintRequest },
): void {
  const { width } = request.grid;
  for (let row = 0; row < window.height; row += 1) {
    const from = fromAt / 4 + row * window.width;
    const to = request.rgbaAt / 4 + (window.y + row) * width + window.x;
    memory.copyWithin(to, from, from + window.width);
  }
}
