/** What the routes are made of, by subject. */
import type { About } from '../about.ts';
import type { AreaDeps } from '../areas.ts';
import type { ClassesDeps } from '../classes/classes.ts';
import type { ColorbarDeps } from '../colormaps.ts';
import type { FieldFileDeps } from '../fields/field-files.ts';
import type { GroupDeps } from '../fields/groups.ts';
import type { Readiness } from '../health.ts';
import type { Metrics } from '../metrics.ts';
import type { MosaicDeps } from '../mosaic/mosaic-picture.ts';
import type { PyramidDeps } from '../mosaic/pyramid.ts';
import type { CoverageDeps } from '../ogc/coverages.ts';
import type { TileSetFile } from '../ogc/custom-tile-sets.ts';
import { parseTileSets } from '../ogc/custom-tile-sets.ts';
import { makeLayers } from '../ogc/layers.ts';
import { makeTileMatrixSets } from '../ogc/tile-matrix-sets.ts';
import type { XyzDeps } from '../ogc/xyz.ts';
import type { ViewerFiles } from '../pages/viewer.ts';
import type { PictureDeps } from '../pictures/picture.ts';
import type { ThumbnailAddressDeps } from '../pictures/thumbnails.ts';
import { makeThumbnailCache } from '../pictures/thumbnails.ts';
import { makePublicAccess } from '../recipes/public-recipes.ts';
import { makeOwnAccess } from '../recipes/recipe-access.ts';
import type { RecipeDeps } from '../recipes/recipes.ts';
import type { SceneOrigins } from '../reference.ts';
import type { SearchDeps } from '../search/search.ts';
import type { CollectionTransactionDeps } from '../stac/collection-transactions.ts';
import { makeStacDatasets } from '../stac/datasets.ts';
import type { SceneFileDeps } from '../stac/files.ts';
import { makeKnownItems } from '../stac/known-items.ts';
import type { TransactionDeps } from '../stac/transactions.ts';
import type { ResultDeps } from '../tasks/result.ts';
import type { TaskDeps } from '../tasks/task.ts';
import type { ElevationDeps, ProfileDeps } from '../terrain/elevations.ts';
import type { TerrainStatisticsDeps } from '../terrain/statistics.ts';
import type { TerrainTileDeps, TerrainTilejsonDeps } from '../terrain/tile.ts';
import type { IntensityDeps } from '../values/intensity-range.ts';
import type { PointDeps } from '../values/point.ts';
import type { SubscriptionDeps } from '../watch/subscriptions.ts';
import type { WeatherDeps } from '../weather/weather-request.ts';
import type { ZonesDeps } from '../zones/zones.ts';
import type { PeopleRouteDeps } from './people-routes.ts';

/** What monitoring reads. */
export interface MonitoringDeps {
  readonly readReadiness: () => Promise<Readiness>;
  readonly metrics: Metrics;
  /** Who may read the metrics. */
  readonly metricsAccess: 'open' | 'read' | 'none';
}

/** What endpoints of several subjects need: the catalog, what keys have stored, and how long answers may be cached. */
interface SharedDeps extends AreaDeps, Pick<PictureDeps, 'scenes' | 'colormaps'> {
  /** How long clients may cache what was drawn or measured. */
  readonly maxAgeS: number;
}

/** The services of one subject, without what all subjects share. */
type ServicesOf<Deps> = Omit<Deps, keyof SharedDeps | 'metrics'>;

