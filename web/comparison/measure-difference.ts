/** Where the colours of a difference end: measured on a small picture of the ground that both scenes show. */
import type { Api } from '../api/api.ts';
import { toBox } from '../scenes/footprint.ts';
import type { Contrast } from '../scenes/picture.ts';
import { fillRectangle, planSize } from '../scenes/rectangle.ts';
import { toOwnAddress } from '../scenes/tile-template.ts';
import type { Side } from '../state/comparison.ts';
import { limitOfDifferences, toCodeTemplate } from './difference.ts';
import { readPixels } from './read-pixels.ts';

/** Some ten thousand pixels tell how far values spread. */
const SAMPLE_PX = 256;

/** The limit; `null` where the scenes share no ground. */
export const measureDifference = async (
  api: Pick<Api, 'readPicture'>,
  {
    left,
    right,
    measure,
    range,
  }: {
    readonly left: Side;
    readonly right: Side;
    readonly measure: string;
    readonly range: Contrast;
  },
  signal: AbortSignal,
): Promise<number | null> => {
  const [a, b] = [toBox(left.scene.outline), toBox(right.scene.outline)];
  const [west, south] = [Math.max(a[0], b[0]), Math.max(a[1], b[1])];
  const [east, north] = [Math.min(a[2], b[2]), Math.min(a[3], b[3])];
  if (west >= east || south >= north) return null;
  const size = planSize([west, south, east, north], SAMPLE_PX);
  const read = async ({ scene, picture }: Side): Promise<ImageData> => {
    const template = toOwnAddress(toCodeTemplate(scene, measure, { picture, range }), '').slice(1);
    return readPixels(
      await api.readPicture(fillRectangle(template, [west, south, east, north], size), signal),
    );
  };
  const [before, after] = await Promise.all([read(left), read(right)]);
  return limitOfDifferences(before.data, after.data, range);
};
