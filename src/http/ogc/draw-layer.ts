/** Pictures, values and legends of layers, by the same planner and renderer as those of the first door. */
import { chooseLevel, findScene } from '../../catalog/index.ts';
import type { ColorPlan, Stretch } from '../../color/index.ts';
import { parseColormapName, planColormap, shownRange } from '../../color/index.ts';
import { isSwathError } from '../../errors.ts';
import type { Size } from '../../geo/index.ts';
import type { Period } from '../../mosaic/index.ts';
import type { PictureGround } from '../../render/index.ts';
import { toPictureGrid, toWholeGrid } from '../../render/index.ts';
import type { ColorbarDeps } from '../colormaps.ts';
import { badInput, unsupported } from '../errors.ts';
import { toShortest } from '../kit/answer-bodies.ts';
import { Answer, answerCached, toCacheHeaders } from '../kit/answers.ts';
import type { ApiRequest } from '../kit/endpoint.ts';
import type { Query } from '../kit/parameters.ts';
import type { EndingFormat } from '../kit/paths.ts';
import { parseSharpenPattern } from '../kit/paths.ts';
import { answerMosaic } from '../mosaic/mosaic-picture.ts';
import { toMosaic } from '../mosaic/mosaic-request.ts';
import { answerMosaicPoint } from '../mosaic/mosaic-values.ts';
import type { PictureQuery } from '../pictures/picture.ts';
import { answerPicture, findNamedThings, parsePictureQuery } from '../pictures/picture.ts';
import { inUnits } from '../pictures/styling.ts';
import type { RecipePicture } from '../recipes/recipe-picture.ts';
import { isCalibrated, orGone, readRecipe, toPlainBands } from '../recipes/recipe-picture.ts';
import type { RecipeViewDeps } from '../recipes/recipe-views.ts';
import { refuseOutside, WHOLE_PX } from '../recipes/recipe-views.ts';
import type { ElevationDeps } from '../terrain/elevations.ts';
import { parseProduct } from '../terrain/product.ts';
import type { TerrainTileDeps } from '../terrain/tile.ts';
import { answerTerrain, toTerrainRange } from '../terrain/tile.ts';
import { answerPoint } from '../values/point.ts';
import type { LayerStyle } from './layer-styles.ts';
import { readTime } from './layer-time.ts';
import type { FoundLayer, LayerSource } from './layers.ts';
import { toScenePicture } from './layers.ts';

/** What layers are drawn and measured with. */
export type DrawLayerDeps = RecipeViewDeps & TerrainTileDeps & ElevationDeps & ColorbarDeps;

/** A layer in one of its styles, at a time. */
export interface ChosenLayer {
  readonly layer: FoundLayer;
  readonly style: LayerStyle;
  /** The value of the time dimension; null for the newest. */
  readonly time: string | null;
}

/** Where a picture is, and how it is sent. */
export interface LayerView {
  readonly ground: PictureGround;
  /** Null for a tile of 256 pixels a side. */
  readonly size: Size | null;
  /** The reference system of the picture; null for that of map tiles. */
  readonly epsg: number | null;
  readonly format: EndingFormat;
  /** The colour behind transparent pixels, `0xrrggbb`; they stay transparent without. */
  readonly background?: number;
}

/** A style of a layer by its name; without one the default. */
export function findStyle({ name, styles }: FoundLayer, wanted: string): LayerStyle {
  const [first] = styles;
  if (first !== undefined && (wanted === '' || wanted === 'default')) return first;
  const found = styles.find((style) => style.name === wanted);
  if (found !== undefined) return found;
  const names = styles.map((style) => style.name).join(', ');
  throw badInput(
    'unknown-style',
    `The layer ${name} has no style "${wanted.slice(0, 40)}"; it has ${names}.`,
  );
}

/** Draws a picture of a layer, unless the client has it already. */
export async function answerLayer(
  request: ApiRequest,
  chosen: ChosenLayer,
  view: LayerView,
  deps: DrawLayerDeps,
): Promise<Answer> {
  const { source } = chosen.layer;
  if (source.kind === 'terrain') return answerRelief(request, source.product, view, deps);
  const startedAt = performance.now();
  const picture = toPicture(source, chosen);
  const shown: PictureQuery = {
    ...picture.query,
    size: view.size,
    epsg: view.epsg,
    options: { ...picture.query.options, format: view.format },
  };
  const grid = toPictureGrid(view.ground, shown);
  return whole(source, async () => {
    const { background } = view;
    const named = await findNamedThings(shown, deps);
    const options = background === undefined ? named : { ...named, background };
    if (picture.kind === 'search') {
      const mosaic = await toMosaic(picture.path, picture.parameters, deps.areas);
      return answerMosaic(request, { ...mosaic, grid, options }, deps);
    }
    const { scene, bands } = picture;
    return answerPicture(request, { ...scene, bands, grid, options }, { ...deps, startedAt });
  });
}

/** Says of a recipe which part of it is gone. */
const whole = <Result>(source: LayerSource, work: () => Promise<Result>): Promise<Result> =>
  source.kind === 'recipe' ? orGone(source.recipe, { isOwner: true }, work) : work();

/** What is drawn, without its place. */
function toPicture(
  source: Exclude<LayerSource, { readonly kind: 'terrain' }>,
  { style, time }: ChosenLayer,
): RecipePicture {
  switch (source.kind) {
    case 'recipe':
      return readRecipe(source.recipe);
    case 'scene':
      return toScenePicture(source.scene, style);
    case 'dataset': {
      const { bands } = style;
      const period: Period = readTime(time, source.time);
      const parameters: Query = new Map(Object.entries(style.parameters));
      const path = { datasets: [source.sensor.dataset], period, bands };
      return { kind: 'search', bands, query: parsePictureQuery(parameters), path, parameters };
    }
  }
}

