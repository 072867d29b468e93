/** What the contrast control knows of the values of a picture: the ranges drawn, the span of most values, histograms. */
import type { Api } from '../../api/api.ts';
import { Failure } from '../../api/failure.ts';
import type { Ground } from '../../scenes/ground.ts';
import type { Histogram } from '../../scenes/histogram.ts';
import { countLevels } from '../../scenes/histogram.ts';
import type { Contrast, Picture } from '../../scenes/picture.ts';
import { bandsOfPicture, isNaturalPicture } from '../../scenes/picture.ts';
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
  /** What the server draws between as long as none is chosen by hand: natural colour, or automatic contrast. */
  readonly own: readonly Contrast[];
  /** The exponent of the curve between them. */
  readonly gamma: number;
  /** Natural colour was wanted, but the scene has no fixed range for these bands. */
  readonly isFallback: boolean;
  /** Whether all ranges are of calibrated values. */
  readonly isCalibrated: boolean;
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

/** True where natural colour is drawn with numbers of its own: an unknown sun, radar without its table. */
const isUncalibrated = (error: unknown): boolean => error instanceof Failure && error.status === 422;

/** Both ranges, of the same kind of values. */
export const readContrastValues = async (
  api: Api,
  request: ValuesRequest,
  signal: AbortSignal,
): Promise<ContrastValues> => {
  const { scene, picture } = request;
  const isWanted = isNaturalPicture(scene.sensor, picture);
  const bands = bandsOfPicture(scene.sensor, picture);
  const wanted = {
    viewId: scene.viewId,
    bands,
    isCalibrated: picture.isCalibrated,
    isNatural: isWanted,
  };
  const { ranges: own, gamma, isNatural } = await api.readDrawnRanges(wanted, signal);
  const isCalibrated = picture.isCalibrated || isNatural;
  const span = await api
    .readRanges({ ...toRangeRequest(request, SPAN), isCalibrated }, signal)
    .catch((error: unknown) => {
      if (isNatural && isUncalibrated(error)) return own;
      throw error;
    });
  return { own, gamma, span, isCalibrated, isFallback: isWanted && !isNatural };
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

interface CountRequest extends Pick<ContrastValues, 'isCalibrated'> {
  readonly axes: readonly Contrast[];
  readonly signal: AbortSignal;
}

/** Counts the values of each channel between its axis, on the ground that is seen. */
export const readHistograms = async (
  api: Api,
  { scene, picture, ground }: ValuesRequest,
  { axes, isCalibrated, signal }: CountRequest,
): Promise<readonly Histogram[]> => {
  const counted = { ...picture, isCalibrated };
  const blob = await api.readPicture(toLevelsPath(scene, counted, { box: ground.box, axes }), signal);
  return countLevels(await readPixels(blob), axes);
};
