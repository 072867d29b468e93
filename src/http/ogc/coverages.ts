/** OGC API - Coverages: values of a layer as a GeoTIFF, read by what makes files of mosaics. */
import { findScene } from '../../catalog/index.ts';
import type { CoverageOrder, PlanCoverage } from '../../exports/index.ts';
import { MAX_COVERAGE_SAMPLES } from '../../exports/index.ts';
import type { Mosaic } from '../../mosaic/index.ts';
import { finestM } from '../../mosaic/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { findBand, sensorByDataset } from '../../sensors/index.ts';
import { badInput, unsupported } from '../errors.ts';
import type { Answer } from '../kit/answers.ts';
import { answerCached } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { toMosaic } from '../mosaic/mosaic-request.ts';
import { isCalibrated, orGone, readRecipe, toPlainBands } from '../recipes/recipe-picture.ts';
import { coverageParameters, readGrid, readPlace } from './coverage-request.ts';
import { writeProblem } from './door-errors.ts';
import type { OgcDeps } from './layer-request.ts';
import { layerFailures } from './layer-request.ts';
import { measuresOf } from './layer-styles.ts';
import { readTime } from './layer-time.ts';
import type { Layer, LayerSource } from './layers.ts';
import { COVERAGE_TYPE, collectionParams, findLayer } from './ogc-api.ts';

/** What coverages are read with. */
export interface CoverageDeps extends OgcDeps {
  readonly planCoverage: PlanCoverage;
}

/** `GET /ogc/collections/{collection}/coverage`. */
export const ogcCoverage = (deps: CoverageDeps): Endpoint => ({
  summary: 'OGC API: values of a layer as a GeoTIFF',
  description:
    'Numbers are float32, and NaN where there is nothing; bands have the order of properties, and their names as descriptions.',
  tag: 'OGC',
  params: collectionParams,
  query: coverageParameters,
  answers: {
    200: { description: 'The file.', content: { [COVERAGE_TYPE]: null } },
    304: { description: 'The file you have (If-None-Match) is still current.' },
    ...layerFailures,
  },
  writeError: writeProblem,
  async handle(request) {
    const format = request.query.get('f') ?? 'geotiff';
    if (!['geotiff', 'tiff', 'tif', 'image/tiff', COVERAGE_TYPE].includes(format.toLowerCase()))
      throw badInput('bad-format', 'Coverages are sent as GeoTIFF: f=geotiff.');
    const layer = await findLayer(request, deps);
    const work = async (): Promise<Answer> => {
      const { content, read } = await deps.planCoverage(await toOrder(request, layer, deps));
      const answer = await answerCached(request, {
        content,
        type: COVERAGE_TYPE,
        // A scene may come in at any time.
        maxAgeS: 0,
        read: () => read(request.ticket),
      });
      answer.headers.set('content-disposition', `attachment; filename="${layer.name}.tif"`);
      return answer;
    };
    const { source } = layer;
    return source.kind === 'recipe' ? orGone(source.recipe, { isOwner: true }, work) : work();
  },
});

async function toOrder(request: ApiRequest, layer: Layer, deps: CoverageDeps): Promise<CoverageOrder> {
  const { query } = request;
  const { west, south, east, north } = layer.bounds;
  const place = readPlace(query, { minX: west, minY: south, maxX: east, maxY: north });
  const { sensors, bands: own, ...content } = await findContent(layer.source, place.time, deps);
  const given = query.get('properties');
  const bands = given === undefined ? own : readProperties(given);
  const names = bands.split(',');
  const pixelM = Math.min(...sensors.map((sensor) => finestOf(sensor, names)));
  const maxPixels = MAX_COVERAGE_SAMPLES / names.length;
  return { ...content, bands, grid: readGrid(query, place, { pixelM, maxPixels }) };
}

/** Names of bands and indices; band math is for the first door. */
function readProperties(list: string): string {
  if (/^[A-Za-z]\w{0,40}(?:,[A-Za-z]\w{0,40}){0,31}$/.test(list)) return list;
  throw badInput(
    'bad-properties',
    'properties are names of bands or indices with commas between them, at most 32.',
  );
}

/** The finest pixels of some bands; of an index those of the sensor. */
const finestOf = (sensor: Sensor, names: readonly string[]): number =>
  Math.min(...names.map((name) => findBand(sensor, name)?.resolutionM ?? finestM([sensor.dataset])));

interface Content extends Omit<CoverageOrder, 'grid'> {
  readonly sensors: readonly Sensor[];
}

/** Nothing is left out of a scene, and pixels are picked. */
const ALL_OF_IT: Mosaic['composition'] = {
  selection: { kind: 'newest' },
  masked: { clouds: false, cirrus: false, shadows: false },
  dilateM: 0,
  featherPx: 0,
};

async function findContent(source: LayerSource, time: string | null, deps: CoverageDeps): Promise<Content> {
  switch (source.kind) {
    case 'terrain':
      throw unsupported('no-coverage', 'The terrain is a map only: GET /api/dem gives its heights.');
    case 'dataset': {
      const { sensor } = source;
      const bands = measuresOf(sensor).join();
      const path = { datasets: [sensor.dataset], period: readTime(time, source.time), bands };
      const mosaic = await toMosaic(path, new Map(), deps.areas);
      return { mosaic, scene: null, bands, calibrated: false, sensors: [sensor] };
    }
    case 'scene':
      return toSceneContent(source, null, deps);
    case 'recipe': {
      const picture = readRecipe(source.recipe);
      const calibrated = isCalibrated(picture);
      if (picture.kind === 'search') {
        const mosaic = await toMosaic(picture.path, picture.parameters, deps.areas);
        const sensors = mosaic.search.datasets.flatMap((id) => sensorByDataset(id) ?? []);
        return { mosaic, scene: null, bands: mosaic.bands, calibrated, sensors };
      }
      const { scene } = picture;
      const content = await toSceneContent({ scene, sensor: scene.sensor }, toPlainBands(picture), deps);
      return { ...content, calibrated };
    }
  }
}

async function toSceneContent(
  { scene, sensor }: Pick<Extract<LayerSource, { kind: 'scene' }>, 'scene' | 'sensor'>,
  bands: string | null,
  { scenes }: CoverageDeps,
): Promise<Content> {
  const found = await findScene(scenes, scene);
  const day = found.acquiredAt.slice(0, 10);
  const search = {
    datasets: [sensor.dataset],
    period: { from: day, to: day },
    maxCloudPercent: null,
    area: null,
  };
  const measured = measuresOf(sensor).filter((name) => Object.hasOwn(found.assets, name));
  return {
    mosaic: { search, composition: ALL_OF_IT },
    scene: found,
    bands: bands ?? measured.join(),
    calibrated: false,
    sensors: [sensor],
  };
}
