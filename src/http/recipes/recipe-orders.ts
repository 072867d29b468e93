/** What is ordered of a recipe: statistics of an area, and files. */

import { splitExpressions } from '../../bandmath/index.ts';
import { chooseLevel, findScene } from '../../catalog/index.ts';
import type { DownloadKind, DownloadOrders } from '../../exports/index.ts';
import { isObject } from '../../json.ts';
import type { Recipes } from '../../library/index.ts';
import { AREA_REF } from '../areas.ts';
import { badInput, unsupported } from '../errors.ts';
import type { Answer } from '../kit/answers.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import type { Params } from '../kit/fields.ts';
import { choice, defineFields, toObjectSchema } from '../kit/fields.ts';
import { defineParameters, text as textParameter } from '../kit/parameters.ts';
import { parseSharpenPattern } from '../kit/paths.ts';
import type { PictureDeps } from '../pictures/picture.ts';
import { findNamedThings } from '../pictures/picture.ts';
import { answerStatistics, readStatisticsOrder, statisticsAnswers } from '../statistics/statistics.ts';
import { statisticsFields } from '../statistics/statistics-fields.ts';
import { areaFields, indexFields, readArea } from '../tasks/download-params.ts';
import { pictureFields, readFile, readPixel } from '../tasks/picture-params.ts';
import type { TaskDeps } from '../tasks/task.ts';
import { downloadHost, orderTask } from '../tasks/task.ts';
import { orderFields, planOrder, readOrderFields } from '../tasks/task-orders.ts';
import { makeOwnAccess } from './recipe-access.ts';
import type { RecipePicture } from './recipe-picture.ts';
import { orGone, readRecipe, toMeasured } from './recipe-picture.ts';
import { withGone } from './recipe-views.ts';

/** What orders of recipes are read and carried out with. */
export interface RecipeOrderDeps extends TaskDeps, PictureDeps {
  readonly recipes: Recipes;
}

const { geometry, cropper_ref, max_cloud_cover_in_aoi, exclude_cover_pixels } = statisticsFields;
const { cloud_masking_level, histogram } = statisticsFields;

const statisticsBody = {
  geometry,
  cropper_ref,
  max_cloud_cover_in_aoi,
  exclude_cover_pixels,
  cloud_masking_level,
  histogram,
};

const areaQuery = defineParameters({
  cropper_ref: textParameter({
    description: 'A stored area, in place of a body; by default that of the recipe.',
    pattern: AREA_REF,
    fallback: null,
  }),
});

/** `POST /api/recipes/{recipe_id}/statistics`. */
export const recipeStatistics = (deps: RecipeOrderDeps): Endpoint => {
  const access = makeOwnAccess(deps.recipes);
  return {
    summary: 'Statistics of an area in the scene of a recipe',
    description:
      'The bands or expressions of the recipe in an area: that of the body, of the query, or of the recipe. Answered as `/api/statistics` answers; as everywhere, statistics are of physical values, without clouds by default.',
    tag: 'Recipes',
    params: access.params,
    query: areaQuery,
    body: {
      description: 'The area, and what is left out.',
      schema: toObjectSchema(statisticsBody),
      required: false,
      example: { cropper_ref: '3eb51ea04776e6ae6bb665504e3c5ffb' },
    },
    answers: withGone(statisticsAnswers, access),
    async handle(request): Promise<Answer> {
      const recipe = await access.find(request);
      const body = toBody(await request.readOptionalJson());
      const read = readRecipe(recipe);
      return orGone(recipe, access, async () => {
        const named = await chooseLevel(deps.scenes, read.scene);
        const { sceneId, dataset, acquiredAt } = await findScene(deps.scenes, named);
        const day = acquiredAt.slice(0, 10);
        const own = Object.fromEntries(Object.keys(statisticsBody).map((name) => [name, body[name]]));
        const params: Params = {
          ...own,
          ...chooseArea(body, areaQuery.cropper_ref.read(request.query) ?? read.query.areaRef),
          bm_type: splitExpressions(toMeasured(read).bands),
          sensors: [dataset],
          date_start: day,
          date_end: day,
          limit: 1,
        };
        const taken = await readStatisticsOrder(request, params, deps);
        if (taken.order.kind !== 'scenes') return answerStatistics(request, taken, deps);
        const order = { ...taken.order, order: { ...taken.order.order, sceneId } };
        return answerStatistics(request, { ...taken, order }, deps);
      });
    },
  };
};

