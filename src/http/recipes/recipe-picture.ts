/** A recipe as the request of a picture, and what is missing of it. */

import type { SceneName } from '../../catalog/index.ts';
import type { SwathError } from '../../errors.ts';
import { isSwathError } from '../../errors.ts';
import type { Recipe, RecipeContent } from '../../library/index.ts';
import { makeLru } from '../../lru.ts';
import { parsePeriod } from '../../mosaic/index.ts';
import { parseViewId } from '../../sensors/index.ts';
import { notFound } from '../errors.ts';
import type { Query } from '../kit/parameters.ts';
import { defineParameters } from '../kit/parameters.ts';
import type { PicturePath } from '../kit/paths.ts';
import { parseSharpenPattern } from '../kit/paths.ts';
import type { MosaicPath } from '../mosaic/mosaic-request.ts';
import { parseSensors } from '../mosaic/mosaic-request.ts';
import type { PictureQuery } from '../pictures/picture.ts';
import { parsePictureQuery, pictureParameters, withEnding } from '../pictures/picture.ts';

/** A recipe as it is drawn; where its pictures are, each request says. */
export type RecipePicture = ScenePicture | MosaicPicture;

interface CommonPicture {
  readonly bands: string;
  readonly query: PictureQuery;
}

/** A recipe of one scene. */
export interface ScenePicture extends CommonPicture {
  readonly kind: 'scene';
  readonly scene: SceneName;
}

/** A recipe of a search. */
export interface MosaicPicture extends CommonPicture {
  readonly kind: 'search';
  readonly path: MosaicPath;
  /** The parameters of the mosaic, still texts: they name a stored area. */
  readonly parameters: Query;
}

/** Recipes whose texts are read at a time: the maps that people look at. */
const MAX_READ = 256;
const known = makeLru<RecipePicture>({ max: MAX_READ });

/** Reads what a recipe draws. Equal ids are equal contents, and every tile needs it. */
export const readRecipe = ({ id, content }: Pick<Recipe, 'id' | 'content'>): RecipePicture =>
  known.remember(id, () => readPicture(content));

/** Reads a content. */
export function readPicture({ scenes, bands, query }: RecipeContent): RecipePicture {
  const parameters: Query = new Map(Object.entries(query));
  const common = { bands, query: parsePictureQuery(parameters) };
  if (scenes.kind === 'scene') {
    const { viewId, sceneName, sensor } = parseViewId(scenes.viewId);
    return { ...common, kind: 'scene', scene: { viewId, sceneName, sensor } };
  }
  const datasets = parseSensors(scenes.sensors.join());
  return {
    ...common,
    kind: 'search',
    path: { datasets, period: parsePeriod(scenes.period), bands },
    parameters,
  };
}

/** Whether a recipe shows physical values. */
export const isCalibrated = ({ query: { options } }: RecipePicture): boolean =>
  options.calibrated || options.isNatural === true;

/** The bands of a recipe where it does not draw: without a pattern of sharpening. */
export const toPlainBands = ({ scene, bands }: ScenePicture): string =>
  parseSharpenPattern({ sensor: scene.sensor, bands, options: {} }).bands;

/** All that a request may choose about a recipe's picture. */
export const viewParameters = defineParameters({
  TILE_SIZE: pictureParameters.TILE_SIZE,
  mimetype: pictureParameters.mimetype,
});

/** The picture with the format and size of a request: those of its query, of its ending, and then of the recipe. */
export function withView(picture: PictureQuery, query: Query, ending: PicturePath['ending']): PictureQuery {
  const { size, options } = withEnding(
    {
      ...picture,
      size: viewParameters.TILE_SIZE.read(query),
      options: { ...picture.options, format: viewParameters.mimetype.read(query) },
    },
    ending,
  );
  const format = options.format === 'auto' ? picture.options.format : options.format;
  return { ...picture, size: size ?? picture.size, options: { ...options, format } };
}

/** What a recipe names, by the code of the error about its absence, and what it is called. */
const NAMED: Readonly<
  Record<string, (recipe: Recipe, error: SwathError) => readonly [what: string, name: unknown]>
> = {
  'unknown-scene': ({ content: { scenes } }) => [
    'scene',
    scenes.kind === 'scene' ? scenes.viewId : undefined,
  ],
  'unknown-area': (_, { details }) => ['area', details.ref],
  'unknown-colormap': ({ content }) => ['colormap', content.query.COLORMAP],
};

/**
 * Runs work on a recipe; if something that it names was deleted since it was made, says so: 410. Its name is only for the
 * owner.
 */
export async function orGone<Result>(
  recipe: Recipe,
  { isOwner }: { readonly isOwner: boolean },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isSwathError(error) || error.tag !== 'not-found') throw error;
    const [what, name] = NAMED[error.code]?.(recipe, error) ?? [];
    if (what === undefined) throw error;
    const named = isOwner && typeof name === 'string' ? ` ${name}` : '';
    throw notFound('recipe-part-gone', `The ${what}${named} of this recipe does not exist any more.`, {
      cause: error,
    });
  }
}
