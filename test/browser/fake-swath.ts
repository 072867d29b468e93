/** A small server that answers like Swath does, so that the viewer's own behaviour can be tested fast and by itself. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { crc32, deflateSync } from 'node:zlib';
import { toWirePresets } from '../../src/http/classes/classes.ts';
import type { SearchedCatalog } from '../../src/http/index.ts';
import { toColormapStops, toWireFunctions, toWireOrigins, toWireSensor } from '../../src/http/reference.ts';
import { sensors } from '../../src/sensors/index.ts';
import type { makeFakeFields } from './fake-fields.ts';
import type { makeFakeLinks } from './fake-links.ts';
import type { Rgb } from './map-pixels.ts';

const distFolder = join(import.meta.dirname, '..', '..', 'web', 'dist');

/**
 * The policy under which the page has to work: no inline code or style, no made-up workers, and of other hosts only
 * pictures of live catalogs.
 */
const toPolicy = ({ catalogs }: FakeState): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src ${[
    "'self' data:",
    ...catalogs.flatMap(({ pictureOrigins }) => pictureOrigins),
  ].join(
    ' ',
  )}; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

/** Everything else, the map's worker included, may do nothing at all. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/** What the server says of itself, without a key. */
const REFERENCE: Readonly<Record<string, (state: FakeState) => object>> = {
  '/api/sensors': ({ catalogs, hasDemo }) => ({
    sensors: sensors.map(toWireSensor),
    ...toWireOrigins(catalogs, hasDemo),
  }),
  '/api/about': ({ about }) => about,
  '/api/colormaps': () => ({ colormaps: toColormapStops() }),
  '/api/functions': () => ({ functions: toWireFunctions() }),
};

/** A search hit, as far as the viewer looks at it. */
export interface FakeScene {
  readonly sceneID: string;
  readonly view_id: string;
  readonly date: string;
  readonly cloudCoverage?: number;
  readonly sunElevation?: number;
  readonly polarization?: string;
  readonly thumbnail?: string;
  /** The dataset. */
  readonly satellite: string;
  readonly dataGeometry: { readonly type: 'Polygon'; readonly coordinates: number[][][] };
}

/** What a test may change while the server runs. */
export interface FakeState {
  acceptedKey: string;
  /** What templates of tiles begin with. */
  publicUrl: string;
  /** Newest first. */
  scenes: FakeScene[];
  /** How many scenes a search without a filter answers, as if there were more than a page. */
  pageLimit: number;
  /** Live catalogs, and what the answer to every search says of them. */
  catalogs: readonly SearchedCatalog[];
  catalogNotes: readonly object[];
  /** What the operator has set. */
  about: { contact: string | null; guests: boolean; base_map: object | null };
  /** Recipes and their public maps. */
  links: ReturnType<typeof makeFakeLinks>;
  /** Fields of the key. */
  fields: ReturnType<typeof makeFakeFields>;
  /** Whether the demo world is among the scenes. */
  hasDemo: boolean;
  /** What `/readyz` waits for, or `null` when ready. */
  waiting: string | null;
  /** No land and no borders: most tests do not look at them, and cutting them into tiles takes a second or two. */
  isWorldEmpty: boolean;
  /** The answer to every tile, instead of a tile. */
  tileFailure: { readonly status: number; readonly error: string; readonly code?: string } | null;
  /** As during a restart: every connection is closed without an answer. */
  isDown: boolean;
  /** How many more requests of tiles and thumbnails are refused for now. */
  refusals: number;
  /** Bands without a fixed range of natural colour. */
  notNatural: readonly string[];
  /** Bands no scene has a file of. */
  missingBands: readonly string[];
  /** The colour of a tile; `query` is the part after the question mark. */
  colorOf: (tile: {
    viewId: string;
    bands: string;
    z: number;
    x: number;
    y: number;
    query: URLSearchParams;
  }) => Rgb;
  /** The answer to every legend. */
  legend: unknown;
  /** The colour of every thumbnail. */
  thumbnail: Rgb;
  /** The value of a band or index at every point. */
  valueOf: (name: string) => number | null;
  /** The answer to every order of classes; a text is refused with it. */
  classesOf: (order: Readonly<Record<string, unknown>>) => object | string;
  /** The height of every point. */
  elevationM: number | null;
}

