/** What is ordered of a recipe: statistics of an area, and files. */

import { splitExpressions } from '../../bandmath/index.ts';
import { chooseLevel, findScene } from '../../catalog/index.ts';
import type { DownloadKind, DownloadOrders } from '../../exports/index.ts';
import { isObject } from '../../json.ts';
import type { Recipes } from '../../library/index.ts';
import { AREA_REF } from '../areas.ts';
import { badInput, unsupported } from '../errors.ts';
import { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import type { Params } from '../kit/fields.ts';
import { choice, defineFields, toObjectSchema } from '../kit/fields.ts';
import { defineParameters, text as textParameter } from '../kit/parameters.ts';
import { parseSharpenPattern } from '../kit/paths.ts';
import type { MosaicDeps } from '../mosaic/mosaic-picture.ts';
import { toMosaic } from '../mosaic/mosaic-request.ts';
import { measureMosaic, toValueOptions } from '../mosaic/mosaic-values.ts';
import type { PictureDeps } from '../pictures/picture.ts';
import { findNamedThings } from '../pictures/picture.ts';
import { answerStatistics, readStatisticsOrder, statisticsAnswers } from '../statistics/statistics.ts';
import { statisticsFields } from '../statistics/statistics-fields.ts';
import { areaFields, indexFields, readArea } from '../tasks/download-params.ts';
import { pictureFields, readFile, readPixel } from '../tasks/picture-params.ts';
import type { TaskDeps } from '../tasks/task.ts';
import { downloadHost, noStore, orderTask } from '../tasks/task.ts';
import { orderFields, planOrder, readOrderFields } from '../tasks/task-orders.ts';
import { makeOwnAccess } from './recipe-access.ts';
import type { MosaicPicture, ScenePicture } from './recipe-picture.ts';
import { isCalibrated, orGone, readRecipe, toPlainBands } from './recipe-picture.ts';
import { withGone } from './recipe-views.ts';

/** What orders of recipes are read and carried out with. */
export interface RecipeOrderDeps extends TaskDeps, PictureDeps, Pick<MosaicDeps, 'mosaics'> {
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
    summary: 'Statistics of an area in the scenes of a recipe',
    description:
      'The bands or expressions of the recipe in an area: that of the body, of the query, or of the recipe. Of one scene, answered as `/api/statistics` answers: of physical values, without clouds by default. Of a search, answered as `/api/mosaic/statistics/…` answers, in the values that the recipe shows.',
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
      const picture = readRecipe(recipe);
      const ref = areaQuery.cropper_ref.read(request.query) ?? picture.query.areaRef;
      const params = { ...body, ...chooseArea(body, ref) };
      return orGone(recipe, access, () =>
        picture.kind === 'scene'
          ? measureScene(request, { picture, params }, deps)
          : measureSearch(request, { picture, params }, deps),
      );
    },
  };
};

/** The area of a body; otherwise the stored one of this reference. */
const chooseArea = (body: Params, ref: string | null): Params =>
  body.geometry == null && (body.cropper_ref ?? '') === '' ? { cropper_ref: ref } : {};

interface Measured<Picture> {
  readonly picture: Picture;
  readonly params: Params;
}

/** Measures the one scene, as the statistics of its day do. */
async function measureScene(
  request: ApiRequest,
  { picture, params }: Measured<ScenePicture>,
  deps: RecipeOrderDeps,
): Promise<Answer> {
  const named = await chooseLevel(deps.scenes, picture.scene);
  const { sceneId, dataset, acquiredAt } = await findScene(deps.scenes, named);
  const day = acquiredAt.slice(0, 10);
  const own = Object.fromEntries(Object.keys(statisticsBody).map((name) => [name, params[name]]));
  const ordered: Params = {
    ...own,
    bm_type: splitExpressions(toPlainBands(picture)),
    sensors: [dataset],
    date_start: day,
    date_end: day,
    limit: 1,
  };
  const taken = await readStatisticsOrder(request, ordered, deps);
  if (taken.order.kind !== 'scenes') return answerStatistics(request, taken, deps);
  const order = { ...taken.order, order: { ...taken.order.order, sceneId } };
  return answerStatistics(request, { ...taken, order }, deps);
}

/** Measures the mosaic. */
async function measureSearch(
  request: ApiRequest,
  { picture, params }: Measured<MosaicPicture>,
  deps: RecipeOrderDeps,
): Promise<Answer> {
  const area = await readArea(params, request.ticket, deps);
  if (area?.kind !== 'outline') {
    throw badInput(
      'bad-area',
      'An area is required: a geometry or a cropper_ref in the body, or in the query.',
    );
  }
  const mosaic = await toMosaic(picture.path, picture.parameters, deps.areas);
  const options = { ...toValueOptions(picture.parameters), calibrated: isCalibrated(picture) };
  const wanted = { mosaic, outline: area.outline, resolutionM: null, options };
  return Answer.json(await measureMosaic(request, wanted, deps), { headers: noStore });
}

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
      const picture = readRecipe(recipe);
      if (picture.kind === 'search') {
        throw unsupported('no-mosaic-file', 'Files are made of recipes of one scene, and not of a search.');
      }
      return orGone(recipe, access, async () => {
        const nameAlias = downloadFields.name_alias.read(body) || recipe.name;
        const area = await readArea(
          { ...body, ...chooseCrop(body, picture.query.areaRef) },
          request.ticket,
          deps,
        );
        const { kind, order } = await toOrder(picture, body, { nameAlias, area, deps });
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
  picture: ScenePicture,
  body: Params,
  { nameAlias, area, deps }: OrderParts,
): Promise<RecipeOrder> {
  const { scene, bands, query } = picture;
  const { viewId, sceneName, sensor } = scene;
  const common = { viewId, sceneName, sensor: sensor.abbreviation, area };
  const plainBands = toPlainBands(picture);
  switch (downloadFields.type.read(body)) {
    case 'lbe':
      return {
        kind: 'bands',
        order: { ...common, bands: splitExpressions(plainBands), merge: true, metadata: [] },
      };
    case 'bandmath':
      if (isCalibrated(picture)) {
        throw unsupported(
          'calibrated-recipe',
          'This recipe computes with physical values (CALIBRATE or STRETCH=natural), and files of type bandmath with stored numbers. Order type jpeg, or make a recipe without them.',
        );
      }
      return { kind: 'index', order: { ...common, expressions: plainBands, nameAlias } };
    case 'jpeg': {
      const { format: _, area: _ref, watermark: _none, ...options } = await findNamedThings(query, deps);
      const drawn = parseSharpenPattern({ sensor, bands, options });
      return {
        kind: 'picture',
        order: {
          ...common,
          bands: drawn.bands,
          nameAlias,
          options: drawn.options,
          pixel: readPixel(body),
          file: readFile(body),
        },
      };
    }
  }
}
