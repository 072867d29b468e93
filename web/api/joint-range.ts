/** The range of values of a picture as a whole. */
import type { Contrast } from '../scenes/picture.ts';
import type { Api } from './api.ts';

interface JointRangeRequest {
  readonly viewId: string;
  readonly bands: string;
  readonly isCalibrated: boolean;
  /** All values there are, or those that the server stretches a picture between by itself. */
  readonly of: 'all' | 'picture';
}

/** The smallest range that holds those of all channels. */
export const readJointRange = async (
  api: Pick<Api, 'readRanges'>,
  { viewId, bands, isCalibrated, of }: JointRangeRequest,
  signal?: AbortSignal,
): Promise<Contrast> => {
  const query = of === 'all' ? 'method=minmax' : 'method=cc';
  const ranges = await api.readRanges({ viewId, bands, query, ground: null, isCalibrated }, signal);
  return {
    min: Math.min(...ranges.map(({ min }) => min)),
    max: Math.max(...ranges.map(({ max }) => max)),
  };
};
