import { checkStamp } from '../../blocks/index.ts';
import type { AreaOutline, Grid } from '../../geo/index.ts';
import { fillOutline } from '../../geo/index.ts';
import { readCloudPolygons } from '../../ingest/index.ts';
import { makeLru } from '../../lru.ts';
import type { SourcePlanes, WarpPlan } from '../../raster/index.ts';
import { allocateSource, warpPlanes } from '../../raster/index.ts';
import type { OpenSource } from '../../sources/index.ts';
import { sourceBroken } from '../errors.ts';
import type { PixelWork } from '../pixels/read-channels.ts';
import { readInputs } from '../pixels/read-channels.ts';
import type { CloudOutlines, CloudPixels, CloudPlan } from '../plan/render-plan.ts';
import type { CloudSource } from './cloud-mask.ts';
import { makeQualityMeaning, markClouds } from './cloud-mask.ts';

/** A grid, the clouds planned for it, and the scene they are of. */
export interface CloudJob {
  readonly plan: CloudPlan;
  readonly grid: Grid;
  readonly viewId: string;
  readonly sceneVersion: string;
}

/** Reads clouds on a pixel thread: 1 where there is one, also beyond the scene's data if its mask says so. */
export type ReadClouds = (job: CloudJob, work: PixelWork) => Promise<Uint8Array>;

/** Builds the reading of clouds for one thread. */
export function makeReadClouds({ open }: { readonly open: OpenSource }): ReadClouds {
  const readOutlines = makeReadOutlines(open);

  return async (job, work) => {
    const { source, onlyOpaque } = job.plan;
    return source.kind === 'polygons'
      ? fillClouds(source, job, work)
      : markClouds(await readMask(source, job, work), { onlyOpaque });
  };

  async function readMask(
    { inputs, meaning }: CloudPixels,
    job: CloudJob,
    work: PixelWork,
  ): Promise<CloudSource> {
    const { kernels } = work;
    const { grid } = job;
    const count = grid.width * grid.height;
    const warped = (await readInputs({ ...job, inputs }, work)) ?? [];
    const planes = warped.map(({ valuesAt, maskAt }, input) => {
      const values = new Float32Array(kernels.buffer(), valuesAt, count);
      const mask = new Uint8Array(kernels.buffer(), maskAt, count);
      const isInverse = meaning.kind === 'flags' && meaning.marks[input] === 'zero';
      if (isInverse) for (let i = 0; i < count; i += 1) values[i] = values[i] === 0 ? 1 : 0;
      // No meaning takes 0 for a cloud.
      for (let i = 0; i < count; i += 1) if (mask[i] === 0) values[i] = 0;
      return values;
    });
    const [first = new Float32Array(count)] = planes;
    switch (meaning.kind) {
      case 'flags':
        return { kind: 'flags', planes: planes.length === 0 ? [first] : planes };
      case 'classes':
        return { ...meaning, values: first };
      case 'bits':
        return {
          kind: 'bits',
          values: first,
          meaning: makeQualityMeaning({ ...meaning, toInterface: same }),
        };
    }
  }

  async function fillClouds(
    source: CloudOutlines,
    { plan, grid, sceneVersion }: CloudJob,
    { kernels, allocate, signal }: PixelWork,
  ): Promise<Uint8Array> {
    const count = grid.width * grid.height;
    const { warp } = source;
    if (warp === null) return new Uint8Array(count);
    const { opaque, cirrus } = await readOutlines({ ...source, sceneVersion }, signal);
    const { window } = warp;
    const room = allocateSource(allocate, window, 1);
    const plane = new Float32Array(kernels.buffer(), room.valuesAt, window.width * window.height).fill(0);
    fillPolygons(plane, opaque, warp);
    if (!plan.onlyOpaque) fillPolygons(plane, cirrus, warp);
    const planes: SourcePlanes = { ...room, bandCount: 1, maskAt: 0 };
    const { bandsAt, maskAt } = warpPlanes(kernels, allocate, { target: grid, plan: warp, source: planes });
    const values = new Float32Array(kernels.buffer(), bandsAt[0] as number, count);
    const mask = new Uint8Array(kernels.buffer(), maskAt, count);
    return Uint8Array.from(values, (value, i) => (value !== 0 && mask[i] !== 0 ? 1 : 0));
  }
}

/** The bits were brought to the layout of the interface when they were read. */
const same = (quality: number): number => quality;

/** The clouds of a scene, by their kind. */
interface SceneOutlines {
  readonly opaque: readonly CloudOutline[];
  readonly cirrus: readonly CloudOutline[];
}

/** Reads the polygons of a scene's mask. */
type ReadOutlines = (
  source: CloudOutlines & { readonly sceneVersion: string },
  signal: AbortSignal,
) => Promise<SceneOutlines>;

/** Masks of whole tiles under broken clouds have a few megabytes. */
const MAX_FILE_BYTES = 16 * 2 ** 20;

/** Of a map of tiles every one asks for the same polygons; a thread keeps those of some scenes. */
const CACHED_BYTES = 16 * 2 ** 20;

/** Memory of an outline in addition to its edges. */
const OUTLINE_BYTES = 128;

