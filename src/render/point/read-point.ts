import type { ReadWindow } from '../../blocks/index.ts';
import type { JobContext, JobType } from '../../pool/index.ts';
import type { Allocate, BandPlane, ComputeBands, Kernels } from '../../raster/index.ts';
import { makeStaging, makeWindowPlane } from '../../raster/index.ts';
import { moveBits } from '../calibration/index.ts';
import { toRecord } from '../plan.ts';
import type { PointInput, PointPlan } from './plan-point.ts';

interface ReadPointDeps {
  readonly readWindow: ReadWindow;
  readonly kernels: Kernels;
  readonly compute: ComputeBands;
}

/** Compiled code takes sixteen pixels at once, so a plane of one has room for as many. */
const PLANE_PX = 16;

/** The job of reading values at a point; null for one without a value there. */
export type PointJobs = { point: JobType<PointPlan, readonly (number | null)[]> };

/**
 * Builds the reading of a point: one pixel of each band, then the code that pictures are computed by, so that a point
 * says what a picture of nearest neighbours shows. Null for an expression without a value there.
 */
export function makeReadPoint({ readWindow, kernels, compute }: ReadPointDeps) {
  return async (plan: PointPlan, { signal }: JobContext): Promise<readonly (number | null)[]> => {
    const allocate = kernels.begin();
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
      const { rule, parameters, nodata } = input;
      const [valuesAt, secondAt] = [putPlane(0), second === null ? 0 : putPlane(second)];
      const maskAt = allocate(PLANE_PX);
      new Uint8Array(kernels.buffer(), maskAt, PLANE_PX).fill(0);
      const plane = { valuesAt, secondAt, rule, parameters };
      if (pixel === null) return { ...plane, maskAt };
      const window = { ...pixel, width: 1, height: 1 };
      const sink = makeWindowPlane({ kernels, staging, window, valuesAt, maskAt, nodata });
      const { viewId, sceneVersion } = plan;
      const read = { level: 0, window };
      await readWindow(
        { ...input, read, record: toRecord(input.of ?? { viewId, sceneVersion }) },
        sink,
        signal,
      );
      if (input.bits !== undefined) moveBits(new Float32Array(kernels.buffer(), valuesAt, 1), input.bits);
      return { ...plane, maskAt: sink.hasEmpty ? maskAt : 0 };
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
