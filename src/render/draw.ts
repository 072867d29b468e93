import { paintPlanes } from '../color/index.ts';
import type { RgbaPicture } from '../formats/index.ts';
import { encodeJpeg, encodePng, encodeWebp } from '../formats/index.ts';
import type { Grid } from '../geo/index.ts';
import type { Allocate, KernelPlanes, Kernels, WarpPlan } from '../raster/index.ts';
import { warpPlanes } from '../raster/index.ts';
import type { BandWindow, ReadWindow } from './band-reader.ts';
import type { ChannelPlan, PictureFormat, RenderPlan } from './plan.ts';
import type { JobContext } from './pool/index.ts';
import { withTransfer } from './pool/index.ts';
import type { DrawJob, Picture } from './renderer.ts';

interface DrawDeps {
  readonly readWindow: ReadWindow;
  readonly kernels: Kernels;
}

/** Builds the drawing of a plan: read, warp, stretch, encode. */
export function makeDraw({ readWindow, kernels }: DrawDeps) {
  return async ({ plan, contrast }: DrawJob, { signal }: JobContext) => {
    const watch = makeStopwatch();
    const windows = new Map<ChannelPlan, BandWindow>();
    for (const channel of plan.channels) {
      if (channel.warp === null) continue;
      const { viewId, sceneVersion } = plan;
      windows.set(
        channel,
        await readWindow({ ...channel, read: channel.warp, viewId, sceneVersion }, signal),
      );
    }
    watch.lap('read');
    const allocate = kernels.begin();
    const planes = warpChannels({ kernels, allocate, plan, windows });
    watch.lap('warp');
    const stretches = toStoredRanges(plan, contrast);
    const { rgba, isOpaque } =
      planes === null ? toNothing(plan.grid) : paintPlanes(kernels, allocate, { planes, stretches });
    watch.lap('colour');
    const format = plan.format === 'auto' ? (isOpaque ? 'jpeg' : 'png') : plan.format;
    const bytes = await encoders[format]({ width: plan.grid.width, height: plan.grid.height, rgba });
    watch.lap('encode');
    const picture: Picture = { bytes, format, stagesMs: watch.lapsMs };
    return withTransfer(picture, [bytes.buffer]);
  };
}

/** Shifted pixels warp to shifted pixels with every method, so the range is shifted instead: one subtraction, not millions. */
const toStoredRanges = ({ channels }: RenderPlan, ranges: DrawJob['contrast']): DrawJob['contrast'] =>
  ranges.map(({ min, max }, i) => {
    const shift = channels[i]?.shift ?? 0;
    return { min: min - shift, max: max - shift };
  });

const areEqual = (a: Uint8Array | null, b: Uint8Array | null): boolean =>
  a === null || b === null ? a === b : Buffer.compare(a, b) === 0;

type Encode = (picture: RgbaPicture) => Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>;

const encoders: Readonly<Record<PictureFormat, Encode>> = {
  png: encodePng,
  jpeg: encodeJpeg,
  webp: encodeWebp,
};

interface WarpJob {
  readonly kernels: Kernels;
  readonly allocate: Allocate;
  readonly plan: RenderPlan;
  readonly windows: ReadonlyMap<ChannelPlan, BandWindow>;
}

/**
 * Brings all channels to the picture's grid, in the kernels' memory; a pixel has data where every channel has. Null when
 * a channel does not reach the picture at all: then nothing of it is seen.
 */
function warpChannels({ kernels, allocate, plan, windows }: WarpJob): KernelPlanes | null {
  if (windows.size < plan.channels.length) return null;
  const { width, height } = plan.grid;
  const bandsAt = new Map<ChannelPlan, number>();
  const masksAt: number[] = [];
  for (const group of groupByPlace(windows)) {
    const planes = warpGroup(group, { kernels, allocate, target: plan.grid });
    for (const [i, { channel }] of group.entries()) bandsAt.set(channel, planes.bandsAt[i] as number);
    masksAt.push(planes.maskAt);
  }
  const [maskAt = 0, ...others] = masksAt;
  const mask = new Uint8Array(kernels.buffer(), maskAt, width * height);
  for (const other of others) {
    const also = new Uint8Array(kernels.buffer(), other, width * height);
    for (let i = 0; i < mask.length; i += 1) mask[i] = (mask[i] as number) & (also[i] as number);
  }
  return { width, height, bandsAt: plan.channels.map((channel) => bandsAt.get(channel) as number), maskAt };
}

const toNothing = ({ width, height }: Grid) => ({
  rgba: new Uint8Array(width * height * 4),
  isOpaque: false,
});

interface Member {
  readonly channel: ChannelPlan;
  readonly window: BandWindow;
}

interface GroupTarget {
  readonly kernels: Kernels;
  readonly allocate: Allocate;
  readonly target: Grid;
}

function warpGroup(group: readonly Member[], { kernels, allocate, target }: GroupTarget): KernelPlanes {
  const [first] = group as readonly [Member];
  return warpPlanes(kernels, allocate, {
    target,
    plan: first.channel.warp as WarpPlan,
    bands: group.map(({ window }) => window.pixels),
    mask: first.window.mask,
  });
}

/** Channels of one place and one mask are warped together, because finding the positions costs more than sampling. */
function groupByPlace(windows: ReadonlyMap<ChannelPlan, BandWindow>): readonly (readonly Member[])[] {
  const groups = new Map<string, Member[]>();
  for (const [channel, window] of windows) {
    const place = JSON.stringify(channel.warp);
    const group = groups.get(place);
    const hasSameMask = group?.[0] !== undefined && areEqual(group[0].window.mask, window.mask);
    if (group !== undefined && hasSameMask) group.push({ channel, window });
    else groups.set(group === undefined ? place : `${place} ${channel.band}`, [{ channel, window }]);
  }
  return [...groups.values()];
}

function makeStopwatch() {
  const lapsMs: Record<string, number> = {};
  let since = performance.now();
  return {
    lapsMs,
    lap(stage: string): void {
      const now = performance.now();
      lapsMs[stage] = now - since;
      since = now;
    },
  };
}
