import type { Route } from '../kit/endpoint.ts';
import { catalogued, drawn, linked, read, tokened } from '../kit/endpoint.ts';
import { ogcCoverage } from '../ogc/coverages.ts';
import {
  ogcCollection,
  ogcCollections,
  ogcConformance,
  ogcLanding,
  ogcTilejson,
  ogcTileMatrixSet,
  ogcTileMatrixSets,
  ogcTileset,
  ogcTilesets,
} from '../ogc/ogc-api.ts';
import { ogcMap, ogcTile } from '../ogc/ogc-api-maps.ts';
import { writeOwsException } from '../ogc/ows-exceptions.ts';
import { refusePost, wms } from '../ogc/wms.ts';
import { writeWmsException } from '../ogc/wms-exceptions.ts';
import { layerLegend, wmts, wmtsCapabilities, wmtsTile } from '../ogc/wmts.ts';
import { signedXyz, xyzLayers, xyzTile, xyzTilejson } from '../ogc/xyz.ts';
import { stacAggregate, stacAggregateByBody, stacAggregateOne, stacAggregations } from '../stac/aggregate.ts';
import { browsable } from '../stac/browse.ts';
import {
  changeCollection,
  createCollection,
  deleteCollection,
  replaceCollection,
} from '../stac/collection-transactions.ts';
import { stacCollection, stacCollections, stacNames } from '../stac/collections.ts';
import { sceneFile } from '../stac/files.ts';
import { stacTiledItem, stacTilejson } from '../stac/item-tiles.ts';
import { stacItem, stacItems, stacSearch, stacSearchByBody } from '../stac/items.ts';
import { stacConformance, stacLanding } from '../stac/landing.ts';
import { changeItem, createItem, deleteItem, replaceItem } from '../stac/transactions.ts';
import type { Services } from './services.ts';

const WMTS_TILE = ':layer/:style/:set/:matrix/:row/:column';

