import { makeLru } from '../lru.ts';
import type { Allocate, Kernels } from '../raster/index.ts';
import type { BitsPlan, ColorPlan, RampPlan, StepsPlan, ValuesPlan } from './color-plan.ts';
import { MAX_COLORS, toColorScale } from './color-plan.ts';
import type { PackedColors } from './rgb.ts';
import { countColors, toHexList } from './rgb.ts';
import type { SlotSearch } from './step-search.ts';
import { makeSlotSearch, makeStepSearch, writeSearch } from './step-search.ts';
import type { PaintedPlanes, Stretch } from './stretch.ts';
import { nextAbove } from './stretch.ts';

/** One band in the kernels' memory, and how to colour it. */
export interface ColorJob {
  /** Float32 values. */
  readonly valuesAt: number;
  /** Bytes whose lowest bit is 1 where there is a value. */
  readonly maskAt: number;
  readonly count: number;
  readonly plan: ColorPlan;
  /** The contrast of the picture, for plans that leave the range open. */
  readonly contrast: Stretch;
  /** The amount by which stored values are too low. */
  readonly shift?: number;
}

/** A byte for each pixel in the kernels' memory, and the colours that the bytes index. */
export interface PaintedIndexes {
  readonly indexesAt: number;
  /** Red, green, blue, alpha of up to 256 colours; one of them is transparent unless the picture is opaque. */
  readonly palette: Uint8Array;
  readonly isOpaque: boolean;
}

/**
 * Colours one band. Masked pixels, NaN and values that a palette does not list are transparent; infinities take the
 * ends. The result is RGBA only when a picture shows 256 different colours and also has transparent pixels: no index is
 * left for them.
 */
export function paintIndexed(
  kernels: Kernels,
  allocate: Allocate,
  job: ColorJob,
): PaintedIndexes | PaintedPlanes {
  const { plan, count, maskAt, valuesAt, shift = 0 } = job;
  const indexesAt = allocate(count);
  if (plan.kind === 'bits') {
    const { tables, groups } = toBitTables(plan);
    const tablesAt = allocate(tables.byteLength);
    new Uint32Array(kernels.buffer(), tablesAt, tables.length).set(tables);
    const hole = countColors(plan.colors);
    kernels.run.paintBits(valuesAt, maskAt, indexesAt, count, tablesAt, groups, shift, hole);
    return finish(kernels, { indexesAt, count, colors: plan.colors });
  }
  const { colors, found } = findSlots(plan, { contrast: job.contrast, shift });
  const behind = countColors(colors);
  const hole = behind % MAX_COLORS;
  const jobAt = writeSearch(kernels, allocate, { ...found, hole });
  const isSeen = kernels.run.paintSteps(valuesAt, maskAt, indexesAt, count, jobAt) === 1;
  if (isSeen && plan.kind !== 'values')
    return { indexesAt, palette: toPalette(colors, null), isOpaque: true };
  if (behind < MAX_COLORS) return finish(kernels, { indexesAt, count, colors });
  const shownAt = plan.kind === 'values' ? maskListed(kernels, allocate, { job, found }) : maskAt;
  if (plan.kind === 'values' && !new Uint8Array(kernels.buffer(), shownAt, count).includes(0))
    return { indexesAt, palette: toPalette(colors, null), isOpaque: true };
  const unused =
    findUnused(kernels, allocate, { indexesAt, count }) ??
    freeRepeated(kernels, { indexesAt, count, colors });
  if (unused === null)
    return paintFull(kernels, allocate, { job: { ...job, maskAt: shownAt }, indexesAt, colors });
  kernels.run.paintHoles(valuesAt, shownAt, indexesAt, count, unused);
  return { indexesAt, palette: toPalette(colors, unused), isOpaque: false };
}

/** Palette entries per word. */
const GROUP = 32;
const BYTES = 256;

