/** A small server that answers like Swath does, so that the viewer's own behaviour can be tested fast and by itself. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { toWirePresets } from '../../src/http/classes/classes.ts';
import { toColormapStops, toWireFunctions, toWireOrigins, toWireSensor } from '../../src/http/reference.ts';
import { sensors } from '../../src/sensors/index.ts';
import { makeColorTile, sendFailure, sendJson, sendMosaic, sendTile, sendVerb } from './fake-pictures.ts';
import type { FakeScene, FakeState } from './fake-state.ts';

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

/** What the settings show of the key. */
const ACCOUNT: Readonly<Record<string, object>> = {
  '/api/account': { key: 'a1', label: 'tests', role: 'order', expires_at: null, person: null },
  '/api/usage': { from: '', to: '', usage: [], quotas: {} },
};

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
  const ofAccount = ACCOUNT[path];
  if (ofAccount !== undefined) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ofAccount));
    return;
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