/** The doors of STAC and of the OGC. */
export const standardRoutes = ({ stac, ogc }: Services): readonly Route[] => [
  read.get('/stac', 'getStacLanding', browsable(stacLanding(stac))),
  read.get('/stac/conformance', 'getStacConformance', stacConformance),
  read.get('/stac/queryables', 'getStacQueryables', stacNames('queryables', stac, false)),
  read.get('/stac/sortables', 'getStacSortables', stacNames('sortables', stac, false)),
  read.get('/stac/search', 'searchItems', browsable(stacSearch(stac)), { cost: 10 }),
  read.post('/stac/search', 'searchItemsByBody', stacSearchByBody(stac), { cost: 10 }),
  read.get('/stac/aggregations', 'listAggregations', stacAggregations(stac, false)),
  read.get('/stac/aggregate', 'aggregateItems', stacAggregate(stac), { cost: 20 }),
  read.post('/stac/aggregate', 'aggregateItemsByBody', stacAggregateByBody(stac), { cost: 20 }),
  read.get('/stac/collections', 'listCollections', browsable(stacCollections(stac)), { cost: 5 }),
  catalogued.post('/stac/collections', 'createCollection', createCollection(stac), { cost: 10 }),
  read.get('/stac/collections/:collection_id', 'getCollection', browsable(stacCollection(stac))),
  catalogued.put('/stac/collections/:collection_id', 'replaceCollection', replaceCollection(stac)),
  catalogued.patch('/stac/collections/:collection_id', 'changeCollection', changeCollection(stac)),
  catalogued.remove('/stac/collections/:collection_id', 'deleteCollection', deleteCollection(stac)),
  read.get(
    '/stac/collections/:collection_id/queryables',
    'getQueryables',
    stacNames('queryables', stac, true),
  ),
  read.get('/stac/collections/:collection_id/sortables', 'getSortables', stacNames('sortables', stac, true)),
  read.get(
    '/stac/collections/:collection_id/aggregations',
    'listCollectionAggregations',
    stacAggregations(stac, true),
  ),
  read.get('/stac/collections/:collection_id/aggregate', 'aggregateCollection', stacAggregateOne(stac), {
    cost: 20,
  }),
  read.get('/stac/collections/:collection_id/items', 'listItems', browsable(stacItems(stac)), { cost: 10 }),
  catalogued.post('/stac/collections/:collection_id/items', 'createItem', createItem(stac), { cost: 10 }),
  read.get('/stac/collections/:collection_id/items/:item_id', 'getItem', browsable(stacItem(stac))),
  catalogued.put('/stac/collections/:collection_id/items/:item_id', 'replaceItem', replaceItem(stac), {
    cost: 10,
  }),
  catalogued.patch('/stac/collections/:collection_id/items/:item_id', 'changeItem', changeItem(stac)),
  catalogued.remove('/stac/collections/:collection_id/items/:item_id', 'deleteItem', deleteItem(stac)),
  read.get(
    '/stac/collections/:collection_id/items/:item_id/tilejson.json',
    'getItemTilejson',
    stacTilejson(stac),
  ),
  read.get('/stac/collections/:collection_id/items/:item_id/tiled.json', 'getTiledItem', stacTiledItem(stac)),
  linked.get('/stac/files/*', 'getSceneFile', sceneFile(stac), {
    shownPath: '/stac/files/{permission}/{view_id}/{asset}',
  }),

  drawn.get('/ogc/wmts', 'getWmts', wmts(ogc)),
  drawn.get('/ogc/wmts/1.0.0/WMTSCapabilities.xml', 'getWmtsCapabilities', wmtsCapabilities(ogc)),
  drawn.get(`/ogc/wmts/1.0.0/${WMTS_TILE}`, 'getWmtsTile', wmtsTile(ogc, false)),
  drawn.get(
    `/ogc/wmts/1.0.0/${WMTS_TILE.replace('/:set', '/:time/:set')}`,
    'getWmtsTileOfTime',
    wmtsTile(ogc, true),
  ),
  read.post('/ogc/wmts', 'postWmts', refusePost('WMTS', writeOwsException)),
  drawn.get('/ogc/wms', 'getWms', wms(ogc)),
  read.post('/ogc/wms', 'postWms', refusePost('WMS', writeWmsException)),
  read.get('/ogc', 'getOgcLanding', ogcLanding),
  drawn.get('/ogc/conformance', 'getOgcConformance', ogcConformance),
  drawn.get('/ogc/tileMatrixSets', 'listTileMatrixSets', ogcTileMatrixSets(ogc)),
  drawn.get('/ogc/tileMatrixSets/:set', 'getTileMatrixSet', ogcTileMatrixSet(ogc)),
  drawn.get('/ogc/collections', 'listOgcCollections', ogcCollections(ogc)),
  drawn.get('/ogc/collections/:collection', 'getOgcCollection', ogcCollection(ogc)),
  drawn.get('/ogc/collections/:collection/tilejson.json', 'getLayerTilejson', ogcTilejson(ogc)),
  drawn.get('/ogc/collections/:collection/coverage', 'getOgcCoverage', ogcCoverage(ogc), { cost: 10 }),
  drawn.get('/ogc/collections/:collection/map', 'getOgcMap', ogcMap(ogc)),
  drawn.get('/ogc/collections/:collection/map/tiles', 'listOgcTilesets', ogcTilesets(ogc)),
  drawn.get('/ogc/collections/:collection/map/tiles/:set', 'getOgcTileset', ogcTileset(ogc)),
  drawn.get('/ogc/collections/:collection/map/tiles/:set/:matrix/:row/:column', 'getOgcTile', ogcTile(ogc)),
  drawn.get('/ogc/xyz', 'listXyzLayers', xyzLayers(ogc)),
  drawn.get('/ogc/xyz/signed', 'signXyzLayer', signedXyz(ogc)),
  tokened.get('/ogc/xyz/:token/:layer/:style/tilejson.json', 'getXyzTilejson', xyzTilejson(ogc)),
  tokened.get('/ogc/xyz/:token/:layer/:style/:z/:x/:y', 'getXyzTile', xyzTile(ogc)),
  drawn.get('/ogc/legends/:layer/:style', 'getLayerLegend', layerLegend(ogc)),
];
