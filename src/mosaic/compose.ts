/** Puts scenes together on a pixel thread: masks, then pixels, then the selection. */
import { rasterizeArea } from '../areas/index.ts';
import type { LinearScale } from '../catalog/index.ts';
import type { Grid, Size } from '../geo/index.ts';
import { moveOrigin, scaleAffine } from '../geo/index.ts';
import type { JobContext } from '../pool/index.ts';
import { withTransfer } from '../pool/index.ts';
import { unpackGrids } from '../proj/index.ts';
import { joinMasks, keepCommon } from '../raster/index.ts';
import type { FlagClouds, PixelTools, PixelWork } from '../render/native/index.ts';
import { beginWork, readChannels, readPlanes } from '../render/native/index.ts';
import { dilateMask, wantPixels } from '../stack/index.ts';
import type { Accumulator, AddedScene } from './accumulate.ts';
import { makeAccumulator } from './accumulate.ts';
import type { ComposedAreas } from './compose-areas.ts';
import { makeComposedAreas } from './compose-areas.ts';
import type {
  Composed,
  ComposeJob,
  FilledPixels,
  MosaicScene,
  PlacedArea,
  SceneShare,
  Stages,
} from './compose-job.ts';
import type { MovedResult } from './compose-result.ts';
import { countPart, makeResult } from './compose-result.ts';
import { isPicking } from './mosaic.ts';

interface ComposeDeps extends PixelTools {
  readonly flagClouds: FlagClouds;
}

/** Builds the putting together of scenes, for one thread. */
export const makeCompose =
  ({ flagClouds, ...tools }: ComposeDeps) =>
  async (job: ComposeJob, { signal }: JobContext): Promise<MovedResult> => {
    const stages = makeStages();
    if (job.grids !== undefined) unpackGrids(job.grids);
    const work = { ...beginWork(tools, signal), flagClouds };
    const accumulator = makeAccumulator(job, work);
    const isMasked = job.scenes.length > 1 && job.scenes.some(({ masks }) => masks.length > 0);
    const places = isMasked
      ? { at: work.allocate(4 * job.grid.width * job.grid.height), of: null }
      : undefined;
    // Memory of one scene is free for the next.
    const freeAt = work.allocate(0);
    const parts: SceneShare[] = [];
    const areas = job.result.kind === 'areas' ? toAreas(job, job.result.areas, work) : null;
    for (const [i, scene] of job.scenes.entries()) {
      if (accumulator.isFull(scene.index)) break;
      const own = { ...work, places, allocate: work.kernels.begin(freeAt) };
      const isFirst = i === 0 && job.before === null;
      if (!isFirst && makeReach(job.grid, readIndexes(accumulator, job, work))(scene) === 'none') continue;
      const planes = await readScene(scene, { job, accumulator, isFirst }, own, stages);
      if (planes !== null) {
        accumulator.add(planes, scene.index, own.allocate);
        // Nobody asks a picture how many pixels it has of each scene.
        if (!isPicking(job.selection) && job.result.kind !== 'picture') {
          if (areas === null) parts.push(countPart(planes, scene.index, { job, work: own }));
          else areas.count(planes, scene.index);
        }
      }
      stages.end('compose');
    }
    const later = job.isLast ? null : listReaching(job, accumulator, work);
    if (later !== null && later.reaching.length > 0)
      return toUnfinished(job, { accumulator, ...later }, work);
    const last = { ...work, allocate: work.kernels.begin(freeAt) };
    const composed = accumulator.finish(last.allocate);
    stages.end('compose');
    return makeResult(job, { composed, parts, areas }, last, stages);
  };

/** The areas that a job measures, on the memory of its planes. */
const toAreas = (
  { grid, padPx, channels }: ComposeJob,
  areas: readonly PlacedArea[],
  { kernels }: PixelWork,
): ComposedAreas => makeComposedAreas(areas, { size: grid, padPx, channels }, kernels);

function makeStages(): Stages {
  const ms: Record<string, number> = {};
  let startedAt = performance.now();
  return {
    ms,
    end(stage) {
      const now = performance.now();
      ms[stage] = (ms[stage] ?? 0) + now - startedAt;
      startedAt = now;
    },
  };
}

/** The index of each pixel's scene, `NO_SCENE` where it is missing; null if all scenes count everywhere. */
function readIndexes(
  { indexesAt }: Accumulator,
  { grid }: ComposeJob,
  { kernels }: PixelWork,
): Uint16Array | null {
  return indexesAt === null ? null : new Uint16Array(kernels.buffer(), indexesAt, grid.width * grid.height);
}