/** One request that came in. */
interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly key: string | undefined;
  readonly body: string;
}

/** The running server. */
export interface FakeSwath {
  readonly origin: string;
  readonly state: FakeState;
  readonly seen: SeenRequest[];
  close(): Promise<void>;
}

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

const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

const sendFailure = (response: ServerResponse, status: number, error: string, code = 'fake'): void =>
  sendJson(response, status, { status: false, error, code, request_id: 'fake-1' });

const sendFile = async (response: ServerResponse, file: string): Promise<void> => {
  const bytes = await readFile(file).catch(() => null);
  if (bytes === null) return sendFailure(response, 404, 'There is no such file.');
  response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(bytes);
};

interface FakeSearch {
  readonly satellites: string[];
  readonly sceneID?: string;
  readonly date?: { readonly from?: string; readonly to?: string };
  readonly cloudCoverage?: { readonly to?: number };
  readonly shape?: { readonly type: string; readonly coordinates: unknown };
}

const isHit = (scene: FakeScene, { satellites, sceneID, date, cloudCoverage }: FakeSearch): boolean =>
  satellites.includes(scene.satellite) &&
  (sceneID === undefined || scene.sceneID === sceneID) &&
  scene.date >= (date?.from ?? '') &&
  scene.date <= (date?.to ?? '9') &&
  // Fields that a dataset lacks are ignored for it, as the server does.
  (scene.cloudCoverage ?? 0) <= (cloudCoverage?.to ?? 100);

const sendSearch = (
  response: ServerResponse,
  { scenes, pageLimit, publicUrl, catalogNotes }: FakeState,
  body: string,
): void => {
  const asked = JSON.parse(body) as { search: FakeSearch; page?: number; limit: number; fields?: string[] };
  const { search, page = 1, fields } = asked;
  const limit = fields === undefined ? Math.min(asked.limit, pageLimit) : asked.limit;
  const hits = scenes.filter((scene) => isHit(scene, search));
  const results = hits.slice((page - 1) * limit, page * limit).map((scene) => ({
    ...scene,
    tms: `${publicUrl}/api/render/${scene.view_id}/{band}/{z}/{x}/{y}`,
  }));
  const notes = catalogNotes.length === 0 ? {} : { catalogs: catalogNotes };
  sendJson(response, 200, { meta: { name: 'fake', page, found: hits.length, limit, ...notes }, results });
};

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

