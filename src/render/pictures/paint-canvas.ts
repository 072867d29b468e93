import type { Canvas, DrawStep, DrawWork } from './canvas.ts';
import { toCanvas } from './canvas.ts';
import {
  classifyShown,
  computeShown,
  cropShown,
  markGround,
  maskArea,
  readBands,
  sharpenShown,
  warpBands,
} from './channel-steps.ts';
import type { DrawJob } from './draw-job.ts';
import { coverWithClouds, paintShown, writeWatermark } from './paint-steps.ts';

/** The steps of drawing, by the stage under which `Server-Timing` reports their time. */
const STAGES: Readonly<Record<string, readonly DrawStep[]>> = {
  read: [maskArea, readBands],
  warp: [warpBands],
  math: [markGround, computeShown, sharpenShown, classifyShown, cropShown],
  colour: [paintShown, coverWithClouds, writeWatermark],
};

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
