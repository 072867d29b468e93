/** TileJSON of recipes: what map libraries have to know of a map before they show it. */
import { parseExpressions } from '../../bandmath/index.ts';
import { chooseLevel, findScene } from '../../catalog/index.ts';
import type { LonLatBounds } from '../../geo/index.ts';
import { areaBounds, MAX_ZOOM, MERCATOR_HALF_SIDE_M, outlineBounds } from '../../geo/index.ts';
import type { Recipe } from '../../library/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { findBand, sensorByDataset, toExpressionNames } from '../../sensors/index.ts';
import { findArea } from '../areas.ts';
import { unsupported } from '../errors.ts';
import { roundDegrees } from '../kit/answer-bodies.ts';
import type { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import { defineParameters } from '../kit/parameters.ts';
import type { MapFacts } from '../kit/tilejson.ts';
import { answerTilejson, tilejsonSchema, toTilejson } from '../kit/tilejson.ts';
import type { AttributionDeps } from '../mosaic/attribution.ts';
import { nameSources } from '../mosaic/attribution.ts';
import { toMosaic } from '../mosaic/mosaic-request.ts';
import { describeMosaic } from '../mosaic/tilejson.ts';
import { pictureFailures } from '../pictures/picture.ts';
import { scaleParameter } from '../terrain/tile.ts';
import type { RecipeAccess } from './recipe-access.ts';
import type { MosaicPicture, RecipePicture, ScenePicture } from './recipe-picture.ts';
import { orGone, readRecipe, toPlainBands, viewParameters } from './recipe-picture.ts';
import type { RecipeViewDeps } from './recipe-views.ts';
import { withGone } from './recipe-views.ts';

/** What TileJSON documents are made of. */
export type RecipeTilejsonDeps = RecipeViewDeps & AttributionDeps;

const parameters = defineParameters({ SCALE: scaleParameter, mimetype: viewParameters.mimetype });

/** `…/tilejson.json`. */
export const recipeTilejson = (access: RecipeAccess, deps: RecipeTilejsonDeps): Endpoint => ({
  summary: access.isOwner ? 'TileJSON of a recipe' : 'TileJSON of a map, without a key',
  description:
    'TileJSON 3.0 for map libraries: where the tiles are, which ground and zoom levels they have, and whom a map must name. A key that came in the query is part of the addresses.',
  tag: 'Recipes',
  params: access.params,
  query: parameters,
  answers: withGone(
    {
      200: {
        description: 'The document.',
        content: {
          'application/json': tilejsonSchema({
            center: json.list(json.number(), { min: 3, max: 3 }),
            expires: json.nullable(
              json.string({ description: 'Until when the recipe can be seen without a key.' }),
            ),
          }),
        },
      },
      400: pictureFailures[400] as Endpoint['answers'][number],
      422: { description: 'The recipe has a reference system in which there are no map tiles.' },
    },
    access,
  ),
  handle: (request) => answer(request, access, deps),
});

async function answer(request: ApiRequest, access: RecipeAccess, deps: RecipeTilejsonDeps): Promise<Answer> {
  const isDouble = parameters.SCALE.read(request.query) === '2';
  parameters.mimetype.read(request.query);
  const recipe = await access.find(request);
  const picture = readRecipe(recipe);
  if ((picture.query.epsg ?? 3857) !== 3857) {
    throw unsupported(
      'no-map-tiles',
      'Map tiles are in EPSG:3857, and this recipe has another crs: it has images of bounds only.',
    );
  }
  const facts = await orGone(recipe, access, () => describePicture(picture, deps));
  const { west, south, east, north } = facts.bounds;
  const middle = [toLongitude((west + east) / 2), (south + north) / 2].map(roundDegrees);
  const template = toTemplate(request, { recipe, access, isDouble });
  return answerTilejson({
    ...toTilejson(facts, { name: recipe.name, template }),
    center: [...middle, facts.minzoom],
    tileSize: isDouble ? 512 : 256,
    expires: recipe.share?.expiresAt ?? null,
  });
}

/** Describes the map of a recipe; throws when a part of it does not exist any more. */
export const describePicture = (picture: RecipePicture, deps: RecipeTilejsonDeps): Promise<MapFacts> =>
  picture.kind === 'scene' ? describeScene(picture, deps) : describeSearch(picture, deps);

async function describeScene(picture: ScenePicture, deps: RecipeTilejsonDeps): Promise<MapFacts> {
  const scene = await findScene(deps.scenes, await chooseLevel(deps.scenes, picture.scene));
  const sensor = sensorByDataset(scene.dataset) ?? picture.scene.sensor;
  const bounds = await cropBounds(areaBounds(scene.footprint), picture, deps);
  const attribution = await nameSources([scene], deps);
  return { attribution, bounds, ...toZooms(bounds, findPixelM(sensor, picture)) };
}

async function describeSearch(picture: MosaicPicture, deps: RecipeTilejsonDeps): Promise<MapFacts> {
  const { search } = await toMosaic(picture.path, picture.parameters, deps.areas);
  const facts = await describeMosaic(search, await deps.mosaics.describe(search), deps);
  return { ...facts, bounds: await cropBounds(facts.bounds, picture, deps) };
}

/** The ground that tiles show: that of the scenes, and of it what lies around the recipe's area. */
async function cropBounds(
  whole: LonLatBounds,
  { query: { areaRef } }: RecipePicture,
  { areas }: RecipeTilejsonDeps,
): Promise<LonLatBounds> {
  if (areaRef === null) return whole;
  const area = outlineBounds((await findArea(areaRef, areas)).outline);
  // The area may be a turn of the Earth away from the scene, when one of them crosses the antimeridian.
  const turn =
    [0, 360, -360].find((deg) => area.west + deg <= whole.east && area.east + deg >= whole.west) ?? 0;
  const shared = {
    west: Math.max(whole.west, area.west + turn),
    south: Math.max(whole.south, area.south),
    east: Math.min(whole.east, area.east + turn),
    north: Math.min(whole.north, area.north),
  };
  // An area beside the scene shows nothing anywhere: its own bounds say where.
  return shared.west < shared.east && shared.south < shared.north ? shared : area;
}

/** Metres of the finest pixels that are shown. */
function findPixelM(sensor: Sensor, picture: ScenePicture): number {
  const { inputs } = parseExpressions(toPlainBands(picture), toExpressionNames(sensor));
  const isSharpened = picture.query.options.isSharpened === true || /^\s*PS:/i.test(picture.bands);
  const names = [
    ...inputs.map(({ band }) => band),
    ...(isSharpened && sensor.pansharpening !== null ? [sensor.pansharpening.panBand] : []),
  ];
  const sizes = names.flatMap((name) => findBand(sensor, name)?.resolutionM ?? []);
  return Math.min(...(sizes.length === 0 ? sensor.bands.map(({ resolutionM }) => resolutionM) : sizes));
}

/** Metres of a pixel of zoom 0 at the equator. */
const ZOOM_0_M = (2 * MERCATOR_HALF_SIDE_M) / 256;

/** Pixels of the map that a scene is at least wide or high: on fewer there is nothing to see. */
const MIN_SHOWN_PX = 16;

/** From the zoom level at which the ground can be seen to the one at which a tile has all pixels of the scene. */
function toZooms({ west, south, east, north }: LonLatBounds, pixelM: number) {
  const scale = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const finest = Math.ceil(Math.log2((ZOOM_0_M * scale) / pixelM));
  const maxzoom = Math.min(MAX_ZOOM, Math.max(0, finest));
  const pxAtZoom0 = Math.max(east - west, (north - south) / Math.max(scale, 0.01)) * (256 / 360);
  const coarsest = Math.ceil(Math.log2(MIN_SHOWN_PX / pxAtZoom0));
  return { minzoom: Math.min(maxzoom, Math.max(0, coarsest)), maxzoom };
}

const toLongitude = (lon: number): number => (lon > 180 ? lon - 360 : lon);

/** The address of the tiles, with the format and the key of the query. */
function toTemplate(
  request: ApiRequest,
  {
    recipe,
    access,
    isDouble,
  }: { readonly recipe: Recipe; readonly access: RecipeAccess; readonly isDouble: boolean },
): string {
  const { publicUrl, query } = request;
  const passed = [...query].filter(
    ([name]) => name === 'mimetype' || (access.isOwner && /^api_?key$/i.test(name)),
  );
  const text = new URLSearchParams(passed).toString();
  const path = access.toPath(recipe, request);
  return `${publicUrl}${path}/{z}/{x}/{y}${isDouble ? '@2x' : ''}${text === '' ? '' : `?${text}`}`;
}
