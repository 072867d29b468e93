/** The one way from files to values: the inputs of a plan are read, warped onto its grid, and computed. */

import type { TypedTree } from '../../bandmath/index.ts';
import type { BandFile, LevelWindow, ReadWindow } from '../../blocks/index.ts';
import type {
  Allocate,
  BandPlane,
  Kernels,
  makeComputeBands,
  ResultPlane,
  SourcePlanes,
  Staging,
  WarpPlan,
  WindowPlane,
  warpFlags,
} from '../../raster/index.ts';
import {
  allocateSource,
  computeStrips,
  interpretBands,
  makeStaging,
  makeWindowPlane,
  warpPlanes,
  warpWords,
} from '../../raster/index.ts';
import type { QualityBits } from '../../sensors/index.ts';
import { toInterfaceQuality } from '../../sensors/index.ts';
import { shownInput, toRecord } from '../plan/plan-inputs.ts';
import type { InputPlan, PixelPlan, SceneRef } from '../plan/render-plan.ts';
import { padSpeckleWindow, SPECKLE_COLUMN_BYTES, SPECKLE_RADIUS_PX } from '../plan/speckle.ts';
import { fillTablePlane } from './table-plane.ts';

/** What a pixel thread reads and computes with. */
export interface PixelTools {
  readonly readWindow: ReadWindow;
  readonly kernels: Kernels;
  readonly compute: ReturnType<typeof makeComputeBands>;
}

/** The tools during one job: with memory of the kernels, which is valid until the next job begins. */
export interface PixelWork extends PixelTools {
  readonly allocate: Allocate;
  /** Aborts when no one waits for the result any more. */
  readonly signal: AbortSignal;
  /** A byte per pixel of the grid that is read, 0 where no value is wanted: it may be masked there. All by default. */
  readonly wantedAt?: number | undefined;
  /** Where nearest neighbours lie, for masks of several scenes on one grid. */
  readonly places?: Parameters<typeof warpFlags>[2]['places'];
  /** Where bands on the grid lie, if they are to outlive other memory. */
  readonly allocateTarget?: Allocate | undefined;
  /**
   * Which 16-bit words stay words where all of a window is data: those of which nearest neighbours are taken, or those
   * that are the pixels of the grid. None by default.
   */
  readonly keptWords?: 'nearest' | 'copied' | undefined;
}

/** Begins a job: memory of the job before is reused, or that from an address on. */
export const beginWork = (tools: PixelTools, signal: AbortSignal, freeAt?: number): PixelWork => ({
  ...tools,
  allocate: tools.kernels.begin(freeAt),
  signal,
});

/** An input in the kernels' memory, as it was read. */
export interface SourceInput {
  readonly input: InputPlan;
  readonly valuesAt: number;
  /** The values, and behind them those of the rule's table if it has one. */
  readonly planeCount: 1 | 2;
  /** 0 if it has data everywhere. */
  readonly maskAt: number;
  /** Where it lies as words that are all data; then there are no values. 0 otherwise. */
  readonly wordsAt: number;
}

/** Inputs with equal windows on equal grids, next to each other in the kernels' memory. */
export interface SourceGroup {
  readonly members: readonly SourceInput[];
  readonly warp: WarpPlan;
  readonly planeBytes: number;
}

/** An input on the grid of the plan. */
export interface WarpedInput {
  readonly valuesAt: number;
  /** 0 if it has data everywhere, which only an input that was not resampled can say. */
  readonly maskAt: number;
  /** The plane of the rule's table; 0 without one. */
  readonly secondAt: number;
}

/** The inputs of a scene that are read together. */
type ReadPlan = SceneRef & Pick<PixelPlan, 'inputs'>;

/** Reads all inputs of a plan and warps them onto its grid; null if one of them has no pixel there. */
export async function readInputs(
  plan: ReadPlan & Pick<PixelPlan, 'grid'>,
  work: PixelWork,
): Promise<readonly WarpedInput[] | null> {
  const sources = await readSources(plan, work);
  return sources === null ? null : warpSources(sources, plan, work);
}

/**
 * Reads the windows of all inputs; null if one of them has no pixel on the grid, because then nothing is shown. Inputs
 * with the same window are laid out together: computing positions costs more than sampling.
 */
export async function readSources(plan: ReadPlan, work: PixelWork): Promise<readonly SourceGroup[] | null> {
  const windows = groupByWarp(plan.inputs);
  if (windows === null) return null;
  const staging = makeStaging(work.allocate);
  const groups: SourceGroup[] = [];
  for (const [warp, inputs] of windows) {
    groups.push(await readGroup({ warp, inputs, plan }, staging, work));
  }
  return groups;
}

