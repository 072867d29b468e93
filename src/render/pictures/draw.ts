import type { PaintedIndexes, PaintedPlanes } from '../../color/index.ts';
import { paintIndexed, paintPlanes, paintWatermark, toRgbaPlanes } from '../../color/index.ts';
import { encodeJpeg } from '../../formats/jpeg.ts';
import { encodeIndexedPng, encodePng } from '../../formats/png.ts';
import { encodeWebp } from '../../formats/sharp.ts';
import type { AreaOutline } from '../../geo/index.ts';
import type { JobContext, JobType } from '../../pool/index.ts';
import { withTransfer } from '../../pool/index.ts';
import type { PlannedGrids } from '../../proj/index.ts';
import { unpackGrids } from '../../proj/index.ts';
import { drawClouds, toGround } from '../clouds/draw-clouds.ts';
import type { ReadClouds } from '../clouds/read-clouds.ts';
import type { FittedClusters } from '../clusters/fit-clusters.ts';
import { showClusters, showZones } from '../clusters/fit-clusters.ts';
import { internal } from '../errors.ts';
import type { ChannelContrast } from '../intensity/find-contrast.ts';
import { sharpenChannels } from '../pansharpening/sharpen-channels.ts';
import { paintWords } from '../pixels/paint-words.ts';
import type { PixelTools, PixelWork, SourceGroup, WarpedInput } from '../pixels/read-channels.ts';
import { beginWork, readSources, warpSources } from '../pixels/read-channels.ts';
import type { ShownPlanes } from '../pixels/shown-planes.ts';
import { intersectMask, maskAreas, toShownPlanes } from '../pixels/shown-planes.ts';
import type { LookPlan, PictureFormat, RenderPlan } from '../plan/render-plan.ts';

/** A finished picture; complete by definition, a render that misses a block is an error. */
export interface Picture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly format: PictureFormat;
  /** Where the time went, stage by stage. */
  readonly stagesMs: Readonly<Record<string, number>>;
  /** Set if no one else holds the bytes: the sender may free their memory afterwards. */
  readonly isSole?: boolean;
}

/** The input of the job that draws a picture. */
export interface DrawJob {
  readonly plan: RenderPlan;
  /** The approximating grids of the plan's inputs, so that they are computed once a picture. */
  readonly grids?: PlannedGrids;
  /** One for each channel. */
  readonly contrast: readonly ChannelContrast[];
  /** What lies outside is transparent; null without an area. */
  readonly outline: AreaOutline | null;
  /** The classes that the plan shows; absent without classes. */
  readonly clusters?: FittedClusters | undefined;
}

/** The job of drawing. */
export type DrawJobs = { draw: JobType<DrawJob, Picture> };

interface DrawDeps extends PixelTools {
  /** May be left out where no plan has clouds. */
  readonly readClouds?: ReadClouds;
}

/** Builds the drawing of pictures, for one thread. Pixels stay in the kernels' memory until they are a file. */
export const makeDraw =
  ({ readClouds = refuseClouds, ...tools }: DrawDeps) =>
  async (job: DrawJob, { signal }: JobContext) => {
    if (job.grids !== undefined) unpackGrids(job.grids);
    const work = { ...beginWork(tools, signal), readClouds };
    const stagesMs: Record<string, number> = {};
    let startedAt = performance.now();
    const endStage = (stage: string): void => {
      const endedAt = performance.now();
      stagesMs[stage] = endedAt - startedAt;
      startedAt = endedAt;
    };
    const canvas = await paintCanvas(job, work, endStage);
    const encoded = await encodeCanvas(canvas, work);
    endStage('encode');
    const picture: Picture = { ...encoded, stagesMs };
    return withTransfer(picture, [picture.bytes.buffer]);
  };

const refuseClouds: ReadClouds = () => {
  throw internal('no-cloud-reader', 'Clouds are planned, but there is no reader for them.');
};

