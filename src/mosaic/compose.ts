/** Puts scenes together on a pixel thread: masks, then pixels, then the selection. */
import { rasterizeArea } from '../areas/index.ts';
import type { LinearScale } from '../catalog/index.ts';
import type { Grid } from '../geo/index.ts';
import { scaleAffine } from '../geo/index.ts';
import type { JobContext } from '../pool/index.ts';
import { withTransfer } from '../pool/index.ts';
import { joinMasks } from '../raster/index.ts';
import type { PixelTools, PixelWork, ReadClouds } from '../render/native/index.ts';
import { beginWork, readChannels } from '../render/native/index.ts';
import { dilateMask } from '../stack/index.ts';
import type { Accumulator, AddedScene } from './accumulate.ts';
import { makeAccumulator } from './accumulate.ts';
import type { Composed, ComposeJob, FilledPixels, MosaicScene, Stages } from './compose-job.ts';
import type { MovedResult } from './compose-result.ts';
import { makeResult } from './compose-result.ts';

interface ComposeDeps extends PixelTools {
  readonly readClouds: ReadClouds;
}

/** Builds the putting together of scenes, for one thread. */
export const makeCompose =
  ({ readClouds, ...tools }: ComposeDeps) =>
  async (job: ComposeJob, { signal }: JobContext): Promise<MovedResult> => {
    const stages = makeStages();
    const work = { ...beginWork(tools, signal), readClouds };
    const accumulator = makeAccumulator(job, work);
    // Memory of one scene is free for the next.
    const freeAt = work.allocate(0);
    for (const [i, scene] of job.scenes.entries()) {
      if (accumulator.isFull()) break;
      const own = { ...work, allocate: work.kernels.begin(freeAt) };
      const isFirst = i === 0 && job.before === null;
      if (!isFirst && !makeReaches(job.grid, readFilled(accumulator, job, work))(scene)) continue;
      const planes = await readScene(scene, { job, accumulator }, own, stages);
      if (planes !== null) accumulator.add(planes, scene.index, own.allocate);
      stages.end('compose');
    }
    if (!job.isLast && !accumulator.isFull()) return toUnfinished(job, accumulator, work);
    const last = { ...work, allocate: work.kernels.begin(freeAt) };
    const composed = accumulator.finish(last.allocate);
    stages.end('compose');
    return makeResult(job, composed, last, stages);
  };

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

/** A byte for each pixel, set where no scene is needed any more; null if all scenes count everywhere. */
function readFilled(
  { filledAt }: Accumulator,
  { grid }: ComposeJob,
  { kernels }: PixelWork,
): Uint8Array | null {
  return filledAt === null ? null : new Uint8Array(kernels.buffer(), filledAt, grid.width * grid.height);
}

/** Of each side every fourth pixel is looked at: footprints are hardly more exact than that. */
const STEP_PX = 4;

/** Tells whether footprints cover a pixel that is still missing. */
function makeReaches(
  grid: Grid,
  filled: Uint8Array | null,
): (scene: Pick<MosaicScene, 'footprint'>) => boolean {
  if (filled === null) return () => true;
  const size = { width: Math.ceil(grid.width / STEP_PX), height: Math.ceil(grid.height / STEP_PX) };
  const missing = new Uint8Array(size.width * size.height);
  for (let i = 0; i < filled.length; i += 1) {
    if (filled[i] !== 0) continue;
    const row = Math.floor(i / grid.width);
    missing[Math.floor(row / STEP_PX) * size.width + Math.floor((i - row * grid.width) / STEP_PX)] = 1;
  }
  const coarse = { ...grid, ...size, transform: scaleAffine(grid.transform, grid, size) };
  return ({ footprint }) => {
    const inside = rasterizeArea(footprint, coarse);
    for (let i = 0; i < missing.length; i += 1) if ((missing[i]! & inside[i]!) !== 0) return true;
    return false;
  };
}