/** Whether nothing becomes of the samples of an input before they are warped. */
const isPlainInput = ({ table, bits, speckle }: InputPlan): boolean =>
  table === null && bits === undefined && speckle === undefined;

function canBeWords(warp: WarpPlan, inputs: readonly InputPlan[], kept: PixelWork['keptWords']): boolean {
  if (kept === undefined || !inputs.every(isPlainInput)) return false;
  return kept === 'copied' ? warp.isCopy === true : warp.method === 'near' && warp.isCopy !== true;
}

function groupByWarp(inputs: readonly InputPlan[]): ReadonlyMap<WarpPlan, readonly InputPlan[]> | null {
  const groups = new Map<WarpPlan, InputPlan[]>();
  for (const input of inputs) {
    const { warp } = input;
    if (warp === null) return null;
    // Bands of one resolution mostly share one object (`makePlanRead`), which is faster to compare than its contents.
    const known = groups.has(warp) ? warp : [...groups.keys()].find((other) => isEqual(other, warp));
    if (known === undefined) groups.set(warp, [input]);
    else groups.get(known)?.push(input);
  }
  return groups;
}

const isEqual = (one: WarpPlan, other: WarpPlan): boolean => JSON.stringify(one) === JSON.stringify(other);

async function readGroup(
  group: { readonly warp: WarpPlan; readonly inputs: readonly InputPlan[]; readonly plan: SceneRef },
  staging: Staging,
  work: PixelWork,
): Promise<SourceGroup> {
  const { warp, inputs, plan } = group;
  const { kernels, allocate } = work;
  const { window } = warp;
  const planeCounts = inputs.map(({ table }) => (table === null ? 1 : 2));
  const planeCount = planeCounts.reduce((sum, count) => sum + count, 0);
  const source = allocateSource(allocate, window, planeCount);
  const keepsWords = canBeWords(warp, inputs, work.keptWords);
  const members: SourceInput[] = [];
  const planes: Pick<WindowPlane, 'hasEmpty' | 'wordsAt' | 'widen'>[] = [];
  let { valuesAt } = source;
  for (const [i, input] of inputs.entries()) {
    const maskAt = allocate(window.width * window.height);
    const target = { read: warp, scene: plan, valuesAt, maskAt, staging, keepsWords };
    const plane =
      input.speckle === undefined
        ? await readPlane(input, target, work)
        : toFloats(await readFiltered({ ...input, speckle: input.speckle, warp }, target, work));
    if (input.table !== null) fillTable(kernels, valuesAt + source.planeBytes, { ...input.table, warp });
    const own = planeCounts[i] as 1 | 2;
    const { hasEmpty, wordsAt } = plane;
    planes.push(plane);
    members.push({ input, valuesAt, planeCount: own, maskAt: hasEmpty ? maskAt : 0, wordsAt });
    valuesAt += own * source.planeBytes;
  }
  const { planeBytes } = source;
  if (planes.every(({ wordsAt }) => wordsAt !== 0)) return { members, warp, planeBytes };
  for (const plane of planes) plane.widen();
  return { members: members.map((member) => ({ ...member, wordsAt: 0 })), warp, planeBytes };
}

const toFloats = (hasEmpty: boolean) => ({ hasEmpty, wordsAt: 0, widen: () => {} });

/** Where a window of a file goes in the kernels' memory. */
interface PlaneTarget {
  readonly read: LevelWindow;
  readonly scene: SceneRef;
  readonly valuesAt: number;
  readonly maskAt: number;
  readonly staging: Staging;
  /** Whether 16-bit words stay words if all of them are data; they become floats by default. */
  readonly keepsWords?: boolean;
}

/** Reads a window of one input, as floats unless words may be kept. */
export async function readPlane(
  input: BandFile & Pick<InputPlan, 'of' | 'bits'>,
  { read, scene, valuesAt, maskAt, staging, keepsWords }: PlaneTarget,
  { readWindow, kernels, signal }: PixelWork,
): Promise<WindowPlane> {
  const { window } = read;
  const { nodata } = input;
  const plane = makeWindowPlane({ kernels, staging, window, valuesAt, maskAt, nodata, keepsWords });
  await readWindow({ ...input, read, record: toRecord(input.of ?? scene) }, plane, signal);
  if (input.bits !== undefined) {
    moveBits(new Float32Array(kernels.buffer(), valuesAt, window.width * window.height), input.bits);
  }
  return plane;
}

