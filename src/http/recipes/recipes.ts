/** Recipes: how they are made, listed, read, changed and deleted. */
import { chooseLevel, findScene } from '../../catalog/index.ts';
import { isSwathError } from '../../errors.ts';
import { isObject } from '../../json.ts';
import type { Recipe, RecipeContent, Recipes } from '../../library/index.ts';
import { toWholeGrid } from '../../render/index.ts';
import { badInput } from '../errors.ts';
import { answerLongJson, listEach } from '../kit/answer-bodies.ts';
import { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { EXAMPLE_SCENE } from '../kit/endpoint.ts';
import type { Params } from '../kit/fields.ts';
import { toObjectSchema } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import { custom, defineParameters, whole } from '../kit/parameters.ts';
import { parseSharpenPattern } from '../kit/paths.ts';
import type { MosaicDeps } from '../mosaic/mosaic-picture.ts';
import { toMosaic } from '../mosaic/mosaic-request.ts';
import type { PictureDeps } from '../pictures/picture.ts';
import { findNamedThings } from '../pictures/picture.ts';
import { noStore } from '../tasks/task.ts';
import type { ShareLinks } from './public-recipes.ts';
import { findOwn, recipeParameter, unknownRecipe } from './recipe-access.ts';
import { readContent } from './recipe-content.ts';
import { changeFields, readTerms, recipeFields, recipeSchema, toWireRecipe } from './recipe-fields.ts';
import { readPicture } from './recipe-picture.ts';
import { WHOLE_PX } from './recipe-views.ts';

/** What recipes are stored and answered with. */
export interface RecipeDeps {
  readonly recipes: Recipes;
  /** The secret is read, or made, when a recipe is first made public. */
  readonly readShareLinks: () => Promise<ShareLinks>;
  /** The wall clock. */
  readonly now: () => Date;
}

/** The longest body: a name, an expression and a style. */
const BODY_BYTES = 65_536;

/** `POST /api/recipes`. */
export const createRecipe = (deps: RecipeDeps & PictureDeps & MosaicDeps): Endpoint => ({
  summary: 'Store a recipe',
  description:
    'A recipe is a saved rendering: a scene, or a search whose scenes become a mosaic, with bands and style. Its id gives tiles, images, a legend, TileJSON, values, statistics and files. Equal recipes of one key have the same id. What it names must exist.',
  tag: 'Recipes',
  body: {
    description: 'Up to 64 KiB.',
    schema: toObjectSchema(recipeFields),
    example: {
      name: 'Fields, June',
      scenes: { view_id: EXAMPLE_SCENE.viewId },
      bands: 'NDVI',
      style: { COLORMAP: 'RdYlGn', MIN_MAX: '0,1' },
    },
  },
  answers: {
    200: {
      description: 'The key has this recipe already; it is not changed, and keeps its name.',
      content: { 'application/json': recipeSchema },
    },
    201: {
      description: 'The recipe is stored; Location is its address.',
      content: { 'application/json': recipeSchema },
    },
    400: { description: 'The body is malformed; the message says how.' },
    402: { description: 'The key has reached its limit of recipes (too-many-recipes); delete some.' },
    404: { description: 'No such scene, area or colormap; or the search finds nothing.' },
    413: { description: 'The body is too large.' },
    422: { description: 'An unsupported band or operation, or a combination that cannot be drawn.' },
    502: { description: 'A file of the scene is damaged or missing.' },
  },
  async handle(request) {
    const body = toBody(await request.readJson(BODY_BYTES));
    const name = changeFields.name.read(body);
    const content = readContent(body);
    const terms = readTerms(body, deps.now());
    await refuseUndrawable(content, deps);
    const { owner } = request.ticket;
    const { recipe, isNew } = await deps.recipes.create({ owner, name, content, terms });
    const headers = { location: `${request.publicUrl}/api/recipes/${recipe.id}` };
    return answerRecipe(request, recipe, { deps, status: isNew ? 201 : 200, headers });
  },
});

/** Plans a picture of a whole scene: what it names must exist, and it must be possible to draw it. */
async function refuseUndrawable(content: RecipeContent, deps: PictureDeps & MosaicDeps): Promise<void> {
  const picture = readPicture(content);
  const options = await findNamedThings(picture.query, deps);
  if (picture.kind === 'search') {
    const mosaic = await toMosaic(picture.path, picture.parameters, deps.areas);
    await deps.mosaics.planSomewhere({ ...mosaic, options }).catch(passIfTooLarge);
    return;
  }
  const { scene, bands } = picture;
  const named = await chooseLevel(deps.scenes, scene);
  const { footprint } = await findScene(deps.scenes, named);
  const grid = toWholeGrid(footprint, WHOLE_PX);
  await deps.renderer.plan(parseSharpenPattern({ ...named, bands, grid, options }));
}

/** Refusals of a picture for its size: others of the same mosaic may be drawn. */
const TOO_LARGE: ReadonlySet<string> = new Set(['too-many-scenes', 'mosaic-too-expensive']);

function passIfTooLarge(error: unknown): void {
  if (!isSwathError(error) || !TOO_LARGE.has(error.code)) throw error;
}

function toBody(value: unknown): Params {
  if (isObject(value)) return value;
  throw badInput('bad-body', 'The body must be an object.');
}

interface AnswerOptions {
  readonly deps: Pick<RecipeDeps, 'readShareLinks'>;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

async function answerRecipe(
  { publicUrl }: ApiRequest,
  recipe: Recipe,
  { deps, status = 200, headers = {} }: AnswerOptions,
): Promise<Answer> {
  const toToken = await readToToken([recipe], deps);
  const body = toWireRecipe(recipe, { publicUrl, toToken });
  return Answer.json(body, { status, headers: { ...noStore, ...headers } });
}

/** How shares become tokens; the secret is not needed where none is public. */
async function readToToken(
  recipes: readonly Recipe[],
  { readShareLinks }: Pick<RecipeDeps, 'readShareLinks'>,
): Promise<ShareLinks['toToken']> {
  if (recipes.every(({ share }) => share === null)) return () => '';
  return (await readShareLinks()).toToken;
}

/** Recipes of a page: the most are half a megabyte, if each has the longest style. */
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 50;

const listParameters = defineParameters({
  limit: whole({
    description: `Recipes of a page, 1 to ${MAX_LIMIT}; ${DEFAULT_LIMIT} by default.`,
    example: '20',
    min: 1,
    max: MAX_LIMIT,
    fallback: DEFAULT_LIMIT,
  }),
  after: custom({
    description: 'The `next` of the page before.',
    schema: recipeParameter.recipe_id.schema,
    fallback: null,
    read: (id) => id,
  }),
});

/** `GET /api/recipes`. */
export const listRecipes = (deps: RecipeDeps): Endpoint => ({
  summary: 'List recipes',
  description: 'The recipes of the key, in the order of their names.',
  tag: 'Recipes',
  query: listParameters,
  answers: {
    200: {
      description: 'A page of recipes.',
      content: {
        'application/json': json.object({
          recipes: json.list(recipeSchema),
          next: json.nullable(json.string(), {
            description: 'The `after` of the next page; null on the last page.',
          }),
        }),
      },
    },
    400: { description: 'The query is malformed.' },
    404: { description: 'This key has no recipe with the id of `after`.' },
  },
  async handle({ query, ticket: { owner }, publicUrl }) {
    const limit = listParameters.limit.read(query);
    const afterId = listParameters.after.read(query);
    const after = afterId === null ? null : await deps.recipes.find(afterId, owner);
    if (afterId !== null && after === null) throw unknownRecipe();
    // One more than a page shows whether there is another page.
    const found = await deps.recipes.list(owner, { after, limit: limit + 1 });
    const page = found.slice(0, limit);
    const toToken = await readToToken(page, deps);
    const recipes = listEach(page, (recipe) => toWireRecipe(recipe, { publicUrl, toToken }));
    const next = found.length > limit ? (page.at(-1)?.id ?? null) : null;
    return answerLongJson({ recipes, next }, { headers: noStore });
  },
});

const ownAnswers: Endpoint['answers'] = {
  200: { description: 'The recipe.', content: { 'application/json': recipeSchema } },
  404: { description: 'This key has no such recipe.' },
};

/** `GET /api/recipes/{recipe_id}`. */
export const readOneRecipe = (deps: RecipeDeps): Endpoint => ({
  summary: 'Read a recipe',
  tag: 'Recipes',
  params: recipeParameter,
  answers: ownAnswers,
  handle: async (request) => answerRecipe(request, await findOwn(request, deps.recipes), { deps }),
});

/** `PATCH /api/recipes/{recipe_id}`: another name; public, other terms, or public no more. */
export const changeRecipe = (deps: RecipeDeps): Endpoint => ({
  summary: 'Rename a recipe, or make it public',
  description:
    '`public` with terms makes it usable without a key, or changes the terms of the token that it has; `public: null` ends the token at once, and the next one is another. What a recipe draws never changes: store another one.',
  tag: 'Recipes',
  params: recipeParameter,
  body: {
    description: 'What changes.',
    schema: toObjectSchema(changeFields),
    example: { name: 'Fields', public: { expires: '2027-12-31', rate_per_minute: 600 } },
  },
  answers: { ...ownAnswers, 400: { description: 'The body is malformed; the message says how.' } },
  async handle(request) {
    const body = toBody(await request.readJson(BODY_BYTES));
    const fixed = Object.keys(recipeFields).find(
      (name) => Object.hasOwn(body, name) && !Object.hasOwn(changeFields, name),
    );
    if (fixed !== undefined) {
      throw badInput('fixed-recipe', `${fixed} of a recipe cannot be changed: POST another recipe.`);
    }
    const name = Object.hasOwn(body, 'name') ? changeFields.name.read(body) : null;
    const terms = Object.hasOwn(body, 'public') ? readTerms(body, deps.now()) : undefined;
    if (name === null && terms === undefined) {
      throw badInput('bad-body', 'The body must have a name, public, or both.');
    }
    const { params, ticket } = request;
    const changed = await deps.recipes.change(params.recipe_id ?? '', ticket.owner, { name, terms });
    if (changed === null) throw unknownRecipe();
    return answerRecipe(request, changed, { deps });
  },
});

/** `DELETE /api/recipes/{recipe_id}`. */
export const deleteRecipe = ({ recipes }: RecipeDeps): Endpoint => ({
  summary: 'Delete a recipe',
  description:
    'Its addresses stop at once, those without a key too. Clients may go on showing what they have cached.',
  tag: 'Recipes',
  params: recipeParameter,
  answers: {
    204: { description: 'The recipe is deleted.' },
    404: { description: 'This key has no such recipe (any more).' },
  },
  async handle({ params, ticket }) {
    if (!(await recipes.remove(params.recipe_id ?? '', ticket.owner))) throw unknownRecipe();
    return new Answer(null, { status: 204, headers: noStore });
  },
});
