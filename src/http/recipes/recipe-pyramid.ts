/** The low zoom levels of a recipe that is a mosaic. */

import type { Recipes } from '../../library/index.ts';
import type { PyramidOrder } from '../../mosaic/index.ts';
import { unsupported } from '../errors.ts';
import type { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { toMosaic } from '../mosaic/mosaic-request.ts';
import type { PyramidDeps } from '../mosaic/pyramid.ts';
import {
  answerPyramidOrder,
  pyramidOrdered,
  pyramidRemoved,
  removePyramid,
  toPyramidOrder,
} from '../mosaic/pyramid.ts';
import { makeOwnAccess } from './recipe-access.ts';
import { orGone, readRecipe } from './recipe-picture.ts';
import { withGone } from './recipe-views.ts';

interface RecipePyramidDeps extends PyramidDeps {
  readonly recipes: Recipes;
}

/** `POST /api/recipes/{recipe_id}/pyramid`. */
export const orderRecipePyramid = (deps: RecipePyramidDeps): Endpoint => ({
  summary: 'Have the low zoom levels of a recipe made',
  description:
    'For recipes of a search, as `/api/mosaic/pyramid/…` does for the same mosaic. Recipes that differ in colours, contrast or area share one pyramid.',
  tag: 'Recipes',
  ...makeRecipePyramid(pyramidOrdered, answerPyramidOrder, deps),
});

/** `DELETE /api/recipes/{recipe_id}/pyramid`. */
export const deleteRecipePyramid = (deps: RecipePyramidDeps): Endpoint => ({
  summary: 'Remove the low zoom levels of a recipe',
  description: 'Other recipes of the same mosaic lose them too. A recipe that is deleted keeps its pyramid.',
  tag: 'Recipes',
  ...makeRecipePyramid(pyramidRemoved, removePyramid, deps),
});

/** An operation on the pyramid of a recipe. */
function makeRecipePyramid(
  answers: Endpoint['answers'],
  answer: (request: ApiRequest, order: PyramidOrder, deps: PyramidDeps) => Promise<Answer>,
  deps: RecipePyramidDeps,
): Pick<Endpoint, 'params' | 'answers' | 'handle'> {
  const access = makeOwnAccess(deps.recipes);
  return {
    params: access.params,
    answers: {
      ...withGone(answers, access),
      404: { description: 'This key has no such recipe, or no pyramid of it.' },
      422: { description: 'The recipe is of one scene, which needs no pyramid.' },
    },
    async handle(request) {
      const recipe = await access.find(request);
      const picture = readRecipe(recipe);
      if (picture.kind === 'scene') {
        throw unsupported(
          'not-a-mosaic',
          'This recipe is of one scene, whose overviews are its low zoom levels. Recipes of a search have a pyramid.',
        );
      }
      return orGone(recipe, access, async () => {
        const mosaic = await toMosaic(picture.path, picture.parameters, deps.areas);
        return answer(request, toPyramidOrder(mosaic, picture.query), deps);
      });
    },
  };
}
