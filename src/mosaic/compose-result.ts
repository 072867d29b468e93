import { rasterizeArea } from '../areas/index.ts';
import { encodeIndexedPng } from '../formats/png.ts';
import type { Grid } from '../geo/index.ts';
import { moveOrigin } from '../geo/index.ts';
import { withTransfer } from '../pool/index.ts';
import type { Kernels } from '../raster/index.ts';
import { paintShownRgba } from '../render/index.ts';
import type { PixelWork } from '../render/native/index.ts';
import { drawShown } from '../render/native/index.ts';
import type { ScenePlanes } from '../stack/index.ts';
import { NO_SCENE } from '../stack/index.ts';
import type { ComposedPlanes } from './accumulate.ts';
import type { ComposedAreas } from './compose-areas.ts';
import { joinShares } from './compose-areas.ts';
import type { Composed, ComposeJob, MosaicValues, SceneShare, Stages } from './compose-job.ts';
import { isPicking } from './mosaic.ts';

/** A result whose memory moves to the thread that asked for it. */
export type MovedResult = ReturnType<typeof withTransfer<Composed>>;

/** Makes what a job is asked for of the pixels that were put together. */
export async function makeResult(
  job: ComposeJob,
  {
    composed,
    parts,
    areas,
  }: {
    readonly composed: ComposedPlanes;
    readonly parts: readonly SceneShare[];
    /** What a job measures areas with. */
    readonly areas: ComposedAreas | null;
  },
  work: PixelWork,
  stages: Stages,
): Promise<MovedResult> {
  const { kernels } = work;
  const toShares = (planes: ComposedPlanes | null, grid: Grid): readonly SceneShare[] =>
    isPicking(job.selection) ? countShares(planes, grid, work) : parts.filter(({ pixels }) => pixels > 0);
  const { result } = job;
  if (areas !== null || result.kind === 'areas') {
    const measured = areas?.measure(composed.channelsAt.length === 0 ? null : composed) ?? [];
    return withTransfer<Composed>({ kind: 'areas', areas: measured, shares: joinShares(measured) }, []);
  }
  const grid = toInnerGrid(job);
  const planes = composed.channelsAt.length === 0 ? null : cropPlanes(composed, { job, grid }, work);
  if (result.kind === 'picture' || result.kind === 'painted') {
    const { look, contrast: stretches, outline } = result;
    const { width, height } = grid;
    // Without a scene there is no contrast, and nothing to show.
    const shown =
      planes === null || stretches.length === 0
        ? null
        : { planes: { width, height, bandsAt: planes.channelsAt, maskAt: planes.maskAt }, stretches };
    const shares = toShares(planes, grid);
    if (result.kind === 'painted') {
      const rgba = paintShownRgba({ plan: look, outline }, shown, work);
      return withTransfer<Composed>({ kind: 'painted', rgba, shares }, [rgba.buffer]);
    }
    const encoded = await drawShown({ plan: look, outline }, shown, work);
    stages.end('draw');
    const picture = { kind: 'picture', ...encoded, shares, stagesMs: stages.ms } as const;
    return withTransfer<Composed>(picture, [picture.bytes.buffer]);
  }
  const inside = result.outline === null ? null : rasterizeArea(result.outline, grid);
  if (planes !== null && inside !== null) maskOutside(inside, planes, kernels);
  const shares = toShares(planes, grid);
  if (result.kind === 'sources') {
    const bytes = paintSources(planes, { colors: result.colors, grid }, work);
    stages.end('draw');
    const picture = { kind: 'picture', bytes, format: 'png', shares, stagesMs: stages.ms } as const;
    return withTransfer<Composed>(picture, [bytes.buffer]);
  }
  const values = copyValues(planes, { count: grid.width * grid.height, channels: job.channels }, kernels);
  const arrays = [...values.channels, values.mask, values.indexes, values.counts];
  return withTransfer<Composed>(
    { kind: 'values', ...values, areaPx: inside === null ? null : countInside(inside), shares },
    arrays.flatMap((array) => (array === null ? [] : [array.buffer])),
  );
}

/** The grid of the result, without the pixels around it. */
function toInnerGrid({ grid, padPx }: ComposeJob): Grid {
  if (padPx === 0) return grid;
  return {
    ...grid,
    transform: moveOrigin(grid.transform, { x: padPx, y: padPx }),
    width: grid.width - 2 * padPx,
    height: grid.height - 2 * padPx,
  };
}

/** The planes without the pixels around the result. */
function cropPlanes(
  planes: ComposedPlanes,
  { job, grid }: { readonly job: ComposeJob; readonly grid: Grid },
  { kernels, allocate }: PixelWork,
): ComposedPlanes {
  if (job.padPx === 0) return planes;
  const crop = (at: number, bytesPerPixel: number): number => {
    const to = allocate(grid.width * grid.height * bytesPerPixel);
    const memory = new Uint8Array(kernels.buffer());
    for (let row = 0; row < grid.height; row += 1) {
      const from = at + ((row + job.padPx) * job.grid.width + job.padPx) * bytesPerPixel;
      memory.copyWithin(to + row * grid.width * bytesPerPixel, from, from + grid.width * bytesPerPixel);
    }
    return to;
  };
  const { channelsAt, maskAt, indexesAt, countsAt } = planes;
  return {
    channelsAt: channelsAt.map((at) => crop(at, 4)),
    maskAt: crop(maskAt, 1),
    ...(indexesAt === undefined ? {} : { indexesAt: crop(indexesAt, 2) }),
    ...(countsAt === undefined ? {} : { countsAt: crop(countsAt, 2) }),
  };
}

