/** Pictures and values of the fake server: tiles of one colour, thumbnails, points, ranges, mosaics. */
import type { ServerResponse } from 'node:http';
import { crc32, deflateSync } from 'node:zlib';
import { sensors } from '../../src/sensors/index.ts';
import type { FakeScene, FakeState } from './fake-state.ts';
import type { Rgb } from './map-pixels.ts';

const pngChunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
};

/** A PNG tile of 256 x 256 pixels in one colour. */
export const makeColorTile = (color: Rgb): Buffer => {
  const sizePx = 256;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(sizePx, 0);
  header.writeUInt32BE(sizePx, 4);
  header.set([8, 2], 8); // 8 bits a channel, RGB
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(sizePx * 3, Buffer.from(color))]);
  const rows = Buffer.concat(Array.from({ length: sizePx }, () => row));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
};

/** A tile of one transparent pixel. */
const EMPTY_TILE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR4nGNgAAIAAAUAAXpeqz8AAAAASUVORK5CYII=',
  'base64',
);

export const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

export const sendFailure = (response: ServerResponse, status: number, error: string, code = 'fake'): void =>
  sendJson(response, status, { status: false, error, code, request_id: 'fake-1' });

/** Refuses natural colour of bands without a fixed range; false where there is nothing to refuse. */
const refuseNatural = (
  response: ServerResponse,
  { notNatural }: FakeState,
  { bands, query }: { readonly bands: string; readonly query: URLSearchParams },
): boolean => {
  const band = decodeURIComponent(bands)
    .split(',')
    .find((name) => notNatural.includes(name));
  if (band === undefined || query.get('STRETCH') !== 'natural') return false;
  const error = `STRETCH=natural has no fixed range for the band ${band} of this scene: pass MIN_MAX.`;
  sendFailure(response, 422, error, 'no-natural-range');
  return true;
};

const sendRange = (
  response: ServerResponse,
  state: FakeState,
  { pathname, searchParams: query }: URL,
): void => {
  if (refuseNatural(response, state, { bands: pathname.split('/').at(-1) ?? '', query })) return;
  if (query.get('STRETCH') === 'natural')
    sendJson(response, 200, { method: 'natural', bands: [{ band: 'x', min: 0, max: 0.4, gamma: 2 }] });
  else {
    const max = query.get('CALIBRATE') === '1' ? 0.5 : 4000;
    sendJson(response, 200, { method: 'cc', bands: [{ band: 'x', min: 0, max }] });
  }
};

/** Answers about scenes other than tiles: thumbnails, values, ranges, checks of band math; false for other paths. */
export const sendVerb = (response: ServerResponse, state: FakeState, asked: URL): boolean => {
  const path = asked.pathname;
  const [, verb, rest = ''] = /^\/api\/render\/\w+\/(thumb|point|ir|parse_vb)\/(.+)$/.exec(path) ?? [];
  if (verb === undefined) return false;
  if (verb === 'thumb') {
    response.writeHead(200, { 'content-type': 'image/png' }).end(makeColorTile(state.thumbnail));
  } else if (verb === 'point') {
    const names = decodeURIComponent(rest.split('/').at(-3) ?? '').split(',');
    const index_values = names.map((name) => state.valueOf(name));
    sendJson(
      response,
      200,
      names.length === 1 ? { index_value: index_values[0] } : { index_value: null, index_values },
    );
  } else if (verb === 'ir') {
    sendRange(response, state, asked);
  } else {
    const text = decodeURIComponent(rest);
    const position = text.indexOf('B99');
    if (position < 0) sendJson(response, 200, { band_ids: ['B08', 'B04'] });
    else {
      const error = 'There is no band B99. Did you mean B09?';
      sendJson(response, 422, { status: false, error, code: 'unknown-band', position, request_id: 'fake-1' });
    }
  }
  return true;
};

