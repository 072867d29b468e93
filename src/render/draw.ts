import { toRgba } from '../color/index.ts';
import type { RgbaPicture } from '../formats/index.ts';
import { encodeJpeg, encodePng, encodeWebp } from '../formats/index.ts';
import type { Grid } from '../geo/index.ts';
import type { Kernels, Raster, WarpPlan } from '../raster/index.ts';
import { warp } from '../raster/index.ts';
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
    const raster = warpChannels(plan, windows, kernels);
    watch.lap('warp');
    const { rgba, isOpaque } = toRgba(kernels, raster, toStoredRanges(plan, contrast));
    watch.lap('colour');
    const format = plan.format === 'auto' ? (isOpaque ? 'jpeg' : 'png') : plan.format;
    const bytes = await encoders[format]({ width: raster.width, height: raster.height, rgba });
    watch.lap('encode');
    const picture: Picture = { bytes, format, stagesMs: watch.lapsMs };
    return withTransfer(picture, [bytes.buffer]);
  };
}

/** Warping and stretching are linear, so a shift of all values is a shift of the range: one subtraction, not millions. */
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

/** Brings all channels to the picture's grid; a pixel has data where every channel has. */
function warpChannels(
  plan: RenderPlan,
  windows: ReadonlyMap<ChannelPlan, BandWindow>,
  kernels: Kernels,
): Raster {
  const length = plan.grid.width * plan.grid.height;
  const mask = new Uint8Array(length).fill(1);
  const bands = new Map<ChannelPlan, Float32Array>();
  for (const group of groupByPlace(windows)) {
    const warped = warpGroup(group, plan.grid, kernels);
    for (const [i, { channel }] of group.entries()) bands.set(channel, warped.bands[i] as Float32Array);
    for (let i = 0; i < length; i += 1) mask[i] = (mask[i] as number) & (warped.mask[i] as number);
  }
  // A channel that does not reach the picture leaves nothing of it to see.
  if (bands.size < plan.channels.length) mask.fill(0);
  const empty = new Float32Array(length);
  return { ...plan.grid, bands: plan.channels.map((channel) => bands.get(channel) ?? empty), mask };
}

interface Member {
  readonly channel: ChannelPlan;
  readonly window: BandWindow;
}

function warpGroup(group: readonly Member[], target: Grid, kernels: Kernels): Raster {
  const [first] = group as readonly [Member];
  return warp(kernels, {
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
