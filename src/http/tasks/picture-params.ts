import { parseColormapName } from '../../color/index.ts';
import type { Colormaps } from '../../colormaps/index.ts';
import { badInput, nameParameter } from '../../errors.ts';
import type { PictureOrder } from '../../exports/index.ts';
import { findColormap } from '../colors/find-colormap.ts';
import { parseMinMax } from '../colors/min-max.ts';
import { checkGamma, naturalWithRange, STRETCH_NAMES } from '../colors/stretch-query.ts';
import { RESAMPLE_NAMES } from '../pictures/query.ts';
import type { SharpenedPicture } from '../pictures/sharpen-pattern.ts';
import { parseSharpenPattern } from '../pictures/sharpen-pattern.ts';
import type { Params } from '../request/params.ts';
import { readChoice, readNumber, readSwitch, readText, readTexts } from '../request/params.ts';
import { readAlias, readExpressions } from './index-params.ts';
import { readScene } from './scene-params.ts';

/** What a colormap is spread over when nothing is said: the interface's default. */
const DEFAULT_LEVELS = '-0.5,0.5';

const MAX_COLORS = 256;

/** Reads the params of type `jpeg`, except for the area. `size` is for logs of others and means nothing here. */
export async function readPictureParams(
  params: Params,
  colormaps: Colormaps,
): Promise<Omit<PictureOrder, 'area'>> {
  const { viewId, sceneName, sensor } = readScene(params);
  const { bands, options } = readSharpened({
    sensor,
    bands: readExpressions(params),
    options: {
      // Left out, it is cubic for measures and nearest neighbours for classes.
      method: readChoice(params, 'resample', { choices: RESAMPLE_NAMES, fallback: null }),
      ...readContrast(params),
      calibrated: readSwitch(params, 'calibrate', false),
      isComposite: countExpressions(readExpressions(params)) === 3,
      isSharpened: readSwitch(params, 'pansharpening', false),
      color: await readColors(params, colormaps),
    },
  });
  return {
    viewId,
    sceneName,
    sensor: sensor.abbreviation,
    bands,
    nameAlias: readAlias(params),
    options,
    pixel: readPixel(params),
    file: readFile(params),
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
  const stretch = readChoice(params, 'stretch', { choices: STRETCH_NAMES, fallback: 'auto' });
  const given = readNumber(params, 'gamma');
  const curve = given === null ? {} : { gamma: checkGamma(given, 'gamma') };
  if (stretch === 'auto') return { range: readLevels(params), ...curve };
  if ((readTexts(params, 'levels', 2)?.join() ?? '') !== '')
    throw naturalWithRange('stretch "natural"', 'levels');
  return { range: null, isNatural: true, ...curve };
}

/** `levels` go with a colormap; without one they are the contrast. */
function readLevels(params: Params): PictureOrder['options']['range'] {
  const isColored = (params.colormap ?? null) !== null && params.colormap !== '';
  const text = readTexts(params, 'levels', 2)?.join();
  const used = text || (isColored ? DEFAULT_LEVELS : undefined);
  try {
    return parseMinMax(used);
  } catch {
    throw badInput('bad-levels', 'levels must be two numbers "min,max", the first below the second.');
  }
}

async function readColors(params: Params, colormaps: Colormaps): Promise<PictureOrder['options']['color']> {
  const name = readText(params, 'colormap');
  const colormap = name ? await findColormap(parseColormapName(name), colormaps) : undefined;
  const colorsLimit = readNumber(params, 'colors_limit');
  const colors = readTexts(params, 'colors', MAX_COLORS);
  const thresholds = readTexts(params, 'thresholds', MAX_COLORS);
  return {
    ...(colormap === undefined ? {} : { colormap }),
    ...(colorsLimit === null ? {} : { colorsLimit: String(colorsLimit) }),
    ...(colors === null || colors.length === 0 ? {} : { colors: colors.join() }),
    ...(thresholds === null || thresholds.length === 0 ? {} : { thresholds: thresholds.join() }),
  };
}

/** `px_size`: metres on the ground. */
function readPixel(params: Params): PictureOrder['pixel'] {
  const sizeM = readNumber(params, 'px_size');
  if (sizeM === null) return null;
  if (!(sizeM >= 0.01 && sizeM <= 100_000))
    throw badInput('bad-px-size', 'px_size must be from 0.01 to 100000 metres.');
  return { groundM: sizeM };
}

/** What `format` and `georeference` make of the picture. */
function readFile(params: Params): PictureOrder['file'] {
  const format = readChoice(params, 'format', {
    choices: ['jpeg', 'jpg', 'tiff', 'tif', 'png'],
    fallback: 'jpeg',
  });
  const georeference = readChoice(params, 'georeference', {
    choices: ['world', 'kmz', 'tiff', 'jpeg'],
    fallback: null,
  });
  const image = format.startsWith('j') ? 'jpeg' : format.startsWith('t') ? 'tiff' : 'png';
  switch (georeference) {
    case 'kmz':
      return { kind: 'kmz' };
    case 'tiff':
      return { kind: 'image', format: 'tiff' };
    case 'world':
      // A GeoTIFF says itself where it lies, so what is asked for as TIFF with a world file is a JPEG with one.
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
