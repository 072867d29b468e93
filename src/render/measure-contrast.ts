import { unsupported } from '../errors.ts';
import type { ComputeBands, Kernels } from '../raster/index.ts';
import type { ContrastRange } from '../stats/index.ts';
import { cumulativeCut } from '../stats/index.ts';
import type { ReadWindow } from './band-reader.ts';
import { computeChannels } from './compute-channels.ts';
import type { BandContrastJob, ComputedContrastJob } from './contrast.ts';
import { readGroups, warpGroups } from './input-groups.ts';
import { sharpenChannels } from './pansharpening/index.ts';
import type { JobContext } from './pool/index.ts';
import { readBandWindow } from './window-assembly.ts';

/** Builds the measuring of a band's contrast on a reduced copy of the whole scene. */
export function makeMeasureBand({ readWindow }: { readonly readWindow: ReadWindow }) {
  return async (
    { viewId, sceneVersion, sample, cut }: BandContrastJob,
    { signal }: JobContext,
  ): Promise<ContrastRange> => {
    const request = { ...sample, viewId, sceneVersion };
    const { pixels, mask } = await readBandWindow(readWindow, request, signal);
    const range = cumulativeCut({ values: new Float32Array(pixels), mask, ...cut });
    if (range === null)
      throw unsupported(
        'no-data',
        `The band ${sample.band} of this scene holds no data to find a contrast in.`,
      );
    const { shift } = sample;
    if (shift === 0) return range;
    // As the rule of such bands has it: what has lost its offset is still at least 1.
    const min = Math.max(1, range.min + shift);
    return { min, max: Math.max(min + 1, range.max + shift) };
  };
}

interface MeasureDeps {
  readonly readWindow: ReadWindow;
  readonly kernels: Kernels;
  readonly compute: ComputeBands;
}

/** Any range will do where there is nothing to show. */
const NOTHING: ContrastRange = { min: 0, max: 1 };

/** Builds the measuring of what expressions compute over the whole scene; infinities do not count. Null without any input. */
export function makeMeasureComputed({ readWindow, kernels, compute }: MeasureDeps) {
  return async (
    { sample, cut }: ComputedContrastJob,
    { signal }: JobContext,
  ): Promise<readonly ContrastRange[] | null> => {
    const allocate = kernels.begin();
    const groups = await readGroups(sample, { readWindow, kernels, allocate, signal });
    if (groups === null) return null;
    const warped = warpGroups(groups, { kernels, allocate, plan: sample });
    const channels = computeChannels(sample, warped, { kernels, compute, allocate });
    await sharpenChannels(
      sample,
      { channels, details: [] },
      { readWindow, kernels, compute, allocate, signal },
    );
    const count = sample.grid.width * sample.grid.height;
    return channels.map(({ valuesAt, maskAt }) => {
      const values = new Float32Array(kernels.buffer(), valuesAt, count);
      const mask = new Uint8Array(kernels.buffer(), maskAt, count);
      return cumulativeCut({ values, mask, ...cut }) ?? NOTHING;
    });
  };
}
