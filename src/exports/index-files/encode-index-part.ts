import { rasterizeArea } from '../../areas/index.ts';
import type { CogPart, EncodedBlocks, PartedCog } from '../../formats/cog/index.ts';
import { encodeCogPart, transferOf } from '../../formats/cog/index.ts';
import type { AreaOutline } from '../../geo/index.ts';
import type { JobHandlers, JobType } from '../../pool/index.ts';
import { withTransfer } from '../../pool/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import { fillEmpty, keepCommon } from '../../raster/index.ts';
import type { NativeBand, NativeGrid, PixelPlan, PixelTools } from '../../render/native/index.ts';
import { beginWork, cropGrid, planWindows, readChannels } from '../../render/native/index.ts';
import type { TopPixels } from '../write-cog.ts';
import { makeCheckWanted } from '../write-cog.ts';

/** What the pixels of a file of indices are computed of; plain JSON. */
export interface IndexPlan extends NativeGrid {
  readonly bands: readonly NativeBand[];
}

/** The value of pixels without data. */
export const INDEX_NODATA = -9999;

/** A part of a file of indices. */
interface IndexPartJob {
  readonly plan: IndexPlan;
  readonly cog: Pick<PartedCog, 'plan'>;
  readonly part: CogPart;
  /** In shared memory. */
  readonly top: TopPixels;
  /** For the encoded blocks. */
  readonly room: SharedArrayBuffer;
  /** Pixels outside hold no data; null for none. In shared memory. */
  readonly outline: AreaOutline | null;
}

/** The job that computes and encodes a part of a file of indices. */
export type IndexPartJobs = { 'export-index-part': JobType<IndexPartJob, EncodedBlocks> };

/** Builds the handler of that job, for one thread. */
export function makeIndexPartJobs(tools: PixelTools): JobHandlers<IndexPartJobs> {
  const readWindow: PixelTools['readWindow'] = (request, sink, signal) =>
    tools.readWindow({ ...request, isOnce: true }, sink, signal);
  const onceTools = { ...tools, readWindow };
  return {
    async 'export-index-part'({ plan, cog, part, top, room, outline }, context) {
      const band = plan.bands[part.firstBand] as NativeBand;
      const source = {
        readWindow: async (window: PixelWindow) => [
          await computeWindow({ plan, band, outline, window }, onceTools, context.signal),
        ],
        checkWanted: makeCheckWanted(context),
      };
      const blocks = await encodeCogPart(cog, part, source, top, room);
      return withTransfer(blocks, transferOf(blocks));
    },
  };
}

interface WindowJob {
  readonly plan: IndexPlan;
  readonly band: NativeBand;
  readonly outline: AreaOutline | null;
  readonly window: PixelWindow;
}

/** The values of a window; those of one piece stay in the kernels' memory, valid until the next window. */
async function computeWindow(job: WindowJob, tools: PixelTools, signal: AbortSignal): Promise<Float32Array> {
  const { plan, band, outline, window } = job;
  const count = window.width * window.height;
  const inside = outline === null ? null : rasterizeArea(outline, cropGrid(plan.grid, window));
  if (inside?.includes(1) === false) return new Float32Array(count).fill(INDEX_NODATA);
  const pieces = [...planWindows(plan, band, window)];
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined) {
    return computePiece(first.pixels, inside, tools, signal);
  }
  const values = new Float32Array(count);
  for (const piece of pieces) {
    const left = piece.window.x - window.x;
    const top = piece.window.y - window.y;
    const { width, height } = piece.window;
    const own = inside === null ? null : rasterizeArea(outline as AreaOutline, piece.pixels.grid);
    const part = await computePiece(piece.pixels, own, tools, signal);
    for (let row = 0; row < height; row++) {
      values.set(part.subarray(row * width, (row + 1) * width), (top + row) * window.width + left);
    }
  }
  return values;
}

/** The one expression of a plan, with the value of no data where its mask, the area or the number itself says so. */
async function computePiece(
  pixels: PixelPlan,
  inside: Uint8Array | null,
  tools: PixelTools,
  signal: AbortSignal,
): Promise<Float32Array> {
  const count = pixels.grid.width * pixels.grid.height;
  const work = beginWork(tools, signal);
  const [channel] = (await readChannels(pixels, work)) ?? [];
  if (channel === undefined) return new Float32Array(count).fill(INDEX_NODATA);
  const { kernels } = tools;
  if (inside !== null) {
    const alsoAt = work.allocate(count);
    new Uint8Array(kernels.buffer(), alsoAt, count).set(inside);
    keepCommon(kernels, { maskAt: channel.maskAt, alsoAt, count });
  }
  fillEmpty(kernels, channel, { count, value: INDEX_NODATA });
  return new Float32Array(kernels.buffer(), channel.valuesAt, count);
}
