/** How one item of the STAC API is shown on a map: TileJSON, and its tiles as an asset. */
import type { Scene } from '../../catalog/index.ts';
import { areaBounds } from '../../geo/index.ts';
import { toZooms } from '../../mosaic/index.ts';
import { chooseComposition, sensorByDataset } from '../../sensors/index.ts';
import { notFound } from '../errors.ts';
import { roundDegrees } from '../kit/answer-bodies.ts';
import { answerCached, answerCachedJson } from '../kit/answers.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import { RENDER_ROOT } from '../kit/paths.ts';
import { nameSources } from '../mosaic/attribution.ts';
import { GEOJSON_TYPE } from './addresses.ts';
import type { StacItemDeps } from './items.ts';
import { findItem, itemParameters, itemSchema, writeItem } from './items.ts';
import { DOCUMENT_S } from './landing.ts';
import { withTiledAssets } from './tiled-assets.ts';

/** The default composition, of the bands that the scene has; null if nothing of it can be shown. */
function findBands({ dataset, assets }: Scene): readonly string[] | null {
  const sensor = sensorByDataset(dataset);
  return sensor === null ? null : chooseComposition(sensor, (name) => Object.hasOwn(assets, name));
}

/** `GET …/items/{item_id}/tiled.json`. */
export const stacTiledItem = (deps: StacItemDeps): Endpoint => ({
  summary: 'The STAC API: an item with its map tiles as an asset',
  description:
    'The item, with the tiles of its default composition by the tiled assets extension, as the GDAL driver STACTA reads them.',
  tag: 'STAC',
  params: itemParameters,
  answers: {
    200: { description: 'The item.', content: { [GEOJSON_TYPE]: itemSchema } },
    304: { description: 'The item you have (If-None-Match) is still current.' },
    404: { description: 'No such collection or item, or nothing of it can be shown.' },
  },
  async handle(request) {
    const scene = await findItem(request, deps);
    if (findBands(scene) === null) throw nothingToShow();
    const item = JSON.parse(await writeItem(request, scene, deps));
    const content = JSON.stringify(withTiledAssets(item, scene, request.publicUrl));
    const answer = { content, type: GEOJSON_TYPE, maxAgeS: DOCUMENT_S, read: async () => content };
    return answerCached(request, answer);
  },
});

const nothingToShow = () => notFound('nothing-to-show', 'This scene has no band that could be shown.');

/** `GET …/items/{item_id}/tilejson.json`. */
export const stacTilejson = (deps: StacItemDeps): Endpoint => ({
  summary: 'The STAC API: TileJSON of an item',
  description:
    'TileJSON 3.0 of the scene in its default composition. A key that came in the query is part of the addresses.',
  tag: 'STAC',
  params: itemParameters,
  answers: {
    200: {
      description: 'The document.',
      content: {
        'application/json': json.object(
          { tilejson: json.literal('3.0.0'), tiles: json.list(json.string()) },
          { isOpen: true },
        ),
      },
    },
    304: { description: 'The document you have (If-None-Match) is still current.' },
    404: { description: 'No such collection or item, or nothing of it can be shown.' },
  },
  async handle(request) {
    const scene = await findItem(request, deps);
    const { viewId, dataset, sceneId, footprint } = scene;
    const bands = findBands(scene);
    if (bands === null) throw nothingToShow();
    const passed = [...request.query].filter(([name]) => /^api_?key$/i.test(name));
    const query = passed.length === 0 ? '' : `?${new URLSearchParams(passed).toString()}`;
    const { west, south, east, north } = areaBounds(footprint);
    return answerCachedJson(
      request,
      {
        tilejson: '3.0.0',
        name: sceneId,
        attribution: await nameSources([scene], deps),
        scheme: 'xyz',
        tiles: [`${request.publicUrl}${RENDER_ROOT}${viewId}/${bands.join()}/{z}/{x}/{y}${query}`],
        ...toZooms([dataset]),
        // Ground across the antimeridian is on both sides of the map.
        bounds: (east > 180 ? [-180, south, 180, north] : [west, south, east, north]).map(roundDegrees),
      },
      { maxAgeS: 0 },
    );
  },
});
