/** A recipe as the request of a picture, and what is missing of it. */

import type { SceneName } from '../../catalog/index.ts';
import { isSwathError } from '../../errors.ts';
import type { Recipe, RecipeContent } from '../../library/index.ts';
import { makeLru } from '../../lru.ts';
import { parseViewId } from '../../sensors/index.ts';
import { internal, notFound } from '../errors.ts';
import type { Query } from '../kit/parameters.ts';
import { defineParameters } from '../kit/parameters.ts';
import type { PicturePath } from '../kit/paths.ts';
import { parseSharpenPattern } from '../kit/paths.ts';
import type { PictureQuery } from '../pictures/picture.ts';
import { parsePictureQuery, pictureParameters, withEnding } from '../pictures/picture.ts';

/** A picture of a scene, as a recipe says it; where it is, each request says. */
export interface RecipePicture {
  readonly scene: SceneName;
  readonly bands: string;
  readonly query: PictureQuery;
}

/** Recipes whose texts are read at a time: the maps that people look at. */
const MAX_READ = 256;
const known = makeLru<RecipePicture>({ max: MAX_READ });

/** Reads what a recipe draws. Equal ids are equal contents, and every tile needs it. */
export const readRecipe = ({ id, content }: Recipe): RecipePicture =>
  known.remember(id, () => readPicture(content));

/** Reads a content. */
export function readPicture({ scenes, bands, query }: RecipeContent): RecipePicture {
  if (scenes.kind !== 'scene') throw internal('internal', 'This recipe is not one of a scene.');
  const { viewId, sceneName, sensor } = parseViewId(scenes.viewId);
  return {
    scene: { viewId, sceneName, sensor },
    bands,
    query: parsePictureQuery(new Map(Object.entries(query))),
  };
}

/** What a recipe measures where it does not draw: its bands without a pattern of sharpening, and in which values. */
export function toMeasured({ scene, bands, query }: RecipePicture): MeasuredRecipe {
  const { calibrated, isNatural = false } = query.options;
  const plain = parseSharpenPattern({ sensor: scene.sensor, bands, options: {} });
  return { scene, bands: plain.bands, calibrated: calibrated || isNatural };
}

interface MeasuredRecipe extends Pick<RecipePicture, 'scene' | 'bands'> {
  /** Physical values before band math. */
  readonly calibrated: boolean;
}

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
const NAMED: Readonly<Record<string, (recipe: Recipe) => readonly [what: string, name: string | undefined]>> =
  {
    'unknown-scene': ({ content: { scenes } }) => [
      'scene',
      scenes.kind === 'scene' ? scenes.viewId : undefined,
    ],
    'unknown-area': ({ content }) => ['area', content.query.cropper_ref],
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
    const naming = isSwathError(error) && error.tag === 'not-found' ? NAMED[error.code] : undefined;
    if (naming === undefined) throw error;
    const [what, name] = naming(recipe);
    const named = isOwner && name !== undefined ? ` ${name}` : '';
    throw notFound('recipe-part-gone', `The ${what}${named} of this recipe does not exist any more.`, {
      cause: error,
    });
  }
}
