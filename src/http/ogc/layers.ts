/**
 * The layers that every OGC door shows, as one list: datasets, the recipes of the caller and the terrain; single scenes are
 * found by their names and not listed.
 */
import { makeTtlCache } from '../../async/index.ts';
import type { SceneName, SceneStore } from '../../catalog/index.ts';
import { isSwathError } from '../../errors.ts';
import type { LonLatBounds } from '../../geo/index.ts';
import type { Recipe, Recipes } from '../../library/index.ts';
import { toZooms } from '../../mosaic/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { parseViewId, sensorByDataset } from '../../sensors/index.ts';
import { DAY_MS } from '../../units.ts';
import { notFound } from '../errors.ts';
import type { MapFacts } from '../kit/tilejson.ts';
import type { AttributionDeps } from '../mosaic/attribution.ts';
import { nameSources } from '../mosaic/attribution.ts';
import type { ScenePicture } from '../recipes/recipe-picture.ts';
import { readPicture, readRecipe } from '../recipes/recipe-picture.ts';
import type { RecipeTilejsonDeps } from '../recipes/recipe-tilejson.ts';
import { describePicture } from '../recipes/recipe-tilejson.ts';
import type { StacDatasets } from '../stac/datasets.ts';
import { toItemId, toViewId } from '../stac/item-properties.ts';
import type { TerrainTilejsonDeps } from '../terrain/tile.ts';
import { describeTerrain } from '../terrain/tile.ts';
import type { LayerStyle } from './layer-styles.ts';
import { listStyles } from './layer-styles.ts';
import type { LayerTime } from './layer-time.ts';

/** What a layer draws. */
export type LayerSource =
  /** The newest clear mosaic of a dataset. */
  | {
      readonly kind: 'dataset';
      readonly sensor: Sensor;
      readonly title: string;
      readonly time: LayerTime;
    }
  | { readonly kind: 'scene'; readonly sensor: Sensor; readonly scene: SceneName }
  | { readonly kind: 'recipe'; readonly recipe: Recipe }
  | { readonly kind: 'terrain'; readonly product: TerrainLayer };

type TerrainLayer = (typeof TERRAIN_LAYERS)[number];

/** A layer that was found by its name: enough to draw it. */
export interface FoundLayer {
  /** Unique among the layers of a caller; letters, digits, `.`, `-` and `_`. */
  readonly name: string;
  readonly source: LayerSource;
  /** At least one; the first is the default. */
  readonly styles: readonly LayerStyle[];
}

/** A layer as documents describe it. */
export interface Layer extends FoundLayer, MapFacts {
  readonly title: string;
  readonly abstract: string;
  /** The days of its scenes; null for a layer without the dimension. */
  readonly time: LayerTime | null;
}

/** The layers of callers. */
export interface Layers {
  /** Those of a key, in a fixed order. */
  list(owner: string): Promise<readonly Layer[]>;
  /** One of them, or a scene; throws when there is none. */
  find(name: string, owner: string): Promise<FoundLayer>;
  /** What documents say of it. */
  describe(layer: FoundLayer): Promise<Layer>;
}

/** What layers are made of. */
export interface LayerDeps extends AttributionDeps {
  readonly scenes: SceneStore;
  readonly datasets: StacDatasets;
  readonly recipes: Pick<Recipes, 'list' | 'find'>;
  readonly listDems: TerrainTilejsonDeps['listDems'];
  /** Describes recipes. */
  readonly recipeDeps: RecipeTilejsonDeps;
  /** The wall clock. */
  readonly now: () => Date;
  /** Monotonic. */
  readonly nowMs: () => number;
}

/** Recipes of a key that are listed; the others are still found by their names. */
const MAX_RECIPES = 100;

/** How long facts are remembered: capabilities are read far more often than scenes come in. */
const FRESH_MS = 10_000;
const MAX_FACTS = 2_000;

