/** What an order of a picture says of it: contrast, colours, pixels and the form of its file. */
import { parseColormapName } from '../../color/index.ts';
import { nameParameter } from '../../errors.ts';
import type { PictureOrder } from '../../exports/index.ts';
import type { Colormaps } from '../../library/index.ts';
import { findColormap } from '../colormaps.ts';
import { badInput } from '../errors.ts';
import type { Params } from '../kit/fields.ts';
import { choice, defineFields, flag, number, text, texts } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import type { SharpenedPicture } from '../kit/paths.ts';
import { parseSharpenPattern } from '../kit/paths.ts';
import { RESAMPLE_NAMES } from '../pictures/picture.ts';
import { MAX_GAMMA, MIN_GAMMA, naturalWithRange, parseMinMax, STRETCH_NAMES } from '../pictures/styling.ts';
import { indexFields, readScene } from './download-params.ts';

/** Default range of a colormap, as the interface defines it. */
const DEFAULT_LEVELS = '-0.5,0.5';

const MAX_COLORS = 256;

/** A picture: type `jpeg`. `size` is for logs of others and means nothing here. */
export const pictureFields = defineFields({
  resample: choice({
    description: 'cubic by default; classes are never mixed.',
    names: RESAMPLE_NAMES,
    fallback: null,
  }),
  colormap: text({ description: 'The name or id of a colormap.' }),
  levels: texts({
    max: 2,
    description: '"min,max" of the colormap, "-0.5,0.5" by default; without one, the contrast.',
  }),
  stretch: choice({
    description: 'natural: physical values between fixed bounds, the same in every scene; auto by default.',
    names: STRETCH_NAMES,
    fallback: 'auto',
  }),
  gamma: number({
    description:
      'Raises the fraction of the contrast to 1/gamma; 1 by default, with natural that of the sensor.',
    min: MIN_GAMMA,
    max: MAX_GAMMA,
    fallback: null,
    rule: `must be a number from ${MIN_GAMMA} to ${MAX_GAMMA}.`,
  }),
  colors_limit: number({
    description: 'Steps of the colormap.',
    min: 2,
    max: MAX_COLORS,
    isWhole: true,
    fallback: null,
  }),
  size: { schema: json.any({ description: 'Accepted and not used.' }), parse: () => null },
  georeference: choice({
    description: 'world: a zip archive with a world file; kmz; tiff: a GeoTIFF; jpeg: none.',
    names: ['world', 'kmz', 'tiff', 'jpeg'],
    fallback: null,
  }),
  format: choice({
    description: 'jpeg by default.',
    names: ['jpeg', 'jpg', 'tiff', 'tif', 'png'],
    fallback: 'jpeg',
  }),
  pansharpening: flag({ description: 'Of Landsat 7, 8 and 9; off by default.', fallback: false }),
  colors: texts({
    max: MAX_COLORS,
    description: 'Range colours: hexadecimal, one more than thresholds.',
  }),
  thresholds: texts({ max: MAX_COLORS, description: 'Values between the colours, in rising order.' }),
  px_size: number({
    description: 'Metres of a pixel on the ground; by default those of the finest band.',
    min: 0.01,
    max: 100_000,
    fallback: null,
    rule: 'must be from 0.01 to 100000 metres.',
  }),
});

/** Reads the params of type `jpeg`, except for the area. */
export async function readPictureParams(
  params: Params,
  colormaps: Colormaps,
): Promise<Omit<PictureOrder, 'area'>> {
  const { viewId, sceneName, sensor } = readScene(params);
  const { bands, options } = readSharpened({ sensor, ...(await readPictureLook(params, colormaps)) });
  return {
    viewId,
    sceneName,
    sensor: sensor.abbreviation,
    bands,
    nameAlias: indexFields.name_alias.read(params) || null,
    options,
    pixel: readPixel(params),
    file: readFile(params),
  };
}