/**
 * The lookup tables of kernels/paint-bits.ts: for each 32 entries, which of them a lower byte satisfies, and which a
 * higher byte does. This takes two reads, where the values themselves would need a table of 65,536.
 */
function toBitTables({ bits }: BitsPlan): { readonly tables: Uint32Array; readonly groups: number } {
  const groups = Math.max(1, Math.ceil(bits.length / GROUP));
  const tables = new Uint32Array(groups * 2 * BYTES);
  for (const [entry, of] of bits.entries()) {
    const wanted = of.reduce((all, bit) => all | (1 << bit), 0);
    const at = Math.floor(entry / GROUP) * 2 * BYTES;
    for (const [half, needs] of [wanted & 0xff, wanted >> 8].entries()) {
      for (let byte = needs; byte < BYTES; byte++) {
        if ((byte & needs) === needs) tables[at + half * BYTES + byte]! |= 1 << (entry % GROUP);
      }
    }
  }
  return { tables, groups };
}

/** A plan as thresholds: slot i is written where i of them are not above the value. */
interface SlotPlan {
  readonly colors: PackedColors;
  readonly thresholds: readonly number[];
  /** Indexes in the list of colours; the one after the last is transparent, unless the list is full. */
  readonly slots: Uint8Array;
}

/** A plan as the kernel looks values up. */
interface FoundSlots {
  readonly colors: PackedColors;
  readonly found: SlotSearch;
}

/** Plans whose search is kept: the tiles of one map share theirs, and to make it took a fifteenth of a tile's thread. */
const MAX_SEARCHES = 32;
const searches = makeLru<FoundSlots>({ max: MAX_SEARCHES });

function findSlots(
  plan: RampPlan | StepsPlan | ValuesPlan,
  given: { readonly contrast: Stretch; readonly shift: number },
): FoundSlots {
  const { min, max, gamma, isDecibel } = given.contrast;
  const key = [JSON.stringify(plan), min, max, gamma, isDecibel, given.shift].join(' ');
  return searches.remember(key, () => {
    const { colors, thresholds, slots } = planSlots(plan, given);
    return { colors, found: makeSlotSearch(makeStepSearch(thresholds), slots) };
  });
}

/** Resolves a plan to thresholds of stored values, which are `shift` below their meaning. */
function planSlots(
  plan: RampPlan | StepsPlan | ValuesPlan,
  { contrast, shift }: { readonly contrast: Stretch; readonly shift: number },
): SlotPlan {
  if (plan.kind === 'values') return planValues(plan, shift);
  const { colors, thresholds } = toColorScale(plan, contrast);
  const slots = Uint8Array.from({ length: countColors(colors) }, (_, i) => i);
  return { colors, thresholds: shift === 0 ? thresholds : thresholds.map((value) => value - shift), slots };
}

/**
 * A whole number covers the interval from itself to the next float32, which has its colour; everything else is
 * transparent.
 */
function planValues({ colors, values }: ValuesPlan, shift: number): SlotPlan {
  const order = values.map((value, i) => ({ value: value - shift, i })).sort((a, b) => a.value - b.value);
  const transparent = countColors(colors);
  return {
    colors,
    thresholds: order.flatMap(({ value }) => [value, nextAbove(value)]),
    slots: Uint8Array.from([transparent, ...order.flatMap(({ i }) => [i, transparent])]),
  };
}

/** The mask for a palette that has no index left for unlisted values: 1 where a pixel has a listed value. */
function maskListed(
  kernels: Kernels,
  allocate: Allocate,
  { job, found: { search, slots } }: { job: ColorJob; found: SlotSearch },
): number {
  const shownAt = allocate(job.count);
  // Each listed value lies between two thresholds of its own: every second slot is one.
  const isListed = slots.map((_, i) => i % 2);
  const jobAt = writeSearch(kernels, allocate, { ...makeSlotSearch(search, isListed), hole: 0 });
  kernels.run.paintSteps(job.valuesAt, job.maskAt, shownAt, job.count, jobAt);
  return shownAt;
}