/** The steps of drawing, by the stage under which `Server-Timing` reports their time. */
const STAGES: Readonly<Record<string, readonly DrawStep[]>> = {
  read: [maskArea, readBands],
  warp: [paintNearestWords, warpBands],
  math: [markGround, computeShown, sharpenShown, classifyShown, cropShown],
  colour: [paintShown, coverWithClouds, writeWatermark],
};

/** One step of drawing. */
type DrawStep = (canvas: Canvas, work: DrawWork) => Canvas | Promise<Canvas>;

/** What the steps of drawing work with. */
interface DrawWork extends PixelWork {
  readonly readClouds: ReadClouds;
}

/** Paints a picture in the kernels' memory: every step of drawing except the encoding. */
export async function paintCanvas(
  job: DrawJob,
  work: DrawWork,
  onStage: (stage: string) => void = () => {},
): Promise<Canvas> {
  let canvas = toCanvas(job);
  for (const [stage, steps] of Object.entries(STAGES)) {
    for (const step of steps) canvas = await step(canvas, work);
    onStage(stage);
  }
  return canvas;
}

interface ShownLook {
  readonly plan: LookPlan;
  readonly outline: AreaOutline | null;
}

/** Paints and encodes channels that were made elsewhere. */
export const drawShown = (
  look: ShownLook,
  shown: ShownPlanes | null,
  work: PixelWork,
): Promise<EncodedPicture> => encodeCanvas(toPainted(look, shown, work), work);

/** Paints channels that were made elsewhere: red, green, blue and opacity of each pixel. */
export function paintShownRgba(
  look: ShownLook,
  shown: ShownPlanes | null,
  work: PixelWork,
): Uint8Array<ArrayBuffer> {
  const canvas = toPainted(look, shown, work);
  const { rgbaAt } = toRgba(canvas, work);
  return new Uint8Array(work.kernels.buffer(), rgbaAt, 4 * canvas.count).slice();
}

function toPainted({ plan, outline }: ShownLook, shown: ShownPlanes | null, work: PixelWork): ShownCanvas {
  const { grid } = plan;
  const inside = maskAreas(outline === null ? [] : [outline], grid);
  const count = grid.width * grid.height;
  let canvas: ShownCanvas = { job: { plan }, count, inside, shown, painted: null };
  for (const step of [cropShown, paintShown, writeWatermark]) canvas = step(canvas, work);
  return canvas;
}

/** What is known of a picture once its channels are made. */
interface ShownCanvas extends Pick<Canvas, 'count' | 'inside' | 'shown' | 'painted'> {
  readonly job: { readonly plan: LookPlan };
}

/** A picture in the making, in the kernels' memory: each step of drawing takes one and gives the next. */
interface Canvas {
  readonly job: DrawJob;
  /** Pixels of the picture. */
  readonly count: number;
  /** 1 inside the picture's area; null without an area. */
  readonly inside: Uint8Array | null;
  /** The bands as read; null if nothing is shown of them. */
  readonly sources: readonly SourceGroup[] | null;
  /** The bands on the picture's grid; null if nothing is shown of them. */
  readonly inputs: readonly WarpedInput[] | null;
  /** 1 where all bands have data; null if no clouds are painted. */
  readonly ground: Uint8Array | null;
  /** What is painted; null where there is nothing to show. */
  readonly shown: ShownPlanes | null;
  /** The pixels in colour, once they are painted. */
  readonly painted: PaintedIndexes | PaintedPlanes | null;
}

/** The canvas of a job before the first step. */
const toCanvas = (job: DrawJob): Canvas => ({
  job,
  count: job.plan.grid.width * job.plan.grid.height,
  inside: null,
  sources: null,
  inputs: null,
  ground: null,
  shown: null,
  painted: null,
});

/** Rasterises the area that the picture is cropped to. */
function maskArea(canvas: Canvas): Canvas {
  const { outline, plan } = canvas.job;
  return { ...canvas, inside: maskAreas(outline === null ? [] : [outline], plan.grid) };
}

