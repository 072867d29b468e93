import type { Grid } from '../../geo/index.ts';
import type { CloudSource, SourcePlanes } from '../../raster/index.ts';
import { allocateSource, makeQualityMeaning, markClouds, warpPlanes } from '../../raster/index.ts';
import type { OpenSource } from '../../sources/index.ts';
import type { PixelWork } from '../pixels/pixel-work.ts';
import { readInputs } from '../pixels/read-inputs.ts';
import type { CloudOutlines, CloudPixels, CloudPlan } from '../plan/cloud-plan.ts';
import { fillPolygons } from './fill-polygons.ts';
import { makeReadOutlines } from './read-outlines.ts';

/** A grid, the clouds planned for it, and the scene they are of. */
export interface CloudJob {
  readonly plan: CloudPlan;
  readonly grid: Grid;
  readonly viewId: string;
  readonly sceneVersion: string;
}

/** Reads clouds on a pixel thread: 1 where there is one, also beyond the scene's data if its mask says so. */
export type ReadClouds = (job: CloudJob, work: PixelWork) => Promise<Uint8Array>;

/** Builds the reading of clouds for one thread. */
export function makeReadClouds({ open }: { readonly open: OpenSource }): ReadClouds {
  const readOutlines = makeReadOutlines(open);

  return async (job, work) => {
    const { source, onlyOpaque } = job.plan;
    return source.kind === 'polygons'
      ? fillClouds(source, job, work)
      : markClouds(await readMask(source, job, work), { onlyOpaque });
  };

  async function readMask(
    { inputs, meaning }: CloudPixels,
    job: CloudJob,
    work: PixelWork,
  ): Promise<CloudSource> {
    const { kernels } = work;
    const { grid } = job;
    const count = grid.width * grid.height;
    const warped = (await readInputs({ ...job, inputs }, work)) ?? [];
    const planes = warped.map(({ valuesAt, maskAt }, input) => {
      const values = new Float32Array(kernels.buffer(), valuesAt, count);
      const mask = new Uint8Array(kernels.buffer(), maskAt, count);
      const isInverse = meaning.kind === 'flags' && meaning.marks[input] === 'zero';
      if (isInverse) for (let i = 0; i < count; i += 1) values[i] = values[i] === 0 ? 1 : 0;
      // 0 is no cloud to any of the meanings.
      for (let i = 0; i < count; i += 1) if (mask[i] === 0) values[i] = 0;
      return values;
    });
    const [first = new Float32Array(count)] = planes;
    switch (meaning.kind) {
      case 'flags':
        return { kind: 'flags', planes: planes.length === 0 ? [first] : planes };
      case 'classes':
        return { ...meaning, values: first };
      case 'bits':
        return {
          kind: 'bits',
          values: first,
          meaning: makeQualityMeaning({ ...meaning, toInterface: same }),
        };
    }
  }

  async function fillClouds(
    source: CloudOutlines,
    { plan, grid, sceneVersion }: CloudJob,
    { kernels, allocate, signal }: PixelWork,
  ): Promise<Uint8Array> {
    const count = grid.width * grid.height;
    const { warp } = source;
    if (warp === null) return new Uint8Array(count);
    const { opaque, cirrus } = await readOutlines({ ...source, sceneVersion }, signal);
    const { window } = warp;
    const room = allocateSource(allocate, window, 1);
    const plane = new Float32Array(kernels.buffer(), room.valuesAt, window.width * window.height).fill(0);
    fillPolygons(plane, opaque, warp);
    if (!plan.onlyOpaque) fillPolygons(plane, cirrus, warp);
    const planes: SourcePlanes = { ...room, bandCount: 1, maskAt: 0 };
    const { bandsAt, maskAt } = warpPlanes(kernels, allocate, { target: grid, plan: warp, source: planes });
    const values = new Float32Array(kernels.buffer(), bandsAt[0] as number, count);
    const mask = new Uint8Array(kernels.buffer(), maskAt, count);
    return Uint8Array.from(values, (value, i) => (value !== 0 && mask[i] !== 0 ? 1 : 0));
  }
}

/** The bits were brought to the layout of the interface when they were read. */
const same = (quality: number): number => quality;
