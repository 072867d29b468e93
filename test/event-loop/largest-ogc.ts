import { DEMO_SCENE } from '../support/demo-data.ts';
import type { Ask } from './largest-bodies.ts';
import { LONG } from './largest-bodies.ts';

const SCENE = `scene.${DEMO_SCENE.viewId.replaceAll('/', '_')}`;

const COLLECTION = `/ogc/collections/${DEMO_SCENE.dataset}`;

/** A document that must not be read. */
const SLD = `<!DOCTYPE a [<!ENTITY b "${'b'.repeat(1_000)}">]><a>${'&b;'.repeat(100_000)}</a>`;

/** The largest requests of the OGC doors. */
export const LARGEST_OGC: Readonly<Record<string, readonly Ask[]>> = {
  'GET /ogc/wmts': [
    () => ({ path: '/ogc/wmts?SERVICE=WMTS&REQUEST=GetCapabilities' }),
    (i) => ({
      path: `/ogc/wmts?REQUEST=GetTile&LAYER=${DEMO_SCENE.dataset}&STYLE=ndvi&FORMAT=image/png&TILEMATRIXSET=WorldCRS84Quad&TILEMATRIX=11&TILEROW=475&TILECOL=${655 + i}`,
    }),
    () => ({ path: `/ogc/wmts?REQUEST=GetTile&LAYER=${LONG}`, status: 400 }),
  ],
  'GET /ogc/wmts/1.0.0/WMTSCapabilities.xml': [() => ({ path: '/ogc/wmts/1.0.0/WMTSCapabilities.xml' })],
  'GET /ogc/wmts/1.0.0/:layer/:style/:set/:matrix/:row/:column': [
    () => ({ path: `/ogc/wmts/1.0.0/${SCENE}/ndvi/WebMercatorQuad/12/1420/655@2x.png` }),
  ],
  'GET /ogc/wmts/1.0.0/:layer/:style/:time/:set/:matrix/:row/:column': [
    () => ({
      path: `/ogc/wmts/1.0.0/${DEMO_SCENE.dataset}/natural/2026/WebMercatorQuad/12/1420/655@2x.png`,
    }),
  ],
  'POST /ogc/wmts': [() => ({ path: '/ogc/wmts', body: SLD, status: 405 })],
  'POST /ogc/wms': [() => ({ path: '/ogc/wms', body: SLD, status: 405 })],
  'GET /ogc/wms': [
    () => ({ path: '/ogc/wms?SERVICE=WMS&REQUEST=GetCapabilities' }),
    () => ({ path: '/ogc/wms?SERVICE=WMS&VERSION=1.1.1&REQUEST=GetCapabilities' }),
    (i) => ({
      path: `/ogc/wms?REQUEST=GetMap&LAYERS=${DEMO_SCENE.dataset}&STYLES=ndvi&FORMAT=image/png&CRS=EPSG:4326&BBOX=48.1${i},-122.5,48.3,-122.3&WIDTH=1600&HEIGHT=1600`,
    }),
  ],
  'GET /ogc': [() => ({ path: '/ogc' })],
  'GET /ogc/conformance': [() => ({ path: '/ogc/conformance' })],
  'GET /ogc/tileMatrixSets': [() => ({ path: '/ogc/tileMatrixSets' })],
  'GET /ogc/tileMatrixSets/:set': [() => ({ path: '/ogc/tileMatrixSets/WebMercatorQuad' })],
  'GET /ogc/collections': [() => ({ path: '/ogc/collections' })],
  'GET /ogc/collections/:collection': [() => ({ path: COLLECTION })],
  'GET /ogc/collections/:collection/tilejson.json': [() => ({ path: `${COLLECTION}/tilejson.json` })],
  'GET /ogc/collections/:collection/coverage': [
    (i) => ({ path: `${COLLECTION}/coverage?properties=B0${2 + (i % 3)}&bbox=-122.5,48.1,-122.3,48.3` }),
    () => ({ path: `${COLLECTION}/coverage?subset=${LONG}`, status: 400 }),
  ],
  'GET /ogc/collections/:collection/map': [
    (i) => ({ path: `${COLLECTION}/map?style=ndvi&bbox=-122.5,48.1${i},-122.3,48.3&width=1600&height=1600` }),
  ],
  'GET /ogc/collections/:collection/map/tiles': [() => ({ path: `${COLLECTION}/map/tiles` })],
  'GET /ogc/collections/:collection/map/tiles/:set': [
    () => ({ path: `${COLLECTION}/map/tiles/WebMercatorQuad` }),
  ],
  'GET /ogc/collections/:collection/map/tiles/:set/:matrix/:row/:column': [
    () => ({ path: `${COLLECTION}/map/tiles/WorldCRS84Quad/11/475/655@2x` }),
  ],
  'GET /ogc/xyz': [() => ({ path: '/ogc/xyz?days=366' })],
  'GET /ogc/xyz/signed': [() => ({ path: `/ogc/xyz/signed?layer=${SCENE}&style=ndvi&minutes=527040` })],
  'GET /ogc/xyz/:token/:layer/:style/tilejson.json': [(_, { tilejsonPath }) => ({ path: tilejsonPath })],
  'GET /ogc/xyz/:token/:layer/:style/:z/:x/:y': [
    () => ({ path: `/ogc/xyz/wrong.1.${'w'.repeat(43)}/${SCENE}/ndvi/12/655/1420@2x.png`, status: 404 }),
  ],
  'GET /ogc/legends/:layer/:style': [() => ({ path: `/ogc/legends/${SCENE}/ndvi.png` })],
};