const countInside = (inside: Uint8Array): number => inside.reduce((sum, one) => sum + (one === 0 ? 0 : 1), 0);

function maskOutside(inside: Uint8Array, { maskAt, indexesAt }: ComposedPlanes, kernels: Kernels): void {
  const mask = new Uint8Array(kernels.buffer(), maskAt, inside.length);
  const indexes =
    indexesAt === undefined ? null : new Uint16Array(kernels.buffer(), indexesAt, inside.length);
  for (let i = 0; i < inside.length; i += 1) {
    if (inside[i] !== 0) continue;
    mask[i] = 0;
    if (indexes !== null) indexes[i] = NO_SCENE;
  }
}

/** In how many pixels of a result a scene has a part. Its memory must not have been used again. */
export function countPart(
  { channelsAt, maskAt }: ScenePlanes,
  index: number,
  { job, work: { kernels } }: { readonly job: ComposeJob; readonly work: PixelWork },
): SceneShare {
  const { padPx, result } = job;
  const grid = toInnerGrid(job);
  const count = job.grid.width * job.grid.height;
  const buffer = kernels.buffer();
  const mask = maskAt === 0 ? null : new Uint8Array(buffer, maskAt, count);
  const channels = channelsAt.map((at) => new Float32Array(buffer, at, count));
  const outline = result.kind === 'areas' ? null : result.outline;
  const inside = outline === null ? null : rasterizeArea(outline, grid);
  let pixels = 0;
  for (let i = 0; i < grid.width * grid.height; i += 1) {
    const row = Math.floor(i / grid.width);
    const at = (row + padPx) * job.grid.width + padPx + i - row * grid.width;
    if (mask?.[at] === 0 || inside?.[i] === 0) continue;
    let isWhole = true;
    for (const values of channels) if (Number.isNaN(values[at])) isWhole = false;
    if (isWhole) pixels += 1;
  }
  return { index, pixels };
}

/** How many pixels each scene has given, in the order of the scenes. */
function countShares(
  planes: ComposedPlanes | null,
  { width, height }: Grid,
  { kernels, allocate }: PixelWork,
): readonly SceneShare[] {
  if (planes?.indexesAt === undefined) return [];
  const tableAt = allocate(4 * (NO_SCENE + 1));
  new Uint8Array(kernels.buffer(), tableAt, 4 * (NO_SCENE + 1)).fill(0);
  const past = kernels.run.countIndexes(planes.indexesAt, width * height, tableAt);
  const table = new Uint32Array(kernels.buffer(), tableAt, past);
  return Array.from(table, (pixels, index) => ({ index, pixels })).filter(({ pixels }) => pixels > 0);
}

/** A picture of the scene of each pixel, or of how many scenes it is made of; transparent where there is none. */
function paintSources(
  planes: ComposedPlanes | null,
  { colors, grid }: { readonly colors: readonly number[]; readonly grid: Grid },
  { kernels, allocate }: PixelWork,
): Uint8Array<ArrayBuffer> {
  const { width, height } = grid;
  const count = width * height;
  const indexesAt = allocate(count);
  const painted = new Uint8Array(kernels.buffer(), indexesAt, count).fill(0);
  // Entry 0 of the palette is transparent.
  const places = new Map<number, number>();
  const numbersAt = planes?.indexesAt ?? planes?.countsAt;
  if (planes !== null && numbersAt !== undefined) {
    const numbers = new Uint16Array(kernels.buffer(), numbersAt, count);
    const mask = new Uint8Array(kernels.buffer(), planes.maskAt, count);
    for (let i = 0; i < count; i += 1) {
      if (mask[i] === 0) continue;
      const number = Math.min(numbers[i]!, colors.length - 1);
      let place = places.get(number);
      if (place === undefined) {
        place = 1 + (places.size % 255);
        places.set(number, place);
      }
      painted[i] = place;
    }
  }
  const palette = new Uint8Array(4 * (1 + Math.min(255, places.size)));
  for (const [number, place] of places) {
    const color = colors[number]!;
    palette.set([color >> 16, (color >> 8) & 0xff, color & 0xff, 0xff], 4 * place);
  }
  return encodeIndexedPng(kernels, allocate, { indexesAt, palette, width, height });
}

function copyValues(
  planes: ComposedPlanes | null,
  { count, channels }: { readonly count: number; readonly channels: number },
  kernels: Kernels,
): Omit<MosaicValues, 'areaPx'> {
  if (planes === null) {
    return {
      channels: Array.from({ length: channels }, () => new Float32Array(count)),
      mask: new Uint8Array(count),
      indexes: null,
      counts: null,
    };
  }
  const buffer = kernels.buffer();
  const { channelsAt, maskAt, indexesAt, countsAt } = planes;
  return {
    channels: channelsAt.map((at) => new Float32Array(buffer, at, count).slice()),
    mask: new Uint8Array(buffer, maskAt, count).slice(),
    indexes: indexesAt === undefined ? null : new Uint16Array(buffer, indexesAt, count).slice(),
    counts: countsAt === undefined ? null : new Uint16Array(buffer, countsAt, count).slice(),
  };
}