/** Reads the bands that the picture shows, or that clouds are painted on. */
async function readBands(canvas: Canvas, work: DrawWork): Promise<Canvas> {
  const { plan } = canvas.job;
  const isNeeded = !isOutside(canvas) && (isComputed(canvas) || plan.clouds !== undefined);
  return { ...canvas, sources: isNeeded ? await readSources(plan, { ...work, keptWords: 'nearest' }) : null };
}

/** Paints bands that were read as words. */
function paintNearestWords(canvas: Canvas, work: DrawWork): Canvas {
  const { sources, job, inside } = canvas;
  const painted = sources === null || inside !== null ? null : paintWords(job, sources, work);
  return painted === null ? canvas : { ...canvas, sources: null, painted };
}

/** Warps the bands onto the picture's grid. */
function warpBands(canvas: Canvas, work: DrawWork): Canvas {
  const { sources, job } = canvas;
  return { ...canvas, inputs: sources && warpSources(sources, job.plan, work) };
}

/** Marks where the bands have data, for the clouds: later steps change the masks. */
function markGround(canvas: Canvas, { kernels }: DrawWork): Canvas {
  const { inputs, job, count } = canvas;
  if (inputs === null || job.plan.clouds === undefined) return canvas;
  return { ...canvas, ground: toGround(inputs, kernels, count) };
}

/** Computes the channels of the picture, or takes them from a map of zones. */
function computeShown(canvas: Canvas, work: DrawWork): Canvas {
  const { inputs, job } = canvas;
  const { plan, contrast, clusters } = job;
  if (isComputed(canvas))
    return { ...canvas, shown: inputs && toShownPlanes(plan, { warped: inputs, contrast }, work) };
  const zones = clusters?.zones ?? null;
  const planes = zones === null || isOutside(canvas) ? null : showZones(zones, plan.grid, work);
  return { ...canvas, shown: planes && { planes, stretches: contrast } };
}

/** Sharpens the channels in place with the panchromatic band, if the plan says so. */
async function sharpenShown(canvas: Canvas, work: DrawWork): Promise<Canvas> {
  const { shown, job } = canvas;
  if (shown === null || job.plan.sharpen === undefined) return canvas;
  const { bandsAt, maskAt } = shown.planes;
  const channels = bandsAt.map((valuesAt) => ({ valuesAt, maskAt }));
  const details = job.contrast.map(({ detail }) => detail);
  await sharpenChannels(job.plan, { channels, details }, work);
  return canvas;
}

/** Replaces values by their classes, in place, if the picture shows classes without zones. */
function classifyShown(canvas: Canvas, { kernels }: DrawWork): Canvas {
  const { shown, job } = canvas;
  const { clusters } = job;
  if (shown !== null && clusters !== undefined && clusters.zones === null)
    showClusters(shown.planes, clusters.model, kernels);
  return canvas;
}

/** Clears the mask outside the area, in place. */
function cropShown<Stage extends ShownCanvas>(canvas: Stage, { kernels }: PixelWork): Stage {
  const { shown, inside } = canvas;
  if (shown !== null && inside !== null)
    intersectMask(new Uint8Array(kernels.buffer(), shown.planes.maskAt, inside.length), inside);
  return canvas;
}

const isOutside = ({ inside }: Canvas): boolean => inside !== null && !inside.includes(1);

/** False for a map of zones, which is complete, and where no classes were found, so that there is nothing to show. */
const isComputed = ({ job: { plan, clusters } }: Canvas): boolean =>
  plan.clusters === undefined || (clusters !== undefined && clusters.zones === null);

