/** How a scene is drawn: everything that the tile interface lets a user choose. */
import { isComposite } from './bands.ts';
import type { ViewerSensor } from './sensor.ts';

/** Interpolations that differ visibly; the server knows more. */
export const RESAMPLINGS = ['near', 'bilinear', 'cubic', 'lanczos'] as const;

/** One of them. */
export type Resampling = (typeof RESAMPLINGS)[number];

/** Values between which the brightness or the colours run. */
export interface Contrast {
  readonly min: number;
  readonly max: number;
}

/** The choices; `null` stands for the server's default. */
export interface Picture {
  /** A composition, an index, one band or band math; `null` for the sensor's first composition. */
  readonly bands: string | null;
  readonly colormap: string | null;
  readonly contrast: Contrast | null;
  readonly resampling: Resampling | null;
  readonly isCalibrated: boolean;
  readonly isPansharpened: boolean;
  readonly isCloudMasked: boolean;
  /** The reference of a stored area, outside of which nothing is drawn. */
  readonly clip: string | null;
}

/** A picture with nothing chosen. */
export const PLAIN_PICTURE: Picture = {
  bands: null,
  colormap: null,
  contrast: null,
  resampling: null,
  isCalibrated: false,
  isPansharpened: false,
  isCloudMasked: false,
  clip: null,
};

/** What is drawn of a scene when nothing was chosen. */
export const bandsOfPicture = (sensor: ViewerSensor, { bands }: Picture): string =>
  bands ?? sensor.compositions[0].bands;

/** True where a colormap can be chosen: for one channel that measures something. Classes and bits have their own. */
export const isColorable = (sensor: ViewerSensor, shown: string): boolean =>
  !isComposite(sensor, shown) && sensor.bands.find(({ name }) => name === shown)?.kind !== 'quality';

/** The query of its tiles, `''` or beginning with `?`; what the sensor does not have is left out. */
export const toPictureQuery = (sensor: ViewerSensor, picture: Picture): string => {
  const shown = bandsOfPicture(sensor, picture);
  const parts: string[] = [];
  if (picture.colormap !== null && isColorable(sensor, shown)) parts.push(`COLORMAP=${picture.colormap}`);
  if (picture.contrast !== null) parts.push(`MIN_MAX=${picture.contrast.min},${picture.contrast.max}`);
  if (picture.isCalibrated) parts.push('CALIBRATE=1');
  if (picture.isPansharpened && sensor.hasPansharpening) parts.push('PANSHARPENING=1');
  if (picture.isCloudMasked && sensor.hasCloudMask) parts.push('MASKING=CLOUD');
  if (picture.resampling !== null) parts.push(`RESAMPLE=${picture.resampling}`);
  if (picture.clip !== null) parts.push(`cropper_ref=${picture.clip}`);
  // Three names are a composite by themselves; three expressions only if they are called one.
  if (isComposite(sensor, shown) && !/^[\w,]+$/.test(shown)) parts.push('COMPOSITE=1');
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
};
