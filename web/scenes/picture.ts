/** How a scene is drawn: everything that the tile interface lets a user choose. */
import { isComposite } from './bands.ts';
import type { ViewerSensor } from './sensor.ts';

/** Interpolations that differ visibly; the server knows more. */
export const RESAMPLINGS = ['near', 'bilinear', 'cubic', 'lanczos'] as const;

/** One of them. */
export type Resampling = (typeof RESAMPLINGS)[number];

/** Contrasts that the server knows: natural colour, which is the same on every date, and one fitted to each scene. */
export const STRETCHES = ['natural', 'auto'] as const;

/** One of them. */
export type Stretch = (typeof STRETCHES)[number];

/** Values between which the brightness or the colours run. */
export interface Contrast {
  readonly min: number;
  readonly max: number;
}

/** The contrast of all channels; or of red, with those of the other two. */
export interface PictureContrast extends Contrast {
  /** Green and blue, where they have a contrast of their own. */
  readonly others?: readonly [green: Contrast, blue: Contrast];
  /** The exponent of the curve between the values, as natural colour has one; a straight line without. */
  readonly gamma?: number;
}

/** One contrast for all channels, or one for each of three. */
export const contrastsOf = ({ min, max, others }: PictureContrast): readonly Contrast[] => [
  { min, max },
  ...(others ?? []),
];

/** The contrast of a picture from those of its channels; a gamma of 1 is a straight line. */
export const toPictureContrast = (
  [first, green, blue]: readonly Contrast[],
  gamma = 1,
): PictureContrast | null => {
  if (first === undefined) return null;
  const { min, max } = first;
  const straight: PictureContrast =
    green === undefined || blue === undefined ? { min, max } : { min, max, others: [green, blue] };
  return gamma === 1 ? straight : { ...straight, gamma };
};

/** `0,3000`, or three such pairs. */
const toContrastText = (contrasts: readonly Contrast[]): string =>
  contrasts.map(({ min, max }) => `${min},${max}`).join();

/** The choices; `null` stands for the server's default. */
export interface Picture {
  /** A composition, an index, one band or band math; `null` for the sensor's first composition. */
  readonly bands: string | null;
  readonly colormap: string | null;
  /** By hand; `null` for that of `stretch`. */
  readonly contrast: PictureContrast | null;
  readonly stretch: Stretch;
  readonly resampling: Resampling | null;
  readonly isCalibrated: boolean;
  readonly isPansharpened: boolean;
  /** Whether the grain of radar is filtered. */
  readonly isSpeckleFiltered: boolean;
  /** Whether clouds and shadows are painted over; `null` for the default: in indices, whose values they falsify. */
  readonly isCloudMasked: boolean | null;
  /** The reference of a stored area, outside of which nothing is drawn. */
  readonly clip: string | null;
}

/** A picture with nothing chosen. */
export const PLAIN_PICTURE: Picture = {
  bands: null,
  colormap: null,
  contrast: null,
  stretch: 'natural',
  resampling: null,
  isCalibrated: false,
  isPansharpened: false,
  isSpeckleFiltered: false,
  isCloudMasked: null,
  clip: null,
};

/** What is drawn of a scene when nothing was chosen. */
export const bandsOfPicture = (sensor: ViewerSensor, { bands }: Picture): string =>
  bands ?? sensor.compositions[0].bands;

/** True where a colormap can be chosen: for one channel that measures something. Classes and bits have their own. */
export const isColorable = (sensor: ViewerSensor, shown: string): boolean =>
  !isComposite(sensor, shown) && sensor.bands.find(({ name }) => name === shown)?.kind !== 'quality';

/** Three names are a composite by themselves; three expressions only if they are called one. */
const toCompositeParts = (sensor: ViewerSensor, shown: string): readonly string[] =>
  isComposite(sensor, shown) && !/^[\w,]+$/.test(shown) ? ['COMPOSITE=1'] : [];

