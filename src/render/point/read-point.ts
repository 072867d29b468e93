import type { JobContext, JobType } from '../../pool/index.ts';
import type { Allocate, BandPlane, Kernels } from '../../raster/index.ts';
import { makeStaging } from '../../raster/index.ts';
import type { PixelTools } from '../pixels/pixel-work.ts';
import { beginWork } from '../pixels/pixel-work.ts';
import { readPlane } from '../pixels/read-inputs.ts';
import type { PointInput, PointPlan } from './plan-point.ts';

/** Compiled code takes sixteen pixels at once, so a plane of one has room for as many. */
const PLANE_PX = 16;

/** The job of reading values at a point; null for one without a value there. */
export type PointJobs = { point: JobType<PointPlan, readonly (number | null)[]> };

/**
 * Builds the reading of a point: one pixel of each band, then the code that pictures are computed by, so that a point
 * says what a picture of nearest neighbours shows. Null for an expression without a value there.
 */
export function makeReadPoint(tools: PixelTools) {
  return async (plan: PointPlan, { signal }: JobContext): Promise<readonly (number | null)[]> => {
    const work = beginWork(tools, signal);
    const { kernels, compute, allocate } = work;
    const staging = makeStaging(allocate);
    const planes: BandPlane[] = [];
    for (const input of plan.inputs) planes.push(await readInput(input));
    const results = compute(allocate, { tree: plan.tree, inputs: planes, count: 1 });
    const buffer = kernels.buffer();
    return results.map(({ valuesAt, maskAt }) => {
      const [value] = new Float32Array(buffer, valuesAt, 1);
      const [isThere] = new Uint8Array(buffer, maskAt, 1);
      return isThere === 1 && Number.isFinite(value) ? (value as number) : null;
    });

    async function readInput({ pixel, second, ...input }: PointInput): Promise<BandPlane> {
      const { rule, parameters } = input;
      const [valuesAt, secondAt] = [putPlane(0), second === null ? 0 : putPlane(second)];
      const maskAt = allocate(PLANE_PX);
      new Uint8Array(kernels.buffer(), maskAt, PLANE_PX).fill(0);
      const plane = { valuesAt, secondAt, rule, parameters };
      if (pixel === null) return { ...plane, maskAt };
      const read = { level: 0, window: { ...pixel, width: 1, height: 1 } };
      const hasEmpty = await readPlane(input, { read, scene: plan, valuesAt, maskAt, staging }, work);
      return { ...plane, maskAt: hasEmpty ? maskAt : 0 };
    }

    function putPlane(value: number): number {
      return fill(kernels, allocate, value);
    }
  };
}

function fill(kernels: Kernels, allocate: Allocate, value: number): number {
  const at = allocate(4 * PLANE_PX);
  new Float32Array(kernels.buffer(), at, PLANE_PX).fill(value);
  return at;
}
