import type { Allocate, KernelPlanes, Kernels, SourcePlanes, WarpPlan } from '../raster/index.ts';
import { allocateSource, makeStaging, makeWindowPlane, warpPlanes } from '../raster/index.ts';
import type { ReadWindow } from './band-reader.ts';
import type { ChannelPlan, RenderPlan } from './plan.ts';

/** Channels whose windows lie at the same place of equal grids, read into the kernels' memory. */
interface ChannelGroup {
  readonly channels: readonly ChannelPlan[];
  readonly warp: WarpPlan;
  readonly source: Omit<SourcePlanes, 'bandCount' | 'maskAt'>;
  /** Of each channel; 0 where it has data everywhere. */
  readonly masksAt: readonly number[];
}

interface ReadDeps {
  readonly readWindow: ReadWindow;
  readonly kernels: Kernels;
  readonly allocate: Allocate;
  readonly signal: AbortSignal;
}

/**
 * Reads the windows of all channels; null when one of them does not reach the picture at all, because then nothing is
 * seen. Channels of one place are laid out together, because finding the positions costs more than sampling.
 */
export async function readGroups(
  plan: RenderPlan,
  { readWindow, kernels, allocate, signal }: ReadDeps,
): Promise<readonly ChannelGroup[] | null> {
  const { viewId, sceneVersion } = plan;
  const staging = makeStaging(allocate);
  const groups: ChannelGroup[] = [];
  for (const channels of groupByPlace(plan.channels)) {
    const { warp } = channels[0] as ChannelPlan;
    if (warp === null) return null;
    const { window } = warp;
    const source = allocateSource(allocate, window, channels.length);
    const masksAt: number[] = [];
    for (const [i, channel] of channels.entries()) {
      const maskAt = allocate(window.width * window.height);
      const valuesAt = source.valuesAt + i * source.planeBytes;
      const plane = makeWindowPlane({ kernels, staging, window, valuesAt, maskAt, nodata: channel.nodata });
      await readWindow({ ...channel, read: warp, viewId, sceneVersion }, plane, signal);
      masksAt.push(plane.hasEmpty ? maskAt : 0);
    }
    groups.push({ channels, warp, source, masksAt });
  }
  return groups;
}

interface WarpDeps {
  readonly kernels: Kernels;
  readonly allocate: Allocate;
  readonly plan: RenderPlan;
}

/** Brings all channels to the picture's grid; a pixel has data where every channel has. */
export function warpGroups(
  groups: readonly ChannelGroup[],
  { kernels, allocate, plan }: WarpDeps,
): KernelPlanes {
  const { width, height } = plan.grid;
  const bandsAt = new Map<ChannelPlan, number>();
  const masksAt: number[] = [];
  for (const group of groups) {
    for (const { channels, source } of toWarps(kernels, group)) {
      const planes = warpPlanes(kernels, allocate, { target: plan.grid, plan: group.warp, source });
      for (const [i, channel] of channels.entries()) bandsAt.set(channel, planes.bandsAt[i] as number);
      masksAt.push(planes.maskAt);
    }
  }
  const [maskAt = 0, ...others] = masksAt;
  const mask = new Uint8Array(kernels.buffer(), maskAt, width * height);
  for (const other of others) {
    const also = new Uint8Array(kernels.buffer(), other, width * height);
    for (let i = 0; i < mask.length; i += 1) mask[i] = (mask[i] as number) & (also[i] as number);
  }
  return { width, height, bandsAt: plan.channels.map((channel) => bandsAt.get(channel) as number), maskAt };
}

/** One warp for the group when all masks are equal, as they are but at the edge of a scene; else one a channel. */
function toWarps(kernels: Kernels, { channels, warp, source, masksAt }: ChannelGroup) {
  const [maskAt = 0, ...others] = masksAt;
  const length = warp.window.width * warp.window.height;
  const mask = Buffer.from(kernels.buffer(), maskAt, length);
  const isSame = (other: number): boolean =>
    maskAt === 0 || other === 0
      ? other === maskAt
      : mask.equals(Buffer.from(kernels.buffer(), other, length));
  if (others.every(isSame)) return [{ channels, source: { ...source, bandCount: channels.length, maskAt } }];
  return channels.map((channel, i) => ({
    channels: [channel],
    source: {
      valuesAt: source.valuesAt + i * source.planeBytes,
      planeBytes: source.planeBytes,
      bandCount: 1,
      maskAt: masksAt[i] as number,
    },
  }));
}

/** Two channels of one band are two members: their stretches may differ. */
function groupByPlace(channels: readonly ChannelPlan[]): readonly (readonly ChannelPlan[])[] {
  const groups = new Map<string, ChannelPlan[]>();
  for (const channel of channels) {
    const place = JSON.stringify(channel.warp);
    const group = groups.get(place);
    if (group === undefined) groups.set(place, [channel]);
    else group.push(channel);
  }
  return [...groups.values()];
}