export const sendTile = (
  response: ServerResponse,
  state: FakeState,
  { pathname, searchParams }: URL,
): void => {
  const { tileFailure, missingBands, colorOf } = state;
  const [, isLegend, viewId, bands, z, x, y] =
    /^\/api\/render\/(legend\/)?(.+)\/([^/]+)\/(\d+)\/(\d+)\/(\d+)$/.exec(pathname) ?? [];
  if (tileFailure !== null) {
    sendFailure(response, tileFailure.status, tileFailure.error);
  } else if (viewId === undefined || bands === undefined) {
    sendFailure(response, 404, 'There is no such tile.');
  } else {
    const names = decodeURIComponent(bands);
    const missing = names.split(',').find((name) => missingBands.includes(name));
    if (missing !== undefined) {
      const error = `This scene has no file for the band ${missing}.`;
      sendFailure(response, 422, error, 'no-such-band-file');
      return;
    }
    if (refuseNatural(response, state, { bands, query: searchParams })) return;
    if (isLegend !== undefined) {
      sendJson(response, 200, state.legend);
      return;
    }
    const tile = { viewId, bands: names, z: Number(z), x: Number(x), y: Number(y), query: searchParams };
    response
      .writeHead(200, { 'content-type': 'image/png', 'server-timing': 'total;dur=12.5' })
      .end(makeColorTile(colorOf(tile)));
  }
};

/** Days of a period such as `2026-06-16..2026-06-26`. */
const isInPeriod = (day: string, period: string): boolean => {
  const [from = '', to = from] = period.split('..');
  return day >= from && day <= to;
};

/** Mosaics: the scene that is nearest to the day has all pixels; others are not seen. False for other paths. */
export const sendMosaic = (response: ServerResponse, state: FakeState, asked: URL): boolean => {
  const [, verb, abbreviations = '', period = '', bands = '', rest = ''] =
    /^\/api\/mosaic\/(legend\/|point\/|sources\/legend\/)?([^/]+)\/([^/]+)\/([^/]+)\/(.+)$/.exec(
      asked.pathname,
    ) ?? [];
  if (bands === '') return false;
  const day = asked.searchParams.get('date') ?? '';
  const maxCloud = Number(asked.searchParams.get('max_cloud') ?? 100);
  const datasets = sensors
    .filter(({ abbreviation }) => abbreviations.split(',').includes(abbreviation))
    .map(({ dataset }) => dataset);
  const distanceOf = ({ date }: FakeScene): number => Math.abs(Date.parse(date) - Date.parse(day));
  const [scene] = state.scenes
    .filter(({ satellite, date }) => datasets.includes(satellite) && isInPeriod(date, period))
    .filter(({ cloudCoverage = 0 }) => cloudCoverage <= maxCloud)
    .toSorted((a, b) => distanceOf(a) - distanceOf(b));
  const sensor = sensors.find(({ dataset }) => dataset === scene?.satellite)?.abbreviation;
  const source = { view_id: scene?.view_id, date: `${scene?.date}T10:00:00.000Z`, sensor };
  if (state.tileFailure !== null)
    sendFailure(response, state.tileFailure.status, state.tileFailure.error, state.tileFailure.code);
  else if (asked.searchParams.has('explain')) {
    const inputs = [
      { role: 'band', band: 'B04', view_id: scene?.view_id, file: { name: 'B04.tif' }, read: { level: 1 } },
    ];
    sendJson(response, 200, {
      found: 3,
      parts: [{ inputs, steps: [] }],
      steps: [{ step: 'select', detail: 'nearest' }],
    });
  } else if (verb === 'legend/') sendJson(response, 200, state.legend);
  else if (verb === 'point/')
    sendJson(response, 200, { index_value: 1, sources: scene === undefined ? [] : [source] });
  else if (verb !== undefined)
    sendJson(response, 200, { picks: true, sources: scene === undefined ? [] : [{ ...source, pixels: 9 }] });
  else {
    const [z, x, y] = rest.split('/').map(Number) as [number, number, number];
    // By the names that all sensors know; colours are those of the sensor's own names.
    const named = decodeURIComponent(bands).replace('RED,GREEN,BLUE', 'B04,B03,B02');
    const tile = { viewId: scene?.view_id ?? '', bands: named, z, x, y, query: asked.searchParams };
    const bytes = scene === undefined ? EMPTY_TILE : makeColorTile(state.colorOf(tile));
    response.writeHead(200, { 'content-type': 'image/png', 'server-timing': 'total;dur=12.5' }).end(bytes);
  }
  return true;
};
