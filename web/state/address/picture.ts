/** How a scene is drawn: `bands=NDVI&colormap=viridis&contrast=0,1&gamma=2&stretch=auto&resample=nearest&with=calibrated&clip=…`. */
import type { Picture, PictureContrast } from '../../scenes/picture.ts';
import { contrastsOf, RESAMPLINGS, STRETCHES, toPictureContrast } from '../../scenes/picture.ts';
import { BANDS, escapeMath, takeIf, VALUE } from './forms.ts';

const COLORMAP = /^\w{1,34}$/;
/** A reference of an area as the server makes them. */
const CLIP = /^[0-9a-f]{32}$/;

/** What the server takes for a gamma. */
const [MIN_GAMMA, MAX_GAMMA] = [0.1, 10];

const parseGamma = (text: string | null): number => {
  const gamma = VALUE.test(text ?? '') ? Number(text) : 1;
  return gamma >= MIN_GAMMA && gamma <= MAX_GAMMA ? gamma : 1;
};

/** One pair of values, or one for each of three channels. */
const parseContrast = (text: string | null, gamma: string | null): PictureContrast | null => {
  const parts = (text ?? '').split(',');
  if (![2, 6].includes(parts.length) || !parts.every((part) => VALUE.test(part))) return null;
  const contrasts = Array.from({ length: parts.length / 2 }, (_, i) => ({
    min: Number(parts[2 * i]),
    max: Number(parts[2 * i + 1]),
  }));
  return contrasts.every(({ min, max }) => min < max)
    ? toPictureContrast(contrasts, parseGamma(gamma))
    : null;
};

/** Reads it; names of parts begin with `prefix`, except the clip, which all pictures of the page share. */
export const parsePicture = (parts: URLSearchParams, prefix = ''): Picture => {
  const switches = (parts.get(`${prefix}with`) ?? '').split(',');
  return {
    bands: takeIf(parts.get(`${prefix}bands`), BANDS),
    colormap: takeIf(parts.get(`${prefix}colormap`), COLORMAP),
    contrast: parseContrast(parts.get(`${prefix}contrast`), parts.get(`${prefix}gamma`)),
    stretch: STRETCHES.find((name) => name === parts.get(`${prefix}stretch`)) ?? 'natural',
    resampling: RESAMPLINGS.find((name) => name === parts.get(`${prefix}resample`)) ?? null,
    isCalibrated: switches.includes('calibrated'),
    isPansharpened: switches.includes('sharp'),
    isSpeckleFiltered: switches.includes('lee'),
    isCloudMasked: switches.includes('cloudmask') ? true : switches.includes('clouds') ? false : null,
    clip: takeIf(parts.get('clip'), CLIP),
  };
};

/** Writes what differs from a plain picture. */
export const toPictureParts = (picture: Picture): string[] => {
  const {
    bands,
    colormap,
    contrast,
    stretch,
    resampling,
    isCalibrated,
    isPansharpened,
    isSpeckleFiltered,
    isCloudMasked,
    clip,
  } = picture;
  const switches = [
    isCalibrated ? ['calibrated'] : [],
    isPansharpened ? ['sharp'] : [],
    isSpeckleFiltered ? ['lee'] : [],
    isCloudMasked === null ? [] : [isCloudMasked ? 'cloudmask' : 'clouds'],
  ].flat();
  const parts: string[] = [];
  if (bands !== null) parts.push(`bands=${escapeMath(bands)}`);
  if (colormap !== null) parts.push(`colormap=${colormap}`);
  if (contrast !== null) {
    parts.push(`contrast=${contrastsOf(contrast).map(({ min, max }) => `${min},${max}`)}`);
    if (contrast.gamma !== undefined) parts.push(`gamma=${contrast.gamma}`);
  }
  if (stretch !== 'natural') parts.push(`stretch=${stretch}`);
  if (resampling !== null) parts.push(`resample=${resampling}`);
  if (switches.length > 0) parts.push(`with=${switches.join()}`);
  if (clip !== null) parts.push(`clip=${clip}`);
  return parts;
};