/** RGBA of an indexed picture, for formats without palettes. */
export function toRgbaPlanes(
  kernels: Kernels,
  allocate: Allocate,
  { painted, count }: { readonly painted: PaintedIndexes; readonly count: number },
): PaintedPlanes {
  const rgbaAt = allocate(count * 4);
  const tableAt = allocate(MAX_COLORS * 4);
  new Uint8Array(kernels.buffer(), tableAt, painted.palette.length).set(painted.palette);
  kernels.run.paintIndexes(painted.indexesAt, tableAt, rgbaAt, count);
  return { rgbaAt, isOpaque: painted.isOpaque };
}

/** A picture whose transparent pixels, if any, have the index after its colours. */
function finish(
  kernels: Kernels,
  { indexesAt, count, colors }: { indexesAt: number; count: number; colors: PackedColors },
): PaintedIndexes {
  const behind = countColors(colors);
  const isOpaque = !new Uint8Array(kernels.buffer(), indexesAt, count).includes(behind);
  return { indexesAt, palette: toPalette(colors, isOpaque ? null : behind), isOpaque };
}

/** Red, green, blue, alpha of each colour; the one at `transparent` is transparent, whether in the list or after it. */
function toPalette(colors: PackedColors, transparent: number | null): Uint8Array {
  const count = countColors(colors);
  const palette = new Uint8Array(4 * Math.max(count, (transparent ?? 0) + 1));
  const levels = Buffer.from(colors, 'hex');
  for (let i = 0; i < count; i++) {
    for (let channel = 0; channel < 3; channel++) palette[4 * i + channel] = levels[3 * i + channel]!;
    palette[4 * i + 3] = 255;
  }
  if (transparent !== null) palette.fill(0, 4 * transparent, 4 * transparent + 4);
  return palette;
}

/** One of the 256 indexes that no pixel uses. */
function findUnused(
  kernels: Kernels,
  allocate: Allocate,
  { indexesAt, count }: { indexesAt: number; count: number },
): number | null {
  const usedAt = allocate(MAX_COLORS);
  const used = new Uint8Array(kernels.buffer(), usedAt, MAX_COLORS).fill(0);
  kernels.run.markUsed(indexesAt, usedAt, count);
  const unused = used.indexOf(0);
  return unused < 0 ? null : unused;
}

/** Half of all maps have a duplicate colour among 256: then one of its indexes is free. */
function freeRepeated(
  kernels: Kernels,
  { indexesAt, count, colors }: { indexesAt: number; count: number; colors: PackedColors },
): number | null {
  const list = toHexList(colors);
  const repeated = list.findIndex((color, i) => list.indexOf(color) < i);
  if (repeated < 0) return null;
  const first = list.indexOf(list[repeated]!);
  const indexes = new Uint8Array(kernels.buffer(), indexesAt, count);
  for (let i = 0; i < count; i++) if (indexes[i] === repeated) indexes[i] = first;
  return repeated;
}

/** All 256 colours and transparent pixels: these are found again and cut out. */
function paintFull(
  kernels: Kernels,
  allocate: Allocate,
  { job, indexesAt, colors }: { job: ColorJob; indexesAt: number; colors: PackedColors },
): PaintedPlanes {
  const { valuesAt, maskAt, count } = job;
  const painted = { indexesAt, palette: toPalette(colors, null), isOpaque: false };
  const planes = toRgbaPlanes(kernels, allocate, { painted, count });
  const values = new Float32Array(kernels.buffer(), valuesAt, count);
  const mask = new Uint8Array(kernels.buffer(), maskAt, count);
  const rgba = new Uint32Array(kernels.buffer(), planes.rgbaAt, count);
  for (let i = 0; i < count; i++) if ((mask[i]! & 1) === 0 || Number.isNaN(values[i]!)) rgba[i] = 0;
  return planes;
}