/** Reads a scene: its masks first, and its pixels only if something clear is left to be taken. */
async function readScene(
  scene: MosaicScene,
  { job, accumulator }: { readonly job: ComposeJob; readonly accumulator: Accumulator },
  work: PixelWork & { readonly readClouds: ReadClouds },
  stages: Stages,
): Promise<AddedScene | null> {
  const { grid, dilatePx } = job;
  const { pixels, by, units } = scene;
  const { kernels } = work;
  const count = grid.width * grid.height;
  const obscured: Uint8Array[] = [];
  for (const plan of scene.masks) {
    const { viewId, sceneVersion } = pixels;
    obscured.push(await work.readClouds({ plan, grid, viewId, sceneVersion }, work));
  }
  const marks = joinMarks(obscured, { grid, dilatePx }, work);
  stages.end('masks');
  if (marks !== null && !isNeeded(marks, readFilled(accumulator, job, work))) return null;
  const channels = await readChannels(pixels, work);
  const compared = by === null ? [] : await readChannels(by, work);
  stages.end('read');
  if (channels === null || compared === null) return null;
  const masks = [...channels, ...compared].map(({ maskAt }) => maskAt);
  const maskAt = joinMasks(kernels, masks, count);
  if (marks !== null) {
    const mask = new Uint8Array(kernels.buffer(), maskAt, count);
    for (let i = 0; i < count; i += 1) if (marks[i] !== 0) mask[i] = 0;
  }
  const channelsAt = channels.map(({ valuesAt }) => valuesAt);
  for (const [i, unit] of (units ?? []).entries())
    rescale(new Float32Array(kernels.buffer(), channelsAt[i]!, count), unit);
  return { channelsAt, maskAt, valuesAt: compared[0]?.valuesAt ?? 0 };
}

/** All marks together, widened; null where nothing is marked. */
function joinMarks(
  marks: readonly Uint8Array[],
  { grid, dilatePx }: Pick<ComposeJob, 'grid' | 'dilatePx'>,
  { kernels, allocate }: PixelWork,
): Uint8Array | null {
  const [joined, ...others] = marks;
  if (joined === undefined) return null;
  for (const other of others) for (let i = 0; i < joined.length; i += 1) joined[i]! |= other[i]!;
  if (!joined.includes(1)) return null;
  if (dilatePx === 0) return joined;
  const { width, height } = grid;
  const maskAt = allocate(joined.length);
  new Uint8Array(kernels.buffer(), maskAt, joined.length).set(joined);
  dilateMask(kernels, allocate, { maskAt, width, height, radiusPx: dilatePx });
  joined.set(new Uint8Array(kernels.buffer(), maskAt, joined.length));
  return joined;
}

/** Whether a clear pixel is still missing; if all scenes count everywhere, whether any is clear. */
function isNeeded(marks: Uint8Array, filled: Uint8Array | null): boolean {
  for (let i = 0; i < marks.length; i += 1)
    if (marks[i] === 0 && (filled === null || filled[i] === 0)) return true;
  return false;
}

function rescale(values: Float32Array, { mult, add }: LinearScale): void {
  for (let i = 0; i < values.length; i += 1) values[i] = values[i]! * mult + add;
}

/** What was filled, for the next job, and which scenes are worth reading in it. */
function toUnfinished(job: ComposeJob, accumulator: Accumulator, work: PixelWork): MovedResult {
  const count = job.grid.width * job.grid.height;
  const { channelsAt, maskAt, indexesAt = 0 } = accumulator.finish(work.allocate);
  const buffer = work.kernels.buffer();
  const filled: FilledPixels = {
    channels: channelsAt.map((at) => new Float32Array(buffer, at, count).slice()),
    mask: new Uint8Array(buffer, maskAt, count).slice(),
    indexes: new Uint16Array(buffer, indexesAt, count).slice(),
  };
  const reaches = makeReaches(job.grid, filled.mask);
  const reaching = job.rest.filter(reaches).map(({ index }) => index);
  const buffers = [...filled.channels, filled.mask, filled.indexes].map((array) => array.buffer);
  return withTransfer<Composed>({ kind: 'unfinished', filled, reaching }, buffers);
}