type TerrainProductName = Extract<LayerSource, { readonly kind: 'terrain' }>['product'];

const toTerrainQuery = (product: TerrainProductName, format: EndingFormat): Query =>
  new Map([
    ['format', product],
    ['mimetype', `image/${format}`],
  ]);

async function answerRelief(
  request: ApiRequest,
  name: TerrainProductName,
  view: LayerView,
  deps: DrawLayerDeps,
): Promise<Answer> {
  if ((view.epsg ?? 3857) !== 3857)
    throw unsupported('no-layer-crs', 'Layers of the terrain are drawn in EPSG:3857 only.');
  const product = await parseProduct(toTerrainQuery(name, view.format), 0, deps.colormaps);
  const grid = toPictureGrid(view.ground, view);
  return answerTerrain(request, { grid, isFiltered: false, product }, deps);
}

/** A place on Earth. */
interface Place {
  readonly lat: number;
  readonly lon: number;
}

/** Reads the values of a layer at a place: what a point of the first door answers. */
export async function answerLayerPoint(
  request: ApiRequest,
  chosen: ChosenLayer,
  point: Place,
  deps: DrawLayerDeps,
): Promise<Answer> {
  const { source } = chosen.layer;
  if (source.kind === 'terrain') {
    const height = await deps.readElevation(point, request.ticket);
    const body = { index_value: height === null ? null : toShortest(height) };
    return Answer.json(body, { headers: toCacheHeaders(height === null ? 0 : deps.maxAgeS) });
  }
  const picture = toPicture(source, chosen);
  const calibrated = isCalibrated(picture);
  return whole(source, () =>
    orNothing(async () => {
      await refuseOutside(point, picture.query.areaRef, deps.areas);
      if (picture.kind === 'search') {
        const mosaic = await toMosaic(picture.path, picture.parameters, deps.areas);
        return answerMosaicPoint(request, { mosaic, point, calibrated }, deps);
      }
      const wanted = { ...picture.scene, bands: toPlainBands(picture), point, calibrated };
      return answerPoint(request, wanted, deps);
    }),
  );
}

/** Beside the scene or the area of a layer there is nothing: programs ask for the values wherever people click. */
async function orNothing(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!isSwathError(error) || !['outside-scene', 'outside-area'].includes(error.code)) throw error;
    return Answer.json({ index_value: null }, { headers: toCacheHeaders(0) });
  }
}

/** The colours and values of a legend. */
interface LegendColors {
  readonly plan: ColorPlan;
  readonly range: Stretch;
}

/** Draws the legend of a layer: its colours from left to right, with ticks at round values. */
export async function answerLayerLegend(
  request: ApiRequest,
  chosen: ChosenLayer,
  size: Size,
  deps: DrawLayerDeps,
): Promise<Answer> {
  const found = await whole(chosen.layer.source, () => findLegend(request, chosen, deps));
  if (found === null) {
    const { layer, style } = chosen;
    throw unsupported(
      'no-legend',
      `The style ${style.name} of ${layer.name} has no legend: its colours are three bands.`,
    );
  }
  const { labels: _, ...plan } = found.plan as ColorPlan & { readonly labels?: unknown };
  const job = { plan: plan as ColorPlan, size, range: found.range };
  return answerCached(request, {
    content: JSON.stringify(job),
    type: 'image/png',
    maxAgeS: deps.maxAgeS,
    read: () => deps.drawColorbar(job, request.ticket),
  });
}

async function findLegend(
  request: ApiRequest,
  chosen: ChosenLayer,
  deps: DrawLayerDeps,
): Promise<LegendColors | null> {
  const { source } = chosen.layer;
  if (source.kind === 'terrain') {
    const product = await parseProduct(toTerrainQuery(source.product, 'png'), 0, deps.colormaps);
    if (!('color' in product)) return null;
    const range = toTerrainRange(product);
    return { plan: product.color ?? toGrey(range), range };
  }
  const picture = toPicture(source, chosen);
  const options = await findNamedThings(picture.query, deps);
  const { ticket } = request;
  if (picture.kind === 'search') {
    const mosaic = await toMosaic(picture.path, picture.parameters, deps.areas);
    const planned = await deps.mosaics.planSomewhere({ ...mosaic, options });
    const contrast = await deps.mosaics.findContrast(planned, ticket);
    return toColors(planned.look.color, contrast);
  }
  const scene = await chooseLevel(deps.scenes, picture.scene);
  const { footprint } = await findScene(deps.scenes, scene);
  const grid = toWholeGrid(footprint, WHOLE_PX);
  const wanted = parseSharpenPattern({ ...picture.scene, ...scene, bands: picture.bands, grid, options });
  const planned = await deps.renderer.plan(wanted);
  const contrast = await deps.renderer.findContrast(planned, ticket);
  return toColors(await deps.renderer.findColor(planned, ticket), contrast);
}

function toColors(color: ColorPlan | null, contrast: readonly Stretch[]): LegendColors | null {
  const [first] = contrast;
  if (first === undefined || (color === null && contrast.length !== 1)) return null;
  const range = inUnits(shownRange(color, first) ?? first);
  return { plan: color ?? toGrey(range), range };
}

const toGrey = (range: { readonly min: number; readonly max: number }): ColorPlan =>
  planColormap(parseColormapName('gray') as never, { colorsLimit: null, range });
