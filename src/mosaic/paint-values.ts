import type { JobContext } from '../pool/index.ts';
import { withTransfer } from '../pool/index.ts';
import type { Picture } from '../render/index.ts';
import type { PixelTools } from '../render/native/index.ts';
import { beginWork, drawShown } from '../render/native/index.ts';
import type { PaintValuesJob } from './compose-job.ts';

/** Builds the painting of values that were put together before, for one thread. */
export const makePaintValues =
  (tools: PixelTools) =>
  async ({ channels, mask, look, contrast, outline }: PaintValuesJob, { signal }: JobContext) => {
    const startedAt = performance.now();
    const work = beginWork(tools, signal);
    const { kernels, allocate } = work;
    const bandsAt = channels.map(({ byteLength }) => allocate(byteLength));
    const maskAt = allocate(mask.length);
    for (const [i, values] of channels.entries())
      new Float32Array(kernels.buffer(), bandsAt[i]!, values.length).set(values);
    new Uint8Array(kernels.buffer(), maskAt, mask.length).set(mask);
    const { width, height } = look.grid;
    const shown = { planes: { width, height, bandsAt, maskAt }, stretches: contrast };
    const encoded = await drawShown({ plan: look, outline }, shown, work);
    const picture: Picture = { ...encoded, stagesMs: { draw: performance.now() - startedAt } };
    return withTransfer(picture, [picture.bytes.buffer]);
  };