const TERRAIN_LAYERS = ['hillshade', 'slope'] as const;
const TERRAIN_TITLES: Readonly<Record<TerrainLayer, string>> = {
  hillshade: 'Terrain: hillshade',
  slope: 'Terrain: slope',
};

const RECIPE = /^recipe\.([0-9a-f]{32})$/;
const SCENE = /^scene\.([\w.-]{1,300})$/;
const TERRAIN = /^terrain\.([a-z]+)$/;

/** The one style of a layer that cannot be drawn in another way. */
const plainStyle = (hasLegend: boolean): LayerStyle => ({
  name: 'default',
  title: 'Default',
  bands: '',
  parameters: {},
  hasLegend,
});

/** Days that a live catalog is said to have: it is not asked for its first scene of all. */
const LIVE_DAYS = 365;

/** Builds the list. */
export function makeLayers(deps: LayerDeps): Layers {
  const facts = makeTtlCache<MapFacts>({ nowMs: deps.nowMs, freshMs: FRESH_MS, max: MAX_FACTS });

  const findDataset = async (dataset: string): Promise<FoundLayer | null> => {
    const found = await deps.datasets.find(dataset);
    // A collection that was described, and has no scenes yet, cannot be drawn.
    if (found === null || !found.hasScenes) return null;
    const { sensor, text } = found;
    const { from, to } = await deps.datasets.readExtent(dataset);
    const today = deps.now().toISOString();
    const first = from ?? new Date(deps.now().getTime() - LIVE_DAYS * DAY_MS).toISOString();
    const time = { from: first.slice(0, 10), to: (to ?? today).slice(0, 10) };
    return {
      name: dataset,
      source: { kind: 'dataset', sensor, title: text.title, time },
      styles: listStyles(sensor),
    };
  };

  const find: Layers['find'] = async (name, owner) => {
    const [, recipeId] = RECIPE.exec(name) ?? [];
    const [, itemId] = SCENE.exec(name) ?? [];
    const [, product] = TERRAIN.exec(name) ?? [];
    const terrain = TERRAIN_LAYERS.find((known) => known === product);
    if (terrain !== undefined) return toTerrain(terrain);
    if (recipeId !== undefined) {
      const recipe = await deps.recipes.find(recipeId, owner);
      if (recipe !== null) return toRecipe(recipe);
    } else if (itemId !== undefined) {
      const scene = await findSceneLayer(itemId, deps);
      if (scene !== null) return scene;
    } else {
      const dataset = await findDataset(name);
      if (dataset !== null) return dataset;
    }
    throw notFound('unknown-layer', `There is no layer "${name.slice(0, 60)}" for this key.`);
  };

  const describe: Layers['describe'] = async (layer) => {
    const { name, source } = layer;
    const key = source.kind === 'recipe' ? `${source.recipe.owner} ${name}` : name;
    const known = await facts.find(key, () => readFacts(source, deps));
    return { ...layer, ...known, ...toWords(source) };
  };

  return {
    find,
    describe,
    async list(owner) {
      const [datasets, recipes, dems] = await Promise.all([
        deps.datasets.list(),
        deps.recipes.list(owner, { after: null, limit: MAX_RECIPES }),
        deps.listDems(),
      ]);
      const found = [
        ...(await Promise.all(datasets.map(({ sensor }) => findDataset(sensor.dataset)))),
        ...recipes.map(toRecipe),
        ...(dems.length === 0 ? [] : TERRAIN_LAYERS.map(toTerrain)),
      ].filter((layer) => layer !== null);
      const layers = await Promise.all(found.map((layer) => describe(layer).catch(orNone)));
      return layers.filter((layer) => layer !== null);
    },
  };
}

/** A recipe whose scene or area was deleted since it was made has nothing to show. */
function orNone(error: unknown): null {
  if (isSwathError(error) && error.tag === 'not-found') return null;
  throw error;
}

