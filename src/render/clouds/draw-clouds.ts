import type { PaintedIndexes, PaintedPlanes } from '../../color/index.ts';
import { toRgbaPlanes } from '../../color/index.ts';
import type { Allocate, Kernels } from '../../raster/index.ts';
import type { PixelWork, WarpedInput } from '../pixels/read-channels.ts';
import { intersectMask } from '../pixels/shown-planes.ts';
import type { RenderPlan } from '../plan/render-plan.ts';
import type { ReadClouds } from './read-clouds.ts';

/** 1 where all inputs of a picture have data, in memory of its own: later steps change the masks of the inputs. */
export function toGround(inputs: readonly WarpedInput[], kernels: Kernels, count: number): Uint8Array {
  const ground = new Uint8Array(count).fill(1);
  for (const maskAt of new Set(inputs.map((input) => input.maskAt)))
    intersectMask(ground, new Uint8Array(kernels.buffer(), maskAt, count));
  return ground;
}

/**
 * Covers a picture with the plan's clouds: where the bands have data, whatever the picture shows there, and inside the
 * area. A mask may say "cloud" beyond the scene's edge; nothing is painted there.
 */
export async function drawClouds(
  painted: PaintedIndexes | PaintedPlanes,
  { plan, ground, inside }: { plan: RenderPlan; ground: Uint8Array; inside: Uint8Array | null },
  work: PixelWork & { readonly readClouds: ReadClouds },
): Promise<PaintedIndexes | PaintedPlanes> {
  const { clouds } = plan;
  if (clouds === undefined || !ground.includes(1)) return painted;
  const [marks = new Uint8Array(ground.length), ...others] = await Promise.all(
    clouds.plans.map((one) => work.readClouds({ ...plan, plan: one }, work)),
  );
  for (const more of others) for (let i = 0; i < marks.length; i += 1) if (more[i] === 1) marks[i] = 1;
  intersectMask(marks, ground);
  if (inside !== null) intersectMask(marks, inside);
  return coverClouds(painted, { marks, color: clouds.color }, work);
}

type Painted = PaintedIndexes | PaintedPlanes;

interface CoverDeps {
  readonly kernels: Kernels;
  readonly allocate: Allocate;
}

/** Where a picture is covered, 1, and with which colour, six hexadecimal digits. */
interface Cover {
  readonly marks: Uint8Array;
  readonly color: string;
}

/** Colours of a palette. */
const MAX_COLORS = 256;

/** Paints over what is marked, also where the picture is transparent; a palette gets one more colour, if it has a free entry. */
export function coverClouds(painted: Painted, { marks, color }: Cover, deps: CoverDeps): Painted {
  if (!marks.includes(1)) return painted;
  const [red = 0, green = 0, blue = 0] = Buffer.from(color, 'hex');
  if ('palette' in painted) {
    const indexes = new Uint8Array(deps.kernels.buffer(), painted.indexesAt, marks.length);
    const room = withColor(painted.palette, [red, green, blue, 255], { indexes, marks });
    if (room !== null) return { indexesAt: painted.indexesAt, ...coverIndexes(indexes, { marks, ...room }) };
  }
  const count = marks.length;
  const planes =
    'palette' in painted ? toRgbaPlanes(deps.kernels, deps.allocate, { painted, count }) : painted;
  const rgba = new Uint8Array(deps.kernels.buffer(), planes.rgbaAt, count * 4);
  let isOpaque = true;
  for (let i = 0; i < count; i += 1) {
    if (marks[i] === 1) {
      rgba[4 * i] = red;
      rgba[4 * i + 1] = green;
      rgba[4 * i + 2] = blue;
      rgba[4 * i + 3] = 255;
    } else if (rgba[4 * i + 3] !== 255) isOpaque = false;
  }
  return { rgbaAt: planes.rgbaAt, isOpaque };
}

/** A palette, and the entry of one colour in it. */
interface Room {
  readonly palette: Uint8Array;
  readonly entry: number;
}

/** The palette with a colour in it; null if all entries are used by pixels that stay visible. */
function withColor(
  palette: Uint8Array,
  color: readonly number[],
  { indexes, marks }: { readonly indexes: Uint8Array; readonly marks: Uint8Array },
): Room | null {
  const count = palette.length / 4;
  for (let entry = 0; entry < count; entry += 1) {
    if (color.every((level, channel) => palette[4 * entry + channel] === level)) return { palette, entry };
  }
  const entry = count < MAX_COLORS ? count : findUnseen(indexes, marks);
  if (entry < 0) return null;
  const changed = new Uint8Array(Math.max(palette.length, 4 * (entry + 1)));
  changed.set(palette);
  changed.set(color, 4 * entry);
  return { palette: changed, entry };
}

/** An entry that no visible pixel uses; -1 if there is none. */
function findUnseen(indexes: Uint8Array, marks: Uint8Array): number {
  const isSeen = new Uint8Array(MAX_COLORS);
  for (let i = 0; i < indexes.length; i += 1) if (marks[i] === 0) isSeen[indexes[i] as number] = 1;
  return isSeen.indexOf(0);
}

function coverIndexes(
  indexes: Uint8Array,
  { marks, palette, entry }: Room & { readonly marks: Uint8Array },
): Omit<PaintedIndexes, 'indexesAt'> {
  let isOpaque = true;
  for (let i = 0; i < marks.length; i += 1) {
    if (marks[i] === 1) indexes[i] = entry;
    else if (palette[4 * (indexes[i] as number) + 3] !== 255) isOpaque = false;
  }
  return { palette, isOpaque };
}
