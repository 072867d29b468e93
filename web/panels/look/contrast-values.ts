/** What the contrast control knows of the values of a picture: automatic ranges, the span of most values, histograms. */
import type { Api } from '../../api/api.ts';
import type { Ground } from '../../scenes/ground.ts';
import type { Histogram } from '../../scenes/histogram.ts';
import { countLevels } from '../../scenes/histogram.ts';
import type { Contrast, Picture } from '../../scenes/picture.ts';
import { bandsOfPicture } from '../../scenes/picture.ts';
import type { Scene } from '../../scenes/scene.ts';
import { toLevelsPath } from '../../scenes/scene-template.ts';

/** Whose values they are. */
export interface ValuesRequest {
  readonly scene: Scene;
  readonly picture: Picture;
  readonly ground: Ground;
}

/** Ranges by channel. */
export interface ContrastValues {
  /** What the server stretches between by itself. */
  readonly automatic: readonly Contrast[];
  /** All values but the rarest, on the ground that is seen. */
  readonly span: readonly Contrast[];
}

/** One value in a thousand at either end is a glint or a defect; the histogram of all others would be a spike. */
const SPAN = 'method=cc&min=0.1&max=99.9&cloud=0';

const toRangeRequest = ({ scene, picture, ground }: ValuesRequest, query: string) => ({
  viewId: scene.viewId,
  bands: bandsOfPicture(scene.sensor, picture),
  query,
  ground: ground.isPart ? ground.box : null,
  isCalibrated: picture.isCalibrated,
});

/** All values of the whole scene. */
export const readWholeRange = (
  api: Api,
  request: ValuesRequest,
  signal: AbortSignal,
): Promise<readonly Contrast[]> =>
  api.readRanges({ ...toRangeRequest(request, 'method=minmax'), ground: null }, signal);

/** What the automatic contrast would be if the ground that is seen were all. */
export const readGroundRange = (
  api: Api,
  request: ValuesRequest,
  signal: AbortSignal,
): Promise<readonly Contrast[]> => api.readRanges(toRangeRequest(request, ''), signal);

/** Both ranges at once. */
export const readContrastValues = async (
  api: Api,
  request: ValuesRequest,
  signal: AbortSignal,
): Promise<ContrastValues> => {
  const [automatic, span] = await Promise.all([
    api.readRanges({ ...toRangeRequest(request, ''), ground: null }, signal),
    api.readRanges(toRangeRequest(request, SPAN), signal),
  ]);
  return { automatic, span };
};

const readPixels = async (picture: Blob): Promise<Uint8ClampedArray> => {
  const bitmap = await createImageBitmap(picture);
  const { width, height } = bitmap;
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('This browser cannot read pictures.');
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return context.getImageData(0, 0, width, height).data;
};

/** Counts the values of each channel between its axis, on the ground that is seen. */
export const readHistograms = async (
  api: Api,
  { scene, picture, ground }: ValuesRequest,
  { axes, signal }: { readonly axes: readonly Contrast[]; readonly signal: AbortSignal },
): Promise<readonly Histogram[]> => {
  const blob = await api.readPicture(toLevelsPath(scene, picture, { box: ground.box, axes }), signal);
  return countLevels(await readPixels(blob), axes);
};