/** Cells of this many pixels a side are looked at: footprints are hardly more exact than that. */
const STEP_PX = 4;

type Reached = Pick<MosaicScene, 'index' | 'footprint'>;

/**
 * How much of what is missing, or of a later scene, a footprint covers: well inside it, or only at its edge, where the
 * scenes of one orbit end alike and none of them may have a pixel.
 */
type Reach = 'none' | 'edge' | 'inside';

function makeReach(grid: Grid, indexes: Uint16Array | null): (scene: Reached) => Reach {
  if (indexes === null) return () => 'inside';
  const { coarse, toCells } = makeCells(grid, indexes);
  return ({ index, footprint }) => {
    const inside = rasterizeArea(footprint, coarse);
    // Most footprints cover a whole picture, and then any pixel will do.
    if (!inside.includes(0)) return indexes.some((other) => other > index) ? 'inside' : 'none';
    const { own, latest } = toCells();
    let reach: Reach = 'none';
    for (let i = 0; i < latest.length; i += 1) {
      if (inside[i] === 0 || latest[i]! <= index) continue;
      reach = 'edge';
      if (own[i]! > index && isSurrounded(inside, i, coarse.width)) return 'inside';
    }
    return reach;
  };
}

interface Cells {
  /** The latest index in each cell. */
  readonly own: Uint16Array;
  /** The latest index in each cell and those around it. */
  readonly latest: Uint16Array;
}

/** The grid of cells that footprints are compared on; what is in them is found when it is asked for. */
function makeCells(grid: Grid, indexes: Uint16Array) {
  // One cell more on each side, and the latest index of those around each: a footprint may cover pixels of a cell, and
  // the centre of its neighbour only.
  const width = Math.ceil(grid.width / STEP_PX) + 2;
  const height = Math.ceil(grid.height / STEP_PX) + 2;
  const around = moveOrigin(grid.transform, { x: -STEP_PX, y: -STEP_PX });
  const finer = { width: width * STEP_PX, height: height * STEP_PX };
  const coarse = { ...grid, width, height, transform: scaleAffine(around, finer, { width, height }) };
  let cells: Cells | null = null;
  const toCells = (): Cells => {
    if (cells !== null) return cells;
    const own = findLatest(grid, indexes, { width, height });
    cells = { own, latest: spreadLatest(own, { width, height }) };
    return cells;
  };
  return { coarse, toCells };
}

function findLatest(grid: Grid, indexes: Uint16Array, { width, height }: Size): Uint16Array {
  const own = new Uint16Array(width * height);
  for (let row = 0, i = 0; row < grid.height; row += 1) {
    const from = (Math.floor(row / STEP_PX) + 1) * width + 1;
    for (let column = 0; column < grid.width; column += 1, i += 1) {
      const cell = from + Math.floor(column / STEP_PX);
      if (indexes[i]! > own[cell]!) own[cell] = indexes[i]!;
    }
  }
  return own;
}

function spreadLatest(own: Uint16Array, { width, height }: Size): Uint16Array {
  return own.map((_, cell) => {
    const [row, column] = [Math.floor(cell / width), cell % width];
    let most = 0;
    for (let y = Math.max(0, row - 1); y <= Math.min(height - 1, row + 1); y += 1)
      for (let x = Math.max(0, column - 1); x <= Math.min(width - 1, column + 1); x += 1)
        most = Math.max(most, own[y * width + x]!);
    return most;
  });
}

/** Whether all cells around one are inside too; those beyond the grid count as the one at its edge. */
function isSurrounded(inside: Uint8Array, cell: number, width: number): boolean {
  for (const row of [-width, 0, width])
    for (const column of [-1, 0, 1]) if ((inside[cell + row + column] ?? 1) === 0) return false;
  return true;
}

/** Which scenes of later jobs would still change a pixel, by their footprints. */
function listReaching(
  job: ComposeJob,
  accumulator: Accumulator,
  work: PixelWork,
): { readonly reaching: readonly number[]; readonly grazing: readonly number[] } {
  if (job.rest.every(({ index }) => accumulator.isFull(index))) return { reaching: [], grazing: [] };
  const reachOf = makeReach(job.grid, readIndexes(accumulator, job, work));
  const reaches = job.rest.map((scene) => ({ index: scene.index, reach: reachOf(scene) }));
  return {
    reaching: reaches.flatMap(({ index, reach }) => (reach === 'none' ? [] : [index])),
    grazing: reaches.flatMap(({ index, reach }) => (reach === 'edge' ? [index] : [])),
  };
}

