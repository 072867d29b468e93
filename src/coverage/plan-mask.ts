/** What is read to find clouds and data of a scene on the pixels of its own mask. */

import type { TypedTree } from '../bandmath/index.ts';
import type { Asset, Scene } from '../catalog/index.ts';
import type { Affine, Grid } from '../geo/index.ts';
import { makeLru } from '../lru.ts';
import type { PixelWindow } from '../raster/index.ts';
import { planExpressions } from '../render/index.ts';
import type { CloudPlan, PixelPlan } from '../render/native/index.ts';
import {
  cropGrid,
  estimateClouds,
  estimatePlanes,
  findMaskImage,
  planClouds,
  planNativeInputs,
  planWindow,
  withoutMaskOverviews,
} from '../render/native/index.ts';
import type { Sensor } from '../sensors/index.ts';
import { CELL_PX, cellsAcross } from './mask-cells.ts';

/** The pixels on which a scene says where its clouds and its data are; plain JSON. */
export interface SceneMask {
  readonly grid: Grid;
  /** False for a scene that says nothing of clouds in single pixels. */
  readonly hasClouds: boolean;
  /** The band that has no data where the scene has none. */
  readonly dataBand: string;
}

/** Describes the mask of a scene; null if none of its bands has a regular grid. Pure. */
export function describeMask(scene: Scene, sensor: Sensor): SceneMask | null {
  const image = findMaskImage(scene, sensor);
  const measured = sensor.bands.flatMap(({ name, kind }) => {
    const asset = kind !== 'quality' && Object.hasOwn(scene.assets, name) ? scene.assets[name] : undefined;
    return asset === undefined || asset.lattice !== undefined ? [] : [{ name, asset }];
  });
  if (image !== null && image.lattice === undefined) {
    const { cloudMask } = scene;
    const own = cloudMask?.kind === 'classes' || cloudMask?.kind === 'quality' ? cloudMask.band : null;
    // A mask with a value for no data says where the scene has none; others need a band of about their resolution.
    const dataBand = own !== null && image.nodata !== null ? own : findNearest(measured, image)?.name;
    if (dataBand !== undefined) return { grid: toGrid(image), hasClouds: true, dataBand };
  }
  const coarsest = measured.reduce<Measured | null>(
    (best, one) => (best === null || pixelArea(one.asset) > pixelArea(best.asset) * (1 + 1e-6) ? one : best),
    null,
  );
  if (coarsest === null) return null;
  return { grid: toGrid(coarsest.asset), hasClouds: false, dataBand: coarsest.name };
}

interface Measured {
  readonly name: string;
  readonly asset: Asset;
}

/** The band whose pixels are nearest in size to those of an image; the first of several. */
function findNearest(bands: readonly Measured[], image: Asset): Measured | null {
  const ratio = ({ asset }: Measured): number => Math.abs(Math.log(pixelArea(asset) / pixelArea(image)));
  return bands.reduce<Measured | null>(
    (best, one) => (best === null || ratio(one) < ratio(best) - 1e-6 ? one : best),
    null,
  );
}

const pixelArea = ({ transform }: { readonly transform: Affine }): number =>
  Math.abs(transform[1] * transform[5] - transform[2] * transform[4]);

const toGrid = ({ epsg, proj, transform, width, height }: Asset): Grid => ({
  epsg,
  ...(proj === undefined ? {} : { proj }),
  transform,
  width,
  height,
});

/** A rectangle of cells that is read at once. */
interface PlannedPiece {
  /** The window of the mask, which begins at the corner of a cell. */
  readonly window: PixelWindow;
  /** The band that says where there is data, on the window. */
  readonly pixels: PixelPlan;
  /** Null for a scene that says nothing of clouds in single pixels. */
  readonly clouds: CloudPlan | null;
}

/** The input of the job that reads cells of a scene; plain JSON. */
export interface ReadCellsJob {
  readonly viewId: string;
  readonly sceneVersion: string;
  /** Of the whole mask. */
  readonly width: number;
  readonly height: number;
  readonly pieces: readonly PlannedPiece[];
}