/** The area of a body; otherwise the stored one of this reference. */
const chooseArea = (body: Params, ref: string | null): Params =>
  body.geometry == null && (body.cropper_ref ?? '') === '' ? { cropper_ref: ref } : {};

function toBody(value: unknown): Params {
  if (value === undefined) return {};
  if (isObject(value)) return value;
  throw badInput('bad-body', 'The body must be an object.');
}

const downloadFields = defineFields({
  type: choice({
    names: ['jpeg', 'bandmath', 'lbe'],
    fallback: 'jpeg' as const,
    description:
      'jpeg: the picture, as the recipe draws it; bandmath: the values of its expressions; lbe: its bands as they were delivered. jpeg by default.',
  }),
  ...areaFields,
  name_alias: indexFields.name_alias,
  format: pictureFields.format,
  georeference: pictureFields.georeference,
  px_size: pictureFields.px_size,
  ...orderFields,
});

/** `POST /api/recipes/{recipe_id}/download`. */
export const recipeDownload = (deps: RecipeOrderDeps): Endpoint => {
  const access = makeOwnAccess(deps.recipes);
  return {
    ...downloadHost.docs.create,
    summary: 'Order a file of a recipe',
    description:
      'Creates a task, as `POST /api` does: a picture as the recipe draws it, the values of its expressions, or its bands. Cropped to the area of the order, by default that of the recipe.',
    tag: 'Recipes',
    params: access.params,
    body: {
      description: 'The type of file, its area and its form.',
      schema: toObjectSchema(downloadFields),
      required: false,
      example: { type: 'jpeg', georeference: 'tiff' },
    },
    answers: {
      ...withGone(downloadHost.docs.create.answers, access),
      422: { description: 'The recipe has no file of this type.' },
    },
    async handle(request): Promise<Answer> {
      const recipe = await access.find(request);
      const body = toBody(await request.readOptionalJson());
      const fields = readOrderFields(body, body, deps.callbackPolicy);
      const read = readRecipe(recipe);
      return orGone(recipe, access, async () => {
        const nameAlias = downloadFields.name_alias.read(body) || recipe.name;
        const area = await readArea(
          { ...body, ...chooseCrop(body, read.query.areaRef) },
          request.ticket,
          deps,
        );
        const { kind, order } = await toOrder(read, body, { nameAlias, area, deps });
        const planned = await planOrder(kind, order, deps);
        return orderTask(request, { ...fields, ...planned }, downloadHost.form, deps);
      });
    },
  };
};

/** An order without an area has that of the recipe. */
const chooseCrop = (body: Params, ref: string | null): Params =>
  Object.keys(areaFields).some((name) => (body[name] ?? '') !== '') ? {} : { cropper_ref: ref };

interface OrderParts {
  readonly nameAlias: string;
  readonly area: DownloadOrders[DownloadKind]['area'];
  readonly deps: RecipeOrderDeps;
}

interface RecipeOrder {
  readonly kind: DownloadKind;
  readonly order: DownloadOrders[DownloadKind];
}

/** The order of a file, as `POST /api` would read it. */
async function toOrder(
  { scene, bands, query }: RecipePicture,
  body: Params,
  { nameAlias, area, deps }: OrderParts,
): Promise<RecipeOrder> {
  const { viewId, sceneName, sensor } = scene;
  const common = { viewId, sceneName, sensor: sensor.abbreviation, area };
  const measured = toMeasured({ scene, bands, query });
  switch (downloadFields.type.read(body)) {
    case 'lbe':
      return {
        kind: 'bands',
        order: { ...common, bands: splitExpressions(measured.bands), merge: true, metadata: [] },
      };
    case 'bandmath':
      if (measured.calibrated) {
        throw unsupported(
          'calibrated-recipe',
          'This recipe computes with physical values (CALIBRATE or STRETCH=natural), and files of type bandmath with stored numbers. Order type jpeg, or make a recipe without them.',
        );
      }
      return { kind: 'index', order: { ...common, expressions: measured.bands, nameAlias } };
    case 'jpeg': {
      const { format: _, area: _ref, watermark: _none, ...options } = await findNamedThings(query, deps);
      const picture = parseSharpenPattern({ sensor, bands, options });
      return {
        kind: 'picture',
        order: {
          ...common,
          bands: picture.bands,
          nameAlias,
          options: picture.options,
          pixel: readPixel(body),
          file: readFile(body),
        },
      };
    }
  }
}