/** What the routes are made of, by subject. */
export interface RouteDeps {
  readonly shared: SharedDeps;
  readonly rendering: ServicesOf<PictureDeps & IntensityDeps & PointDeps & ColorbarDeps>;
  readonly mosaics: MosaicDeps['mosaics'];
  readonly pyramids: PyramidDeps['pyramids'];
  readonly zones: ZonesDeps['zones'];
  readonly classes: ClassesDeps['classes'];
  readonly planCoverage: CoverageDeps['planCoverage'];
  readonly search: Pick<SearchDeps, 'measureCoverage'>;
  readonly thumbnails: ThumbnailAddressDeps;
  readonly terrain: ServicesOf<
    TerrainTileDeps & ElevationDeps & ProfileDeps & TerrainStatisticsDeps & TerrainTilejsonDeps
  >;
  readonly weather: ServicesOf<WeatherDeps>;
  readonly tasks: ServicesOf<TaskDeps>;
  readonly recipes: RecipeDeps;
  readonly tileTokens: Pick<XyzDeps, 'readTileTokens'>;
  /** Tile matrix sets of the operator. */
  readonly tileSetFiles: readonly TileSetFile[];
  readonly sceneFiles: Omit<SceneFileDeps, 'scenes'>;
  readonly itemWriter: TransactionDeps['itemWriter'];
  readonly datasetTexts: CollectionTransactionDeps['datasetTexts'];
  readonly fields: GroupDeps['fields'];
  readonly watches: Pick<SubscriptionDeps, 'subscriptions' | 'mayMail' | 'now'>;
  readonly fieldFiles: FieldFileDeps['fieldFiles'];
  readonly results: ResultDeps;
  readonly people: PeopleRouteDeps;
  readonly monitoring: MonitoringDeps;
  readonly pages: {
    readonly version: string;
    readonly viewer: ViewerFiles;
    readonly origins: SceneOrigins;
    /** The monotonic clock. */
    readonly nowMs: () => number;
    /** The text over previews. */
    readonly watermark: string;
    readonly about: About;
  };
}

/** What the endpoints of each subject take. */
export type Services = ReturnType<typeof wireServices>;

/** Gives every subject what it shares with others. */
export function wireServices(deps: RouteDeps) {
  const { results, monitoring, pages } = deps;
  const { areas, colormaps } = deps.shared;
  const shared = { ...deps.shared, metrics: monitoring.metrics };
  const search = { ...shared, ...deps.search, ...deps.thumbnails };
  const pictures = { ...shared, ...deps.rendering };
  const thumbnails = { ...pictures, ...deps.thumbnails, thumbnailCache: makeThumbnailCache() };
  const mosaics = { ...shared, mosaics: deps.mosaics, explainer: deps.rendering.explainer };
  const pyramids = { ...shared, pyramids: deps.pyramids, tasks: deps.tasks.tasks };
  const zones = { ...shared, zones: deps.zones, version: pages.version };
  const classes = { ...shared, classes: deps.classes };
  const terrain = { ...shared, ...deps.terrain };
  const weather = { ...shared, ...deps.weather };
  const tasks = { ...shared, ...deps.tasks };
  const watches = { ...tasks, ...deps.watches };
  const recipes = { ...pictures, ...mosaics, ...deps.recipes, origins: pages.origins };
  const fields = { ...deps.recipes, ...shared, fields: deps.fields };
  const files = { fieldFiles: deps.fieldFiles, tasks: deps.tasks.tasks };
  const [own, everyone] = [makeOwnAccess(deps.recipes.recipes), makePublicAccess(deps.recipes.now)];
  const stac = {
    ...search,
    ...deps.sceneFiles,
    ...deps.tileTokens,
    itemWriter: deps.itemWriter,
    datasetTexts: deps.datasetTexts,
    origins: pages.origins,
    recipes: deps.recipes.recipes,
    knownItems: makeKnownItems(),
    datasets: makeStacDatasets({
      ...shared,
      datasetTexts: deps.datasetTexts,
      origins: pages.origins,
      nowMs: pages.nowMs,
    }),
  };
  const ogc: XyzDeps & CoverageDeps = {
    planCoverage: deps.planCoverage,
    ...deps.tileTokens,
    ...recipes,
    ...terrain,
    layers: makeLayers({
      ...stac,
      recipes: deps.recipes.recipes,
      listDems: deps.terrain.listDems,
      recipeDeps: recipes,
      now: deps.recipes.now,
      nowMs: pages.nowMs,
    }),
    tileSets: makeTileMatrixSets(parseTileSets(deps.tileSetFiles)),
    version: pages.version,
  };
  return {
    areas,
    colormaps,
    results,
    pages,
    shared,
    search,
    pictures,
    thumbnails,
    mosaics,
    pyramids,
    zones,
    classes,
    terrain,
    weather,
    tasks,
    watches,
    recipes,
    fields,
    files,
    stac,
    ogc,
    own,
    everyone,
    isThumbnailSigned: deps.thumbnails.thumbnails !== 'off',
  };
}