/** The most cells of one job: four million pixels, which take a fraction of a second. */
const MAX_JOB_CELLS = 256;

/** Plans reading cells of a scene: the jobs, and the memory of each. Pure. */
export function planCells(
  { scene, sensor, mask }: { readonly scene: Scene; readonly sensor: Sensor; readonly mask: SceneMask },
  cells: readonly number[],
): readonly { readonly job: ReadCellsJob; readonly bytes: number }[] {
  const { grid, dataBand, hasClouds } = mask;
  const { viewId, version: sceneVersion } = scene;
  const bare = withoutMaskOverviews(scene);
  const tree = planBand(dataBand, sensor);
  const inputs = planNativeInputs(tree, { scene: bare, sensor, calibrated: false, grid, isNative: true });
  const native = { viewId, sceneVersion, grid };
  const { width, height } = grid;
  const rectangles = toRectangles(cells, cellsAcross(grid));
  return cutList(rectangles, ({ cols, rows }) => cols * rows, MAX_JOB_CELLS).map((some) => {
    let bytes = 0;
    const pieces = some.map(({ col, row, cols, rows }): PlannedPiece => {
      const [x, y] = [col * CELL_PX, row * CELL_PX];
      const window = {
        x,
        y,
        width: Math.min(cols * CELL_PX, width - x),
        height: Math.min(rows * CELL_PX, height - y),
      };
      const pixels = planWindow(native, { tree, inputs }, window);
      const clouds = hasClouds
        ? planClouds({ scene: bare, sensor, grid: cropGrid(grid, window), isExact: true })
        : null;
      const cloudBytes = clouds === null ? 0 : estimateClouds(clouds, window);
      // Two more bytes a pixel: marks of clouds, and what the pixel says.
      bytes = Math.max(bytes, estimatePlanes(pixels) + cloudBytes + 2 * window.width * window.height);
      return { window, pixels, clouds };
    });
    return { job: { viewId, sceneVersion, width, height, pieces }, bytes };
  });
}

/** Parsed once for all scenes of a sensor. */
const trees = makeLru<TypedTree>({ max: 64 });
const planBand = (bands: string, sensor: Sensor): TypedTree =>
  trees.remember(`${sensor.dataset} ${bands}`, () => planExpressions({ bands, sensor, isComposite: false }));

/** Cells in columns and rows. */
interface CellRectangle {
  readonly col: number;
  readonly row: number;
  readonly cols: number;
  readonly rows: number;
}

/** Cells on each side of a rectangle that is read at once: a million pixels. */
const MAX_SIDE = 8;

/** The rectangles that cells make up; cells are in ascending order. */
export function toRectangles(cells: readonly number[], across: number): readonly CellRectangle[] {
  const open = new Map<string, CellRectangle>();
  const done: CellRectangle[] = [];
  for (let i = 0; i < cells.length; ) {
    const first = cells[i] as number;
    const [col, row] = [first % across, Math.floor(first / across)];
    let cols = 1;
    while (cols < MAX_SIDE && col + cols < across && cells[i + cols] === first + cols) cols += 1;
    i += cols;
    // The rectangle that ends right above this run, and is as wide.
    const key = `${col} ${cols}`;
    const above = open.get(key);
    if (above !== undefined && above.row + above.rows === row && above.rows < MAX_SIDE) {
      open.set(key, { ...above, rows: above.rows + 1 });
    } else {
      if (above !== undefined) done.push(above);
      open.set(key, { col, row, cols, rows: 1 });
    }
  }
  return [...done, ...open.values()];
}

/** Cuts a list into parts of a total size, or of one item that is larger. */
export function cutList<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  max: number,
): readonly (readonly Item[])[] {
  const parts: Item[][] = [];
  let room = 0;
  for (const item of items) {
    const size = sizeOf(item);
    if (parts.length === 0 || size > room) {
      parts.push([]);
      room = max;
    }
    parts.at(-1)?.push(item);
    room -= size;
  }
  return parts;
}