/** Reads a window of one input with the pixels around it, and filters its speckle; true if a pixel has no data. */
async function readFiltered(
  input: InputPlan & { readonly speckle: { readonly noise: number }; readonly warp: WarpPlan },
  target: PlaneTarget,
  work: PixelWork,
): Promise<boolean> {
  const { kernels, allocate } = work;
  const { window, level } = input.warp;
  const padded = padSpeckleWindow(input.warp);
  const size = padded.width * padded.height;
  const [valuesAt, maskAt] = [allocate(4 * size), allocate(size)];
  const { hasEmpty } = await readPlane(
    input,
    { ...target, read: { level, window: padded }, valuesAt, maskAt },
    work,
  );
  const columnsAt = allocate(SPECKLE_COLUMN_BYTES * padded.width);
  const [left, top] = [window.x - padded.x, window.y - padded.y];
  kernels.run.filterSpeckle(
    valuesAt,
    hasEmpty ? maskAt : 0,
    padded.width,
    padded.height,
    left,
    top,
    window.width,
    window.height,
    target.valuesAt,
    columnsAt,
    SPECKLE_RADIUS_PX,
    input.speckle.noise,
  );
  if (!hasEmpty) return false;
  const from = new Uint8Array(kernels.buffer(), maskAt, size);
  const to = new Uint8Array(kernels.buffer(), target.maskAt, window.width * window.height);
  for (let row = 0; row < window.height; row++) {
    const at = (top + row) * padded.width + left;
    to.set(from.subarray(at, at + window.width), row * window.width);
  }
  return to.includes(0);
}

function fillTable(
  kernels: Kernels,
  at: number,
  { values, fullSize, warp }: NonNullable<InputPlan['table']> & { readonly warp: WarpPlan },
): void {
  const { window, levelSize } = warp;
  const plane = new Float32Array(kernels.buffer(), at, window.width * window.height);
  fillTablePlane(plane, { table: values, window, levelSize, fullSize });
}

/** Warps what was read onto the grid of the plan, in the order of its inputs. */
export function warpSources(
  groups: readonly SourceGroup[],
  { grid, inputs }: Pick<PixelPlan, 'grid' | 'inputs'>,
  { kernels, allocate, wantedAt, allocateTarget }: PixelWork,
): readonly WarpedInput[] {
  const warped = new Map<InputPlan, WarpedInput>();
  for (const { members, warp, planeBytes } of groups) {
    const wordsAt = members[0]?.wordsAt ?? 0;
    if (wordsAt !== 0) {
      const source = { wordsAt, planeBytes, bandCount: members.length };
      const { bandsAt, maskAt } = warpWords(kernels, allocate, { target: grid, plan: warp, source });
      for (const [i, { input }] of members.entries())
        warped.set(input, { valuesAt: bandsAt[i] as number, maskAt, secondAt: 0 });
      continue;
    }
    if (warp.isCopy) {
      for (const { input, valuesAt, planeCount, maskAt } of members)
        warped.set(input, { valuesAt, maskAt, secondAt: planeCount === 2 ? valuesAt + planeBytes : 0 });
      continue;
    }
    for (const together of groupByMask(kernels, members, warp)) {
      const source: SourcePlanes = {
        valuesAt: together[0]?.valuesAt ?? 0,
        planeBytes,
        bandCount: together.reduce((sum, { planeCount }) => sum + planeCount, 0),
        maskAt: together[0]?.maskAt ?? 0,
      };
      const request = { target: grid, plan: warp, source, wantedAt, allocateTarget };
      const { bandsAt, maskAt } = warpPlanes(kernels, allocate, request);
      let next = 0;
      for (const { input, planeCount } of together) {
        const secondAt = planeCount === 2 ? (bandsAt[next + 1] as number) : 0;
        warped.set(input, { valuesAt: bandsAt[next] as number, maskAt, secondAt });
        next += planeCount;
      }
    }
  }
  return inputs.map((input) => warped.get(input) as WarpedInput);
}

/** One warp for the group if all masks are equal, as they are except at the edge of a scene; otherwise one per input. */
function groupByMask(kernels: Kernels, members: readonly SourceInput[], { window }: WarpPlan) {
  const [{ maskAt } = { maskAt: 0 }, ...others] = members;
  const length = window.width * window.height;
  const mask = Buffer.from(kernels.buffer(), maskAt, length);
  const isSame = (other: SourceInput): boolean =>
    maskAt === 0 || other.maskAt === 0
      ? other.maskAt === maskAt
      : mask.equals(Buffer.from(kernels.buffer(), other.maskAt, length));
  return others.every(isSame) ? [members] : members.map((member) => [member]);
}