/** What a picture shows, and how it is drawn; the pattern of sharpened bands is left as it is. */
export async function readPictureLook(
  params: Params,
  colormaps: Colormaps,
): Promise<Pick<PictureOrder, 'bands' | 'options'>> {
  const bands = indexFields.bm_type.read(params);
  return {
    bands,
    options: {
      // Left out, it is cubic for measures and nearest neighbours for classes.
      method: pictureFields.resample.read(params),
      ...readContrast(params),
      calibrated: indexFields.calibrate.read(params),
      isComposite: countExpressions(bands) === 3,
      isSharpened: pictureFields.pansharpening.read(params),
      color: await readColors(params, colormaps),
    },
  };
}

/** Bands by the pattern `PS:…` too. */
function readSharpened<Picture extends SharpenedPicture>(picture: Picture): Picture {
  try {
    return parseSharpenPattern(picture);
  } catch (error) {
    throw nameParameter('bm_type', error);
  }
}

/** `levels`, `stretch` and `gamma`. */
function readContrast(params: Params): Pick<PictureOrder['options'], 'range' | 'isNatural' | 'gamma'> {
  const stretch = pictureFields.stretch.read(params);
  const gamma = pictureFields.gamma.read(params);
  const curve = gamma === null ? {} : { gamma };
  if (stretch === 'auto') return { range: readLevels(params), ...curve };
  if ((pictureFields.levels.read(params)?.join() ?? '') !== '')
    throw naturalWithRange('stretch "natural"', 'levels');
  return { range: null, isNatural: true, ...curve };
}

/** `levels` go with a colormap; without one they are the contrast. */
function readLevels(params: Params): PictureOrder['options']['range'] {
  const isColored = (params.colormap ?? null) !== null && params.colormap !== '';
  const used = pictureFields.levels.read(params)?.join() || (isColored ? DEFAULT_LEVELS : null);
  if (used === null) return null;
  try {
    return parseMinMax(used);
  } catch {
    throw badInput('bad-levels', 'levels must be two numbers "min,max", the first below the second.');
  }
}

async function readColors(params: Params, colormaps: Colormaps): Promise<PictureOrder['options']['color']> {
  const name = pictureFields.colormap.read(params);
  const colormap = name ? await findColormap(parseColormapName(name), colormaps) : undefined;
  const colorsLimit = pictureFields.colors_limit.read(params);
  const colors = pictureFields.colors.read(params);
  const thresholds = pictureFields.thresholds.read(params);
  return {
    ...(colormap === undefined ? {} : { colormap }),
    ...(colorsLimit === null ? {} : { colorsLimit: String(colorsLimit) }),
    ...(colors === null || colors.length === 0 ? {} : { colors: colors.join() }),
    ...(thresholds === null || thresholds.length === 0 ? {} : { thresholds: thresholds.join() }),
  };
}

/** `px_size`: metres on the ground. */
export function readPixel(params: Params): PictureOrder['pixel'] {
  const groundM = pictureFields.px_size.read(params);
  return groundM === null ? null : { groundM };
}

/** What `format` and `georeference` make of the picture. */
export function readFile(params: Params): PictureOrder['file'] {
  const format = pictureFields.format.read(params);
  const georeference = pictureFields.georeference.read(params);
  const image = format.startsWith('j') ? 'jpeg' : format.startsWith('t') ? 'tiff' : 'png';
  switch (georeference) {
    case 'kmz':
      return { kind: 'kmz' };
    case 'tiff':
      return { kind: 'image', format: 'tiff' };
    case 'world':
      // A GeoTIFF needs no world file: TIFF with a world file means JPEG with one.
      return { kind: 'world', format: image === 'tiff' ? 'jpeg' : image };
    case 'jpeg':
    case null:
      return { kind: 'image', format: image };
  }
}

/** Expressions of a text: commas inside of brackets separate arguments. */
function countExpressions(text: string): number {
  let depth = 0;
  let count = 1;
  for (const char of text) {
    if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    else if (char === ',' && depth === 0) count += 1;
  }
  return count;
}