/** Builds the reading of polygons for one thread; those of the last scenes are remembered. */
export function makeReadOutlines(open: OpenSource): ReadOutlines {
  const cache = makeLru<SceneOutlines>({ max: CACHED_BYTES, sizeOf: estimateBytes });
  return ({ href, epsg, stamp, sceneVersion }, signal) =>
    cache.rememberLater(`${sceneVersion} ${href}`, async () => {
      const outlines = { opaque: [] as CloudOutline[], cirrus: [] as CloudOutline[] };
      const text = await readText(open, { href, stamp }, signal);
      const found = readCloudPolygons(text, 'of the cloud mask', ({ kind, rings }) => {
        outlines[kind].push(toCloudOutline(rings));
      });
      // Without polygons there is no reference system, and none is needed.
      if (found !== null && found !== epsg) {
        throw sourceBroken(
          'source-differs',
          'The cloud mask of this scene is not what the catalog says it is.',
        );
      }
      return outlines;
    });
}

const estimateBytes = ({ opaque, cirrus }: SceneOutlines): number =>
  [...opaque, ...cirrus].reduce((sum, { edges }) => sum + edges.byteLength + OUTLINE_BYTES, 0);

async function readText(
  open: OpenSource,
  { href, stamp }: Pick<CloudOutlines, 'href'> & { readonly stamp: string | undefined },
  signal: AbortSignal,
): Promise<string> {
  const source = await open(href, signal);
  try {
    checkStamp(source.version, stamp);
    if (source.size > MAX_FILE_BYTES) {
      throw sourceBroken(
        'cloud-mask-too-large',
        `The cloud mask of this scene is longer than ${MAX_FILE_BYTES} bytes.`,
      );
    }
    return new TextDecoder().decode(await source.read(0, source.size, signal));
  } finally {
    await source.close();
  }
}

/** A polygon with its holes: edges in the coordinates of the tile, and the rectangle that holds them. */
interface CloudOutline {
  readonly edges: AreaOutline;
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/**
 * The edges of a polygon's rings, each from its lower end to its upper one as `toOutline` has them, and the rectangle
 * around them. Corners that are given twice make no edge, and a ring that is left open is closed. A ring has at least four
 * corners.
 */
export function toCloudOutline(rings: readonly Float64Array[]): CloudOutline {
  // As many as corners, where each ring is closed by itself, and one more where it is not.
  const edges = new Float64Array(rings.reduce((sum, ring) => sum + 2 * ring.length, 0));
  let end = 0;
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  const add = (fromX: number, fromY: number, toX: number, toY: number): void => {
    if (fromX === toX && fromY === toY) return;
    const isUp = fromY < toY || (fromY === toY && fromX < toX);
    edges[end] = isUp ? fromX : toX;
    edges[end + 1] = isUp ? fromY : toY;
    edges[end + 2] = isUp ? toX : fromX;
    edges[end + 3] = isUp ? toY : fromY;
    end += 4;
  };
  for (const ring of rings) {
    const [firstX = 0, firstY = 0] = ring;
    let [x, y] = [firstX, firstY];
    for (let i = 0; i < ring.length; i += 2) {
      const [nextX, nextY] = [ring[i] as number, ring[i + 1] as number];
      add(x, y, nextX, nextY);
      [x, y] = [nextX, nextY];
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
    }
    add(x, y, firstX, firstY);
  }
  return { edges: edges.slice(0, end), minX, minY, maxX, maxY };
}

/**
 * Sets the pixels of a window to 1 whose centres lie in one of the polygons. One after the other, because where two of
 * them overlap is a cloud too; each within its own rectangle, so that ten thousand small ones cost no more than a large one.
 */
function fillPolygons(
  target: Float32Array,
  outlines: readonly CloudOutline[],
  { window, levelTransform }: Pick<WarpPlan, 'window' | 'levelTransform'>,
): void {
  const [originX, stepX, , originY, , stepY] = levelTransform;
  const xs = Float64Array.from({ length: window.width }, (_, i) => originX + (window.x + i + 0.5) * stepX);
  const ys = Float64Array.from({ length: window.height }, (_, i) => originY + (window.y + i + 0.5) * stepY);
  for (const { edges, minX, minY, maxX, maxY } of outlines) {
    const left = countBefore(xs, (x) => x < minX);
    const right = countBefore(xs, (x) => x <= maxX);
    const top = countBefore(ys, (y) => y > maxY);
    const bottom = countBefore(ys, (y) => y >= minY);
    if (left >= right || top >= bottom) continue;
    const [width, height] = [right - left, bottom - top];
    const inside = new Uint8Array(width * height);
    fillOutline(inside, edges, { lons: xs.subarray(left, right), lats: ys.subarray(top, bottom) });
    for (let row = 0; row < height; row += 1) {
      const from = (top + row) * window.width + left;
      for (let i = 0; i < width; i += 1) if (inside[row * width + i] === 1) target[from + i] = 1;
    }
  }
}

/** How many of the first numbers a rule holds for that holds for no later one. */
function countBefore(sorted: Float64Array, holds: (value: number) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(sorted[middle] as number)) low = middle + 1;
    else high = middle;
  }
  return low;
}
