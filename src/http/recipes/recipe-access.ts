/** Who asks for a recipe: its owner by its id, or anyone by the token of a public one. */

import type { Recipe, Recipes } from '../../library/index.ts';
import { notFound } from '../errors.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import { toOwnPath } from './recipe-fields.ts';

/** How the addresses of a recipe name it. */
export interface RecipeAccess {
  readonly params: NonNullable<Endpoint['params']>;
  readonly isOwner: boolean;
  /** The recipe of a request; throws if there is none. */
  find(request: ApiRequest): Promise<Recipe>;
  /** The path below which all addresses of the recipe are. */
  toPath(recipe: Recipe, request: ApiRequest): string;
  /** How long clients may cache what they get, in seconds, if it is at most `maxAgeS`. */
  toMaxAgeS(recipe: Recipe, maxAgeS: number): number;
}

/** The answer to an id that names no recipe of the caller. */
export const unknownRecipe = (): Error => notFound('unknown-recipe', 'This key has no recipe with this id.');

/** The id in a path. */
export const recipeParameter = {
  recipe_id: {
    description: 'As returned when the recipe was created.',
    schema: json.string({ pattern: /^[0-9a-f]{32}$/ }),
    example: '3eb51ea04776e6ae6bb665504e3c5ffb',
  },
} as const satisfies Endpoint['params'];

/** The recipe of a request with a key. */
export async function findOwn({ params, ticket }: ApiRequest, recipes: Recipes): Promise<Recipe> {
  const recipe = await recipes.find(params.recipe_id ?? '', ticket.owner);
  if (recipe === null) throw unknownRecipe();
  return recipe;
}

/** The owner, by the id. */
export const makeOwnAccess = (recipes: Recipes): RecipeAccess => ({
  params: recipeParameter,
  isOwner: true,
  find: (request) => findOwn(request, recipes),
  toPath: toOwnPath,
  toMaxAgeS: (_, maxAgeS) => maxAgeS,
});