/** A recipe with colours for values has a legend: one band or index. */
function toRecipe(recipe: Recipe): FoundLayer {
  const isSingle = !recipe.content.bands.includes(',');
  return { name: `recipe.${recipe.id}`, source: { kind: 'recipe', recipe }, styles: [plainStyle(isSingle)] };
}

const toTerrain = (product: TerrainLayer): FoundLayer => ({
  name: `terrain.${product}`,
  source: { kind: 'terrain', product },
  styles: [plainStyle(product === 'slope')],
});

/** The name of a scene's layer. */
const toSceneLayerName = (viewId: string): string => `scene.${toItemId(viewId)}`;

async function findSceneLayer(itemId: string, { scenes }: LayerDeps): Promise<FoundLayer | null> {
  const viewId = toViewId(itemId);
  if (viewId === null) return null;
  const { sceneName } = parseViewId(viewId);
  const found = await scenes.findByViewId(viewId);
  const sensor = found === null ? null : sensorByDataset(found.dataset);
  if (sensor === null) return null;
  const scene = { viewId, sceneName, sensor };
  return {
    name: toSceneLayerName(viewId),
    source: { kind: 'scene', sensor, scene },
    styles: listStyles(sensor),
  };
}

function toWords(source: LayerSource): Pick<Layer, 'title' | 'abstract' | 'time'> {
  switch (source.kind) {
    case 'dataset': {
      const { title } = source;
      const abstract = `Scenes of ${title}, put together pixel by pixel: the newest one without cloud on top. A day shows the 30 days up to it.`;
      return { title, abstract, time: source.time };
    }
    case 'scene': {
      const { scene, sensor } = source;
      return {
        title: `${sensor.title}: ${scene.viewId}`,
        abstract: `One scene of ${sensor.title}.`,
        time: null,
      };
    }
    case 'recipe':
      return { title: source.recipe.name, abstract: `A recipe: ${source.recipe.content.bands}.`, time: null };
    case 'terrain':
      return {
        title: TERRAIN_TITLES[source.product],
        abstract: 'From the best elevation model that knows the location.',
        time: null,
      };
  }
}

async function readFacts(source: LayerSource, deps: LayerDeps): Promise<MapFacts> {
  switch (source.kind) {
    case 'dataset':
      return describeDataset(source.sensor, deps);
    case 'scene':
      return describePicture(toScenePicture(source.scene, listStyles(source.sensor)[0]), deps.recipeDeps);
    case 'recipe':
      return describePicture(readRecipe(source.recipe), deps.recipeDeps);
    case 'terrain':
      return describeTerrain(await deps.listDems());
  }
}

/** A scene in one of its styles. */
export const toScenePicture = (scene: SceneName, style: LayerStyle | undefined): ScenePicture => {
  const { bands = '', parameters = {} } = style ?? {};
  const content = { scenes: { kind: 'scene', viewId: scene.viewId } as const, bands, query: parameters };
  return { ...(readPicture(content) as ScenePicture), scene };
};

async function describeDataset({ dataset }: Sensor, deps: LayerDeps): Promise<MapFacts> {
  const { box, from } = await deps.datasets.readExtent(dataset);
  const [west, south, east, north] = box;
  const bounds: LonLatBounds = { west, south: Math.max(-85.05, south), east, north: Math.min(85.05, north) };
  const newest = from === null ? null : await findNewest(dataset, deps);
  const coming = { dataset, provenance: 'live', acquiredAt: deps.now().toISOString() };
  return { attribution: await nameSources([newest ?? coming], deps), bounds, ...toZooms([dataset]) };
}

async function findNewest(dataset: string, { scenes }: LayerDeps) {
  const { hits } = await scenes.searchHits({
    datasets: [{ id: dataset, filters: [] }],
    sort: { field: 'date', descending: true },
    offset: 0,
    limit: 1,
  });
  return hits[0] ?? null;
}