/** Moves the quality bits of a plane into the layout of the interface, in place. */
function moveBits(plane: Float32Array, moves: QualityBits['moves']): void {
  let stored = Number.NaN;
  let moved = 0;
  for (let i = 0; i < plane.length; i += 1) {
    const value = plane[i] as number;
    // Neighbours are mostly alike, so that few are worked out: no table of 65,536 entries pays for one tile.
    if (value !== stored) {
      stored = value;
      moved = toInterfaceQuality({ moves }, stored);
    }
    plane[i] = moved;
  }
}

/** Reads the inputs of a plan, warps them onto its grid and computes its expressions. */
export async function readChannels(plan: PixelPlan, work: PixelWork): Promise<readonly ResultPlane[] | null> {
  const warped = await readInputs(plan, work);
  return warped === null ? null : computeChannels(plan, warped, work);
}

/**
 * The same strip by strip, from the first pixel to the last. Bands of 16-bit words without an empty pixel stay words until
 * then. One strip where the grid is not that of the inputs. Null if one of them has no pixel there.
 */
export async function readChannelStrips(plan: PixelPlan, work: PixelWork) {
  const { tree, inputs, grid } = plan;
  const count = grid.width * grid.height;
  if (tree.needsWindow || !inputs.every(isCopied)) {
    const channels = await readChannels(plan, work);
    return channels === null ? null : [{ first: 0, count, channels }];
  }
  const groups = await readSources(plan, { ...work, keptWords: 'copied' });
  if (groups === null) return null;
  const members = new Map(groups.flatMap((group) => group.members.map((member) => [member.input, member])));
  const stored = inputs.map((input) => ({ ...input, ...(members.get(input) as SourceInput) }));
  return computeStrips(work, { tree, inputs: stored, count });
}

/** Whether the numbers of an input are the pixels of a file, one by one. */
const isCopied = (input: InputPlan): boolean => input.warp?.isCopy === true && isPlainInput(input);

/**
 * The same for scenes that are put together: bands that are shown as they are read are not copied, and lie where
 * `allocateTarget` says. Then they may share a mask, and what is not a number is not masked.
 */
export async function readPlanes(
  plan: PixelPlan,
  { allocateTarget, ...work }: PixelWork,
): Promise<readonly ResultPlane[] | null> {
  return isAsRead(plan) ? readInputs(plan, { ...work, allocateTarget }) : readChannels(plan, work);
}

/** Whether the channels of a plan are its inputs in their order, warped and not computed. */
const isAsRead = ({ tree, inputs }: PixelPlan): boolean =>
  inputs.length === tree.outputs.length &&
  inputs.every(({ rule, table, warp }) => rule === 'plain' && table === null && warp?.isCopy !== true) &&
  tree.outputs.every((_, output) => shownInput(tree, output) === output);

/** Computes the expressions of a plan from its inputs on one grid, each with a mask of its own. */
export function computeChannels(
  { tree, inputs, grid }: PixelPlan,
  warped: readonly WarpedInput[],
  { kernels, compute, allocate }: Pick<PixelWork, 'kernels' | 'compute' | 'allocate'>,
): readonly ResultPlane[] {
  const planes = inputs.map(
    ({ rule, parameters }, i): BandPlane => ({ ...(warped[i] as WarpedInput), rule, parameters }),
  );
  const count = grid.width * grid.height;
  if (!tree.needsWindow) return compute(allocate, { tree, inputs: planes, count });
  // The rules of the inputs are compiled in any case: they are written in one place only.
  const values = compute(allocate, { tree: toInputTree(tree.inputs), inputs: planes, count });
  return interpretBands(kernels, allocate, { tree, grid, values });
}

/** The tree whose expressions are the inputs themselves: applies the rules of inputs and nothing else. */
export const toInputTree = (inputs: TypedTree['inputs']): TypedTree => ({
  nodes: inputs.map((_, input) => ({ op: 'input', type: 'float', input })),
  inputs,
  outputs: inputs.map((_, input) => ({ value: input, absent: null, uses: [input], type: 'band' })),
  key: `inputs ${inputs.length}`,
  costPerPixel: inputs.length,
  needsWindow: false,
});
