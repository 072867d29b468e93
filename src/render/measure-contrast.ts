import { unsupported } from '../errors.ts';
import type { ContrastRange } from '../stats/index.ts';
import { cumulativeCut } from '../stats/index.ts';
import type { ReadWindow } from './band-reader.ts';
import type { ContrastJob } from './contrast.ts';
import type { JobContext } from './pool/index.ts';
import { readBandWindow } from './window-assembly.ts';

/** Builds the measuring of a band's contrast on a reduced copy of the whole scene. */
export function makeMeasureContrast({ readWindow }: { readonly readWindow: ReadWindow }) {
  return async (
    { viewId, sceneVersion, channel, cut }: ContrastJob,
    { signal }: JobContext,
  ): Promise<ContrastRange> => {
    const request = { ...channel, viewId, sceneVersion };
    const { pixels, mask } = await readBandWindow(readWindow, request, signal);
    const range = cumulativeCut({ values: new Float32Array(pixels), mask, ...cut });
    if (range === null)
      throw unsupported(
        'no-data',
        `The band ${channel.band} of this scene holds no data to find a contrast in.`,
      );
    return { min: range.min + channel.shift, max: range.max + channel.shift };
  };
}