/** Paints one channel in the plan's colours, or one or three by their contrast; transparent where nothing is shown. */
function paintShown<Stage extends ShownCanvas>(canvas: Stage, { kernels, allocate }: PixelWork): Stage {
  const { shown, job, count, painted } = canvas;
  if (painted !== null) return canvas;
  if (shown === null) {
    const rgbaAt = allocate(count * 4);
    new Uint8Array(kernels.buffer(), rgbaAt, count * 4).fill(0);
    return { ...canvas, painted: { rgbaAt, isOpaque: false } };
  }
  const { planes, stretches } = shown;
  const [valuesAt] = planes.bandsAt;
  const [contrast] = stretches;
  const { color } = job.plan;
  if (color === null || valuesAt === undefined || contrast === undefined)
    return { ...canvas, painted: paintPlanes(kernels, allocate, { planes, stretches }) };
  const { maskAt } = planes;
  const channel = { valuesAt, maskAt, count, plan: color, contrast };
  return { ...canvas, painted: paintIndexed(kernels, allocate, channel) };
}

/** Paints the plan's clouds over the picture. */
async function coverWithClouds(canvas: Canvas, work: DrawWork): Promise<Canvas> {
  const { ground, inside, job } = canvas;
  if (ground === null) return canvas;
  return { ...canvas, painted: await drawClouds(paintedOf(canvas), { ...job, ground, inside }, work) };
}

/** Writes the plan's watermark over the picture. */
function writeWatermark<Stage extends ShownCanvas>(canvas: Stage, work: PixelWork): Stage {
  const { watermark, grid } = canvas.job.plan;
  if (watermark === null) return canvas;
  const painted = toRgba(canvas, work);
  const rgba = new Uint8Array(work.kernels.buffer(), painted.rgbaAt, canvas.count * 4);
  paintWatermark({ rgba, width: grid.width, height: grid.height }, watermark);
  return { ...canvas, painted };
}

/** A picture as a file. */
export interface EncodedPicture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly format: PictureFormat;
}

/** Encodes the finished picture in the plan's format; `auto` is JPEG for an opaque picture and PNG otherwise. */
async function encodeCanvas(canvas: ShownCanvas, work: PixelWork): Promise<EncodedPicture> {
  const { kernels, allocate } = work;
  const { format: asked, grid, background } = canvas.job.plan;
  const painted = background === undefined ? paintedOf(canvas) : fillBehind(canvas, background, work);
  const format = asked === 'auto' ? (painted.isOpaque ? 'jpeg' : 'png') : asked;
  const size = { width: grid.width, height: grid.height };
  if ('palette' in painted && format === 'png')
    return { format, bytes: encodeIndexedPng(kernels, allocate, { ...painted, ...size }) };
  return {
    format,
    bytes: await encoders[format](kernels, allocate, { ...toRgba({ ...canvas, painted }, work), ...size }),
  };
}

/** Puts a colour behind the pixels that are transparent, in place. */
function fillBehind(canvas: ShownCanvas, color: number, work: PixelWork): PaintedIndexes | PaintedPlanes {
  const painted = paintedOf(canvas);
  if (painted.isOpaque) return painted;
  const planes = toRgba(canvas, work);
  const rgba = new Uint8Array(work.kernels.buffer(), planes.rgbaAt, canvas.count * 4);
  const behind = [color >> 16, (color >> 8) & 255, color & 255] as const;
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3] as number;
    if (alpha === 255) continue;
    for (const [channel, back] of behind.entries())
      rgba[at + channel] = Math.round(((rgba[at + channel] as number) * alpha + back * (255 - alpha)) / 255);
    rgba[at + 3] = 255;
  }
  return { ...planes, isOpaque: true };
}

const encoders = { png: encodePng, jpeg: encodeJpeg, webp: encodeWebp } as const;

function paintedOf({ painted }: Pick<Canvas, 'painted'>): PaintedIndexes | PaintedPlanes {
  if (painted === null) throw internal('not-painted', 'A picture was not painted.');
  return painted;
}

/** A painted canvas in red, green, blue and alpha. */
export function toRgba(
  canvas: Pick<Canvas, 'painted' | 'count'>,
  { kernels, allocate }: PixelWork,
): PaintedPlanes {
  const painted = paintedOf(canvas);
  return 'palette' in painted ? toRgbaPlanes(kernels, allocate, { painted, count: canvas.count }) : painted;
}