/** Answers about scenes that are no tiles: thumbnails, values, ranges, checks of band math; false for other paths. */
const sendVerb = (response: ServerResponse, state: FakeState, asked: URL): boolean => {
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

const sendTile = (response: ServerResponse, state: FakeState, { pathname, searchParams }: URL): void => {
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
const sendMosaic = (response: ServerResponse, state: FakeState, asked: URL): boolean => {
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

const answer = async (request: IncomingMessage, response: ServerResponse, fake: FakeSwath): Promise<void> => {
  const { state, seen } = fake;
  const url = request.url ?? '/';
  const asked = new URL(url, fake.origin);
  const path = asked.pathname;
  const given = request.headers['x-api-key'];
  const key = typeof given === 'string' ? given : undefined;
  const body = await text(request);
  seen.push({ method: request.method ?? '', url, key, body });
  if (state.isDown) {
    response.destroy();
    return;
  }
  if (state.refusals > 0 && /^\/api\/(?:render|mosaic)\/(?!legend)/.test(path)) {
    state.refusals--;
    response.setHeader('retry-after', '1');
    return sendFailure(response, state.refusals % 2 === 0 ? 429 : 503, 'Busy for now.');
  }
  response.setHeader('content-security-policy', path === '/' ? toPolicy(state) : DATA_POLICY);

  if (state.isWorldEmpty && path.startsWith('/assets/world-')) {
    return sendJson(response, 200, { type: 'FeatureCollection', features: [] });
  }
  if (state.isWorldEmpty && path.startsWith('/assets/countries-')) return sendJson(response, 200, []);
  if (state.isWorldEmpty && /^\/assets\/places-[0-9a-f]{10}\.json/.test(path)) {
    return sendJson(response, 200, { names: '', countries: [], lats: [], lons: [], sizes: [] });
  }
  if (path === '/') return sendFile(response, join(distFolder, 'index.html'));
  if (path.startsWith('/assets/')) return sendFile(response, join(distFolder, 'assets', basename(path)));
  if (path === '/readyz') {
    const isReady = state.waiting === null;
    return sendJson(response, isReady ? 200 : 503, {
      ready: isReady,
      ...(isReady ? {} : { waiting: state.waiting }),
    });
  }
  const known = REFERENCE[path];
  if (known !== undefined) return sendJson(response, 200, known(state));
  const sendLink = (found: ReturnType<typeof state.links.answerPublic>): boolean => {
    if (found?.kind === 'json') sendJson(response, found.status, found.body);
    else if (found?.kind === 'tile')
      response.writeHead(200, { 'content-type': 'image/png' }).end(
        makeColorTile(
          state.colorOf({
            viewId: state.scenes[0]?.view_id ?? '',
            bands: 'B04,B03,B02',
            z: 0,
            x: 0,
            y: 0,
            query: asked.searchParams,
          }),
        ),
      );
    return found !== null;
  };
  if (sendLink(state.links.answerPublic(path))) return;
  const isGuest = state.about.guests && (key ?? '') === '';
  if (key !== state.acceptedKey && !isGuest) {
    return sendFailure(
      response,
      key === undefined || key === '' ? 401 : 403,
      'This api_key is not valid.',
      'bad-key',
    );
  }
  if (sendLink(state.links.answerOwner(request.method ?? '', path, body))) return;
  const ofFields = state.fields.answer({ method: request.method ?? '', url: asked, body });
  if (ofFields !== null) {
    const type = ofFields.text.startsWith('{') ? 'application/json' : 'text/csv';
    response.writeHead(ofFields.status, { 'content-type': type }).end(ofFields.text);
    return;
  }
  if (path === '/api/lms/search/v2') return sendSearch(response, state, body);
  if (path === '/api/classes/presets') return sendJson(response, 200, { presets: toWirePresets() });
  if (path === '/api/classes') {
    const found = state.classesOf(JSON.parse(body) as Record<string, unknown>);
    if (typeof found === 'string') return sendFailure(response, 422, found, 'no-clear-pixel');
    return sendJson(response, 200, found);
  }
  if (path.startsWith('/api/render/terrain/point/'))
    return sendJson(response, 200, { index_value: state.elevationM });
  if (sendMosaic(response, state, asked)) return;
  // A picture between bounds, in which values are counted.
  if (path.includes(';4326/') && state.tileFailure === null) {
    response.writeHead(200, { 'content-type': 'image/png' }).end(makeColorTile([64, 128, 192]));
    return;
  }
  if (sendVerb(response, state, asked)) return;
  if (path.startsWith('/api/render/')) return sendTile(response, state, asked);
  sendFailure(response, 404, 'There is nothing here.');
};

/** Starts the server on a free port of this machine. */
export const startFakeSwath = async (initial: FakeState): Promise<FakeSwath> => {
  const server: Server = createServer((request, response) => {
    answer(request, response, fake).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const fake: FakeSwath = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state: initial,
    seen: [],
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return fake;
};
