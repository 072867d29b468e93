/** One picture for all frames: colours that mean the same on every date. */

import type { Api } from '../api/api.ts';
import { readJointRange } from '../api/joint-range.ts';
import type { Picture } from '../scenes/picture.ts';
import { bandsOfPicture, isColorable, isNaturalPicture } from '../scenes/picture.ts';
import type { Scene } from '../scenes/scene.ts';
import { toTemplate } from '../scenes/scene-template.ts';

/**
 * The picture with a contrast for all dates. By default every scene is stretched between its own values, so that a colour
 * would mean another number in each frame; the ranges of the first and the last one are joined instead. Colours that are
 * fixed by themselves, as those of NDVI, stay; so do three channels, whose colours mean nothing by themselves.
 */
export const planFilmPicture = async (
  api: Pick<Api, 'readLegend' | 'readRanges'>,
  frames: readonly Scene[],
  { picture, signal }: { readonly picture: Picture; readonly signal: AbortSignal },
): Promise<Picture> => {
  const [first, last] = [frames[0], frames.at(-1)];
  if (first === undefined || last === undefined || first === last || picture.contrast !== null)
    return picture;
  const bands = bandsOfPicture(first.sensor, picture);
  // Natural colour is the same on every date.
  if (isNaturalPicture(first.sensor, picture)) return picture;
  if (!isColorable(first.sensor, bands)) return picture;
  const ends = [first, last];
  const legends = await Promise.all(ends.map((scene) => api.readLegend(toTemplate(scene, picture), signal)));
  if (JSON.stringify(legends[0]) === JSON.stringify(legends[1])) return picture;
  const { isCalibrated } = picture;
  const ranges = await Promise.all(
    ends.map(({ viewId }) => readJointRange(api, { viewId, bands, of: 'picture', isCalibrated }, signal)),
  );
  const [min, max] = [
    Math.min(...ranges.map((range) => range.min)),
    Math.max(...ranges.map((range) => range.max)),
  ];
  // As precise as an address holds; equal ends would be refused.
  const [from, to] = [Number(min.toPrecision(6)), Number(max.toPrecision(6))];
  return from < to ? { ...picture, contrast: { min: from, max: to } } : picture;
};