/** True for what has natural colour: measured bands and indices. Values of band math can lie anywhere, classes have none. */
export const hasNaturalColor = (sensor: ViewerSensor, shown: string): boolean => {
  if (sensor.indices.some(({ name }) => name === shown)) return true;
  return shown.split(',').every((name) => {
    const band = sensor.bands.find((one) => one.name === name || one.role === name);
    return band !== undefined && band.kind !== 'quality';
  });
};

/** True when a picture is drawn in natural colour. Indices without a chosen colormap have fixed colours of their own. */
export const isNaturalPicture = (sensor: ViewerSensor, picture: Picture): boolean => {
  const shown = bandsOfPicture(sensor, picture);
  if (picture.stretch !== 'natural' || picture.contrast !== null || !hasNaturalColor(sensor, shown))
    return false;
  // Decibels have a natural range and no colours of their own.
  return !isIndex(sensor, shown) || picture.colormap !== null || isRadar(sensor);
};

/** True for a sensor of radar. */
export const isRadar = ({ bands }: ViewerSensor): boolean => bands.some(({ kind }) => kind === 'radar');

/** True for an index, alone or with a colormap: its values mean something, and under clouds they are wrong. */
const isIndex = (sensor: ViewerSensor, shown: string): boolean =>
  sensor.indices.some(({ name, kind }) => name === shown && kind !== 'composite');

/** Whether clouds and shadows of a picture are painted over. */
export const isMaskedPicture = (sensor: ViewerSensor, picture: Picture): boolean =>
  sensor.hasCloudMask && (picture.isCloudMasked ?? isIndex(sensor, bandsOfPicture(sensor, picture)));

/** Clouds and shadows in the colour of what has no value: a grey that no colormap of an index has. */
const MASKING = 'MASKING=CLOUD_SHADOW&MASK_COLOR=b4b4b4';

/** The side of the picture in which values are counted: 65,536 of them are enough for a curve of 64 bins. */
const COUNTED_PX = 256;

/** The query of a picture without colours, whose levels run between `axes`: to count values in. */
export const toLevelsQuery = (sensor: ViewerSensor, picture: Picture, axes: readonly Contrast[]): string => {
  const parts = [
    `MIN_MAX=${toContrastText(axes)}`,
    `TILE_SIZE=${COUNTED_PX},${COUNTED_PX}`,
    'mimetype=image/png',
    // Values between those of neighbours are not of the scene.
    'RESAMPLE=near',
    ...(picture.isCalibrated ? ['CALIBRATE=1'] : []),
    ...toCompositeParts(sensor, bandsOfPicture(sensor, picture)),
  ];
  return `?${parts.join('&')}`;
};

/** The query of its tiles, `''` or beginning with `?`; what the sensor does not have is left out. */
export const toPictureQuery = (sensor: ViewerSensor, picture: Picture): string => {
  const shown = bandsOfPicture(sensor, picture);
  const parts: string[] = [];
  if (picture.colormap !== null && isColorable(sensor, shown)) parts.push(`COLORMAP=${picture.colormap}`);
  if (picture.contrast !== null) {
    const contrasts = contrastsOf(picture.contrast);
    // Three contrasts are of three channels.
    const fitting = isComposite(sensor, shown) ? contrasts : contrasts.slice(0, 1);
    parts.push(`MIN_MAX=${toContrastText(fitting)}`);
    if (picture.contrast.gamma !== undefined) parts.push(`GAMMA=${picture.contrast.gamma}`);
  }
  if (isNaturalPicture(sensor, picture)) parts.push('STRETCH=natural');
  if (picture.isCalibrated) parts.push('CALIBRATE=1');
  if (picture.isPansharpened && sensor.hasPansharpening) parts.push('PANSHARPENING=1');
  if (picture.isSpeckleFiltered && isRadar(sensor)) parts.push('SPECKLE=lee');
  if (isMaskedPicture(sensor, picture)) parts.push(MASKING);
  if (picture.resampling !== null) parts.push(`RESAMPLE=${picture.resampling}`);
  parts.push(...toCompositeParts(sensor, shown));
  if (picture.clip !== null) parts.push(`cropper_ref=${picture.clip}`);
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
};