/** What a scene is read with. */
interface SceneWork extends PixelWork {
  readonly flagClouds: FlagClouds;
}

/** Reads a scene: its masks first, and its pixels only if something clear is left to be taken, and only there. */
async function readScene(
  scene: MosaicScene,
  {
    job,
    accumulator,
    isFirst,
  }: { readonly job: ComposeJob; readonly accumulator: Accumulator; readonly isFirst: boolean },
  work: SceneWork,
  stages: Stages,
): Promise<AddedScene | null> {
  const { pixels, by, units, index } = scene;
  const { kernels, allocate } = work;
  const count = job.grid.width * job.grid.height;
  const { indexesAt } = accumulator;
  const open =
    indexesAt === null || isFirst
      ? null
      : wantPixels(kernels, allocate, { indexesAt, marksAt: null, index, count });
  const marksAt = await markObscured(scene, job, { ...work, wantedAt: open?.wantedAt });
  stages.end('masks');
  const wanted =
    marksAt === null ? open : wantPixels(kernels, allocate, { indexesAt, marksAt, index, count });
  if (wanted?.pixels === 0) return null;
  const own = { ...work, wantedAt: wanted?.wantedAt };
  const channels = await readPlanes(pixels, { ...own, allocateTarget: accumulator.room() ?? undefined });
  const compared = by === null ? [] : await readChannels(by, own);
  stages.end('read');
  if (channels === null || compared === null) return null;
  const masks = [...channels, ...compared].map(({ maskAt }) => maskAt);
  const maskAt = joinMasks(kernels, masks, count);
  // Around wanted pixels there may be others.
  if (marksAt !== null && wanted !== null) keepCommon(kernels, { maskAt, alsoAt: wanted.wantedAt, count });
  const channelsAt = channels.map(({ valuesAt }) => valuesAt);
  for (const [i, unit] of (units ?? []).entries())
    rescale(new Float32Array(kernels.buffer(), channelsAt[i]!, count), unit);
  return { channelsAt, maskAt, valuesAt: compared[0]?.valuesAt ?? 0 };
}

/** Marks what shows no ground, widened: a byte per pixel; null where nothing is marked. */
async function markObscured(
  { masks, pixels: { viewId, sceneVersion } }: MosaicScene,
  { grid, dilatePx }: Pick<ComposeJob, 'grid' | 'dilatePx'>,
  { wantedAt, ...work }: SceneWork,
): Promise<number | null> {
  if (masks.length === 0) return null;
  const { kernels, allocate } = work;
  const { width, height } = grid;
  const marksAt = allocate(width * height);
  new Uint8Array(kernels.buffer(), marksAt, width * height).fill(0);
  // A mark widens into pixels around it, whether it is wanted itself or not.
  const own = { ...work, wantedAt: dilatePx === 0 ? wantedAt : undefined };
  let isMarked = false;
  for (const plan of masks) {
    const isObscured = await work.flagClouds(
      { plan, grid, viewId, sceneVersion },
      { flagsAt: marksAt, flag: 1 },
      own,
    );
    isMarked ||= isObscured;
  }
  if (!isMarked) return null;
  if (dilatePx > 0) dilateMask(kernels, allocate, { maskAt: marksAt, width, height, radiusPx: dilatePx });
  return marksAt;
}

function rescale(values: Float32Array, { mult, add }: LinearScale): void {
  for (let i = 0; i < values.length; i += 1) values[i] = values[i]! * mult + add;
}

/** What was filled, for the next job, and which scenes are worth reading in it. */
function toUnfinished(
  job: ComposeJob,
  { accumulator, reaching, grazing }: { readonly accumulator: Accumulator } & ReturnType<typeof listReaching>,
  work: PixelWork,
): MovedResult {
  const count = job.grid.width * job.grid.height;
  const { channelsAt, maskAt, indexesAt = 0 } = accumulator.finish(work.allocate);
  const buffer = work.kernels.buffer();
  const filled: FilledPixels = {
    channels: channelsAt.map((at) => new Float32Array(buffer, at, count).slice()),
    mask: new Uint8Array(buffer, maskAt, count).slice(),
    indexes: new Uint16Array(buffer, indexesAt, count).slice(),
  };
  const buffers = [...filled.channels, filled.mask, filled.indexes].map((array) => array.buffer);
  return withTransfer<Composed>({ kind: 'unfinished', filled, reaching, grazing }, buffers);
}
