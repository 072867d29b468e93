import { rasterizeArea } from '../areas/index.ts';
import type { ReadWindow } from '../blocks/index.ts';
import type { PaintedIndexes, PaintedPlanes } from '../color/index.ts';
import { paintIndexed, paintPlanes, paintWatermark, toRgbaPlanes } from '../color/index.ts';
import { encodeIndexedPng, encodeJpeg, encodePng, encodeWebp } from '../formats/index.ts';
import type { Grid } from '../geo/index.ts';
import type { JobContext } from '../pool/index.ts';
import { withTransfer } from '../pool/index.ts';
import type { Allocate, ComputeBands, KernelPlanes, Kernels } from '../raster/index.ts';
import type { ReadClouds } from './clouds/index.ts';
import { drawClouds, toGround } from './clouds/index.ts';
import { showClusters, showZones } from './clusters/index.ts';
import type { DrawJob, Picture } from './draw-job.ts';
import { readGroups, warpGroups } from './input-groups.ts';
import { makeStopwatch } from './make-stopwatch.ts';
import { sharpenChannels } from './pansharpening/index.ts';
import type { PictureFormat, RenderPlan } from './plan.ts';
import type { ShownPlanes } from './shown-planes.ts';
import { toShownPlanes } from './shown-planes.ts';

interface DrawDeps {
  readonly readWindow: ReadWindow;
  readonly kernels: Kernels;
  readonly compute: ComputeBands;
  /** May be left out where no plan has clouds. */
  readonly readClouds?: ReadClouds;
}

/** Builds the drawing of a plan: read, warp, compute, stretch, encode. Pixels stay in the kernels' memory until they are a file. */
export function makeDraw({ readWindow, kernels, compute, readClouds }: DrawDeps) {
  return async ({ plan, contrast, outline, clusters }: DrawJob, { signal }: JobContext) => {
    const watch = makeStopwatch();
    const allocate = kernels.begin();
    const inside = outline === null ? null : rasterizeArea(outline, plan.grid);
    const isOutside = inside !== null && !inside.includes(1);
    // A map of classes says all there is to see, and where none was found there is nothing; only clouds lie on data.
    const zones = clusters?.zones ?? null;
    const isComputed = plan.clusters === undefined || (clusters !== undefined && zones === null);
    const needsBands = !isOutside && (isComputed || plan.clouds !== undefined);
    const groups = needsBands ? await readGroups(plan, { readWindow, kernels, allocate, signal }) : null;
    watch.lap('read');
    const warped = groups === null ? null : warpGroups(groups, { kernels, allocate, plan });
    watch.lap('warp');
    const count = plan.grid.width * plan.grid.height;
    const ground = plan.clouds === undefined || warped === null ? null : toGround(warped, kernels, count);
    const computed =
      warped === null || !isComputed
        ? null
        : toShownPlanes(plan, { warped, contrast }, { kernels, compute, allocate });
    const mapped = zones === null || isOutside ? null : showZones(zones, plan.grid, { kernels, allocate });
    const shown = mapped === null ? computed : { planes: mapped, stretches: contrast };
    if (shown !== null) {
      const { bandsAt, maskAt } = shown.planes;
      const channels = bandsAt.map((valuesAt) => ({ valuesAt, maskAt }));
      const details = contrast.map(({ detail }) => detail);
      await sharpenChannels(plan, { channels, details }, { readWindow, kernels, compute, allocate, signal });
    }
    if (shown !== null && clusters !== undefined && zones === null)
      showClusters(shown.planes, clusters.model, kernels);
    if (shown !== null && inside !== null) crop(shown.planes, inside, kernels);
    watch.lap('math');
    const unmarked =
      shown === null ? paintNothing(kernels, allocate, plan.grid) : paint(plan, shown, { kernels, allocate });
    const covered =
      ground === null
        ? unmarked
        : await drawClouds(unmarked, { plan, ground, inside }, { kernels, allocate, readClouds, signal });
    const painted = plan.watermark === null ? covered : mark(covered, plan, { kernels, allocate });
    watch.lap('colour');
    const format = plan.format === 'auto' ? (painted.isOpaque ? 'jpeg' : 'png') : plan.format;
    const { width, height } = plan.grid;
    const bytes =
      'palette' in painted && format === 'png'
        ? encodeIndexedPng(kernels, allocate, { ...painted, width, height })
        : await encoders[format](kernels, allocate, {
            ...toRgba(painted, width * height, { kernels, allocate }),
            width,
            height,
          });
    watch.lap('encode');
    const picture: Picture = { bytes, format, stagesMs: watch.lapsMs };
    return withTransfer(picture, [bytes.buffer]);
  };
}

/** Takes what lies outside of an area off the mask. */
function crop({ maskAt }: KernelPlanes, inside: Uint8Array, kernels: Kernels): void {
  const mask = new Uint8Array(kernels.buffer(), maskAt, inside.length);
  for (let i = 0; i < inside.length; i++) mask[i] = (mask[i] as number) & (inside[i] as number);
}

interface PaintDeps {
  readonly kernels: Kernels;
  readonly allocate: Allocate;
}

/** One channel in the plan's colours, or one or three by their contrast. */
function paint(
  { color }: RenderPlan,
  { planes, stretches }: ShownPlanes,
  { kernels, allocate }: PaintDeps,
): PaintedIndexes | PaintedPlanes {
  const [valuesAt] = planes.bandsAt;
  const [contrast] = stretches;
  if (color === null || valuesAt === undefined || contrast === undefined)
    return paintPlanes(kernels, allocate, { planes, stretches });
  const { maskAt, width, height } = planes;
  return paintIndexed(kernels, allocate, { valuesAt, maskAt, count: width * height, plan: color, contrast });
}

const toRgba = (
  painted: PaintedIndexes | PaintedPlanes,
  count: number,
  { kernels, allocate }: PaintDeps,
): PaintedPlanes => ('palette' in painted ? toRgbaPlanes(kernels, allocate, { painted, count }) : painted);

/** Writes the plan's watermark over a picture. */
function mark(
  painted: PaintedIndexes | PaintedPlanes,
  { grid: { width, height }, watermark }: RenderPlan,
  deps: PaintDeps,
): PaintedPlanes {
  const { rgbaAt, isOpaque } = toRgba(painted, width * height, deps);
  const rgba = new Uint8Array(deps.kernels.buffer(), rgbaAt, width * height * 4);
  paintWatermark({ rgba, width, height }, watermark ?? '');
  return { rgbaAt, isOpaque };
}

type Encode = (
  kernels: Kernels,
  allocate: Allocate,
  picture: PaintedPlanes & { readonly width: number; readonly height: number },
) => Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>;

const encoders: Readonly<Record<PictureFormat, Encode>> = {
  png: encodePng,
  jpeg: encodeJpeg,
  webp: encodeWebp,
};

function paintNothing(kernels: Kernels, allocate: Allocate, { width, height }: Grid): PaintedPlanes {
  const rgbaAt = allocate(width * height * 4);
  new Uint8Array(kernels.buffer(), rgbaAt, width * height * 4).fill(0);
  return { rgbaAt, isOpaque: false };
}
