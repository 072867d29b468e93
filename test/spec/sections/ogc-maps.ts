/** What the sections about OGC standards share: their layers, and requests that must succeed. */
import assert from 'node:assert/strict';
import { areaBounds, tileAt } from '../../../src/geo/index.ts';
import { makeProjection } from '../../../src/proj/index.ts';
import { call, sceneOf } from '../service.ts';

/** Asks for a document or a picture that must come. */
export async function ask(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const response = await call(path, { headers });
  assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`);
  return response;
}

export const bytesOf = async (response: Response): Promise<Buffer> =>
  Buffer.from(await response.arrayBuffer());

/** The zoom level of the tile in the middle of the scene. */
export const MIDDLE_ZOOM = 13;

/** The tile in the middle of the scene, and the pixel of it that is nearest to the middle. */
export function findMiddle() {
  const { west, east, south, north } = areaBounds(sceneOf('l2a').footprint);
  const middle = makeProjection(4326, 3857).forward((west + east) / 2, (south + north) / 2);
  // Eight levels below, a tile is a pixel of this one.
  const pixel = tileAt(MIDDLE_ZOOM + 8, ...middle);
  return { ...tileAt(MIDDLE_ZOOM, ...middle), i: pixel.x % 256, j: pixel.y % 256 };
}

export const dataset = () => sceneOf('l2a').dataset;
export const sceneLayer = () => `scene.${sceneOf('l2a').viewId.replaceAll('/', '_')}`;

export const getMap = (more: Readonly<Record<string, string>>): string =>
  `/ogc/wms?${new URLSearchParams({
    SERVICE: 'WMS',
    VERSION: '1.3.0',
    REQUEST: 'GetMap',
    LAYERS: sceneLayer(),
    STYLES: 'natural',
    FORMAT: 'image/png',
    WIDTH: '120',
    HEIGHT: '90',
    ...more,
  }).toString()}`;
