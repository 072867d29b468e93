/** Statistics of an area in the scenes of a recipe. */

import { splitExpressions } from '../../bandmath/index.ts';
import { chooseLevel, findScene } from '../../catalog/index.ts';
import { AREA_REF } from '../areas.ts';
import { badInput } from '../errors.ts';
import { fieldQuery, groupOfBody, groupQuery } from '../fields/take-field.ts';
import type { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import type { Params } from '../kit/fields.ts';
import { toObjectSchema } from '../kit/fields.ts';
import { defineParameters, readExplainMode, text } from '../kit/parameters.ts';
import { toMosaic } from '../mosaic/mosaic-request.ts';
import { answerMosaicStatistics } from '../mosaic/mosaic-values.ts';
import { answerStatistics, readStatisticsOrder, statisticsAnswers } from '../statistics/statistics.ts';
import { statisticsFields } from '../statistics/statistics-fields.ts';
import { readArea } from '../tasks/download-params.ts';
import { makeOwnAccess } from './recipe-access.ts';
import type { RecipeOrderDeps } from './recipe-downloads.ts';
import { toOrderBody } from './recipe-downloads.ts';
import type { MosaicPicture, ScenePicture } from './recipe-picture.ts';
import { isCalibrated, orGone, readRecipe, toPlainBands } from './recipe-picture.ts';
import { withGone } from './recipe-views.ts';

const { geometry, cropper_ref, field, max_cloud_cover_in_aoi, exclude_cover_pixels } = statisticsFields;
const { cloud_masking_level, histogram } = statisticsFields;

const statisticsBody = {
  geometry,
  cropper_ref,
  group: groupOfBody,
  field,
  max_cloud_cover_in_aoi,
  exclude_cover_pixels,
  cloud_masking_level,
  histogram,
};

const areaQuery = defineParameters({
  cropper_ref: text({
    description: 'A stored area, in place of a body; by default that of the recipe.',
    pattern: AREA_REF,
    fallback: null,
  }),
  field: fieldQuery,
  group: groupQuery,
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
      const body = toOrderBody(await request.readOptionalJson());
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
  const explain = readExplainMode(request.query);
  if (taken.order.kind !== 'scenes') return answerStatistics(request, taken, { ...deps, explain });
  const order = { ...taken.order, order: { ...taken.order.order, sceneId } };
  return answerStatistics(request, { ...taken, order }, { ...deps, explain });
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
  const calibrated = isCalibrated(picture);
  const wanted = { mosaic, outline: area.outline, resolutionM: null, calibrated };
  return answerMosaicStatistics(request, wanted, { ...deps, explain: readExplainMode(request.query) });
}
