/** What a recipe shows: its tiles and images, its legend and the values at a point. */

import { chooseLevel, findScene } from '../../catalog/index.ts';
import { sideOf } from '../../geo/index.ts';
import type { Areas } from '../../library/index.ts';
import { toPictureGrid, toWholeGrid } from '../../render/index.ts';
import { findArea } from '../areas.ts';
import { notFound } from '../errors.ts';
import type { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { EXAMPLE_SCENE } from '../kit/endpoint.ts';
import type { ExplainMode } from '../kit/parameters.ts';
import { readExplainMode } from '../kit/parameters.ts';
import { parsePosition, pointParameters, positionParameters } from '../kit/paths.ts';
import type { MosaicDeps } from '../mosaic/mosaic-picture.ts';
import { answerMosaic, answerMosaicLegend } from '../mosaic/mosaic-picture.ts';
import { toMosaic } from '../mosaic/mosaic-request.ts';
import { answerMosaicPoint } from '../mosaic/mosaic-values.ts';
import { answerLegend, legendAnswers } from '../pictures/legend.ts';
import type { PictureDeps } from '../pictures/picture.ts';
import { answerPicture, findNamedThings, pictureAnswers } from '../pictures/picture.ts';
import type { PointDeps } from '../values/point.ts';
import { answerPoint, pointAnswers } from '../values/point.ts';
import type { RecipeAccess } from './recipe-access.ts';
import {
  isCalibrated,
  orGone,
  readRecipe,
  toPlainBands,
  viewParameters,
  withView,
} from './recipe-picture.ts';

/** What the views of a recipe are made of. */
export type RecipeViewDeps = PictureDeps & PointDeps & MosaicDeps;

/** Documented answers of the views of a recipe, and the refusals when the recipe or a part of it is gone. */
export const withGone = (answers: Endpoint['answers'], { isOwner }: RecipeAccess): Endpoint['answers'] => ({
  ...answers,
  404: {
    description: isOwner ? 'This key has no such recipe; or no such tile.' : 'No such map, or no such tile.',
  },
  410: {
    description: isOwner
      ? 'The scene, area or colormap of the recipe does not exist any more (recipe-part-gone).'
      : 'The map has expired or is not public any more, or what it shows does not exist any more.',
  },
});

/** Explanations tell about files and caches: they are for the owner. */
const readExplain = ({ query }: ApiRequest, { isOwner }: RecipeAccess): ExplainMode | null =>
  isOwner ? readExplainMode(query) : null;

/** `…/{z}/{x}/{y}`: a tile or an image. */
export const recipePicture = (access: RecipeAccess, deps: RecipeViewDeps): Endpoint => ({
  summary: access.isOwner ? 'A map tile or an image of a recipe' : 'A map tile or an image, without a key',
  description:
    'Addresses end as those of pictures do: a tile, or bounds in place of x and y, and `@2x` or a format behind it. The recipe says all else.',
  tag: 'Recipes',
  params: { ...access.params, ...positionParameters },
  query: viewParameters,
  answers: withGone(pictureAnswers, access),
  async handle(request): Promise<Answer> {
    const startedAt = performance.now();
    const { ground, ending } = parsePosition(request.params);
    const recipe = await access.find(request);
    const picture = readRecipe(recipe);
    const explain = readExplain(request, access);
    const shown = withView(picture.query, request.query, ending);
    const grid = toPictureGrid(ground, shown);
    const maxAgeS = access.toMaxAgeS(recipe, deps.maxAgeS);
    return orGone(recipe, access, async () => {
      const options = await findNamedThings(shown, deps);
      if (picture.kind === 'search') {
        const mosaic = await toMosaic(picture.path, picture.parameters, deps.areas);
        return answerMosaic(request, { ...mosaic, grid, options }, { ...deps, maxAgeS, explain });
      }
      const { scene, bands } = picture;
      const wanted = { ...scene, bands, grid, options };
      return answerPicture(request, wanted, { ...deps, maxAgeS, startedAt, explain });
    });
  },
});

/** Pixels of the longer side of the picture that a legend is planned with; its colours do not depend on it. */
export const WHOLE_PX = 256;

/** `…/legend`: what its colours mean. */
export const recipeLegend = (access: RecipeAccess, deps: RecipeViewDeps): Endpoint => ({
  summary: access.isOwner ? 'The legend of a recipe' : 'The legend of a map, without a key',
  description: 'The colours and values that its pictures use, with the contrast of its scenes.',
  tag: 'Recipes',
  params: access.params,
  answers: withGone(legendAnswers, access),
  async handle(request): Promise<Answer> {
    const recipe = await access.find(request);
    const picture = readRecipe(recipe);
    const explain = readExplain(request, access);
    const maxAgeS = access.toMaxAgeS(recipe, deps.maxAgeS);
    return orGone(recipe, access, async () => {
      const options = await findNamedThings(picture.query, deps);
      if (picture.kind === 'search') {
        const mosaic = await toMosaic(picture.path, picture.parameters, deps.areas);
        const planned = await deps.mosaics.planSomewhere({ ...mosaic, options });
        return answerMosaicLegend(request, planned, { ...deps, maxAgeS, explain });
      }
      const { scene, bands } = picture;
      const { footprint } = await findScene(deps.scenes, await chooseLevel(deps.scenes, scene));
      const grid = toWholeGrid(footprint, WHOLE_PX);
      return answerLegend(request, { ...scene, bands, grid, options }, { ...deps, maxAgeS, explain });
    });
  },
});

const position = pointParameters(EXAMPLE_SCENE);

/** `…/point/{lat}/{lon}`: the values of its bands or expressions. */
export const recipePoint = (access: RecipeAccess, deps: RecipeViewDeps): Endpoint => ({
  summary: access.isOwner
    ? 'The values of a recipe at a point'
    : 'The values of a map at a point, without a key',
  description:
    'The values of its bands or expressions at full resolution, as points of scenes or of mosaics are answered; physical ones if the recipe has CALIBRATE or STRETCH=natural.',
  tag: 'Recipes',
  params: { ...access.params, ...position },
  answers: withGone(pointAnswers, access),
  async handle(request): Promise<Answer> {
    const point = {
      lat: position.lat.parse(request.params.lat),
      lon: position.lon.parse(request.params.lon),
    };
    const recipe = await access.find(request);
    const picture = readRecipe(recipe);
    const calibrated = isCalibrated(picture);
    const explain = readExplain(request, access);
    const maxAgeS = access.toMaxAgeS(recipe, deps.maxAgeS);
    return orGone(recipe, access, async () => {
      await refuseOutside(point, picture.query.areaRef, deps.areas);
      if (picture.kind === 'search') {
        const mosaic = await toMosaic(picture.path, picture.parameters, deps.areas);
        return answerMosaicPoint(request, { mosaic, point, calibrated }, { ...deps, maxAgeS, explain });
      }
      const wanted = { ...picture.scene, bands: toPlainBands(picture), point, calibrated };
      return answerPoint(request, wanted, { ...deps, maxAgeS, explain });
    });
  },
});

/** Refuses points outside of the area of a recipe: its pictures are transparent there. */
export async function refuseOutside(
  { lat, lon }: { readonly lat: number; readonly lon: number },
  areaRef: string | null,
  areas: Areas,
): Promise<void> {
  if (areaRef === null) return;
  const { outline } = await findArea(areaRef, areas);
  if (sideOf(outline, null, [lon, lat]) === 0)
    throw notFound('outside-area', 'This point lies outside of the area of the recipe.');
}
