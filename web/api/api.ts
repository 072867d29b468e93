/** The server's answers that the viewer needs, as typed calls. The key travels in a header, never in an address. */
import type { Box, Outline } from '../scenes/footprint.ts';
import { parseOutline } from '../scenes/footprint.ts';
import { toBboxText } from '../scenes/ground.ts';
import type { Knowledge } from '../scenes/knowledge.ts';
import { parseColormaps, parseFunctions } from '../scenes/knowledge.ts';
import type { Contrast } from '../scenes/picture.ts';
import { asNumber, asRecord, asText } from '../scenes/read-json.ts';
import type { ScenePage } from '../scenes/scene.ts';
import { parseScenePage } from '../scenes/scene.ts';
import type { ViewerSensor } from '../scenes/sensor.ts';
import { parseSensors } from '../scenes/sensor.ts';
import type { TerrainFormat, TerrainTiles } from '../scenes/terrain.ts';
import { parseTilejson, SLOPE_LEGEND_PATH, toTilejsonPath } from '../scenes/terrain.ts';
import { toLegendPath, toVerbPath } from '../scenes/tile-template.ts';
import type { Position } from '../shapes/shape.ts';
import type { Point } from '../state/viewer-state.ts';
import type { Texts } from '../texts/en.ts';
import { Failure, toFailure } from './failure.ts';
import type { Legend } from './legend.ts';
import { parseLegend } from './legend.ts';
import type { Profile } from './profile.ts';
import { parseProfile } from './profile.ts';
import type { SearchRequest } from './search-body.ts';
import { toSearch } from './search-body.ts';

/** Whether the server can answer searches yet, and if not, what it is waiting for. */
type Readiness = { readonly isReady: true } | { readonly isReady: false; readonly waiting: string };

/** Band math that the server understood, or its error and where it is. */
export type CheckedExpression =
  | { readonly isGood: true; readonly bands: readonly string[] }
  | { readonly isGood: false; readonly error: string; readonly position: number | null };

/** The calls. Each throws a `Failure` with a sentence to show, and an `AbortError` when its signal was used. */
export interface Api {
  readReadiness(): Promise<Readiness>;
  /** Sensors, colormaps and functions. */
  readKnowledge(): Promise<Knowledge>;
  /** A page of scenes, newest first; pages count from 1. */
  searchScenes(request: SearchRequest, options: SearchOptions): Promise<ScenePage>;
  /** The days of at most the newest thousand scenes of a search, one entry a scene. */
  searchDays(request: SearchRequest, signal?: AbortSignal): Promise<readonly string[]>;
  /** Scenes with exactly this id. */
  findScenes(
    sceneId: string,
    datasets: readonly string[],
    sensors: readonly ViewerSensor[],
  ): Promise<ScenePage>;
  /** What the colours mean of the pictures of this tile template; `null` where they mean nothing by themselves. */
  readLegend(template: string, signal?: AbortSignal): Promise<Legend | null>;
  /** A small picture of a whole scene. */
  readThumbnail(viewId: string, signal?: AbortSignal): Promise<Blob>;
  /** Values of expressions at a point, in their order; `null` where there is no number. */
  readValues(request: ValueRequest, signal?: AbortSignal): Promise<readonly (number | null)[]>;
  /** Values between which a picture is or may be stretched, by channel. */
  readRanges(request: RangeRequest, signal?: AbortSignal): Promise<readonly Contrast[]>;
  /** A picture at an address from the page on. */
  readPicture(path: string, signal?: AbortSignal): Promise<Blob>;
  /** Whether band math can be computed for a scene. */
  checkExpression(viewId: string, text: string, signal?: AbortSignal): Promise<CheckedExpression>;
  /** The height of the ground in metres; `null` where no elevation model knows it. */
  readElevation(point: Point, signal?: AbortSignal): Promise<number | null>;
  /** Where terrain tiles of a format are. */
  readTerrainTiles(format: TerrainFormat, signal?: AbortSignal): Promise<TerrainTiles>;
  /** What the colours of slopes stand for, in degrees. */
  readSlopeLegend(signal?: AbortSignal): Promise<Legend | null>;
  /** Stores an area, and answers the reference that pictures and tasks take. */
  storeArea(outline: Outline, signal?: AbortSignal): Promise<string>;
  /** A stored area. */
  readArea(ref: string, signal?: AbortSignal): Promise<Outline>;
  /** Heights along a line of at most a hundred positions. */
  readProfile(positions: readonly Position[], signal?: AbortSignal): Promise<Profile>;
  /** Any other call, from the page on: its JSON, or `undefined` where the answer has none. */
  call(path: string, request: CallRequest, signal?: AbortSignal): Promise<unknown>;
  /** Any request of this server with the key, for calls that parts of the page bring along; the answer may be an error. */
  send(path: string, init: RequestInit, signal?: AbortSignal): Promise<Response>;
}

interface CallRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: unknown;
}

interface SearchOptions {
  readonly page: number;
  readonly sensors: readonly ViewerSensor[];
  readonly signal?: AbortSignal;
}

interface ValueRequest {
  readonly viewId: string;
  readonly expressions: readonly string[];
  readonly point: Point;
  readonly isCalibrated: boolean;
}

interface RangeRequest {
  readonly viewId: string;
  readonly bands: string;
  /** Further parameters of the intensity range, `method=minmax`; empty for what the server does by itself. */
  readonly query: string;
  /** Only a part of the scene; `null` for all of it. */
  readonly ground: Box | null;
  readonly isCalibrated: boolean;
}

/** As many cards as fill two screens; more come when the list is scrolled. */
const PAGE_LIMIT = 50;
/** The most that a search answers at once; a calendar of more scenes is still true for the newest. */
const DAY_LIMIT = 1000;
/** A search takes milliseconds; past this the server is gone rather than slow. */
const TIMEOUT_MS = 20_000;

/** The value, or `undefined` for text that is not JSON: the callers say what they expected instead. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const parseWaiting = (text: string): string =>
  asText(asRecord(parseJson(text)).waiting) ?? 'the server is starting';

/** What the calls are made with. */
interface ApiParts {
  /** Called each time, so that a changed key is used at once. */
  readonly readKey: () => string | null;
  readonly texts: Texts;
  readonly fetch: typeof globalThis.fetch;
}

/** Builds the calls. */
export const makeApi = ({ readKey, texts, fetch }: ApiParts): Api => {
  /** Requests an address relative to the page: a proxy may serve the whole service under a path. */
  const request = async (path: string, init: RequestInit, signal?: AbortSignal): Promise<Response> => {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    try {
      return await fetch(path, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw toFailure(0, '');
    }
  };
  const withKey = (): Record<string, string> => ({ 'x-api-key': readKey() ?? '' });
  const readJson = async (path: string, init: RequestInit = {}, signal?: AbortSignal): Promise<unknown> => {
    const response = await request(path, { headers: withKey(), ...init }, signal);
    const text = await response.text();
    if (!response.ok) throw toFailure(response.status, text);
    return parseJson(text);
  };
  const readBlob = async (path: string, signal?: AbortSignal): Promise<Blob> => {
    const response = await request(path, { headers: withKey() }, signal);
    if (!response.ok) throw toFailure(response.status, await response.text());
    return response.blob();
  };
  const search = (body: object, signal?: AbortSignal): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', ...withKey() };
    return readJson('api/lms/search/v2', { method: 'POST', headers, body: JSON.stringify(body) }, signal);
  };
  const toPage = (body: unknown, sensors: readonly ViewerSensor[]): ScenePage => {
    const page = parseScenePage(body, sensors);
    if (page === null) throw new Failure(200, 'The server answered the search in an unknown form.');
    return page;
  };
  // The list may have changed with a new version of the server: the browser asks, and is mostly told that it has not.
  const readPublic = (path: string): Promise<unknown> => readJson(path, { headers: {}, cache: 'no-cache' });
  const sort = { date: 'desc' };

  return {
    async readReadiness() {
      const response = await request('readyz', { cache: 'no-store' });
      if (response.ok) return { isReady: true };
      const text = await response.text();
      if (response.status !== 503) throw toFailure(response.status, text);
      return { isReady: false, waiting: parseWaiting(text) };
    },
    async readKnowledge() {
      const [sensors, colormaps, functions] = await Promise.all([
        readPublic('api/sensors'),
        readPublic('api/colormaps'),
        readPublic('api/functions'),
      ]);
      return {
        sensors: parseSensors(sensors),
        colormaps: parseColormaps(colormaps),
        functions: parseFunctions(functions),
      };
    },
    async searchScenes(asked, { page, sensors, signal }) {
      return toPage(
        await search({ search: toSearch(asked), sort, page, limit: PAGE_LIMIT }, signal),
        sensors,
      );
    },
    async searchDays(asked, signal) {
      const body = await search(
        { search: toSearch(asked), sort, limit: DAY_LIMIT, fields: ['date'] },
        signal,
      );
      const { results } = asRecord(body);
      if (!Array.isArray(results)) return [];
      return results.map((hit: unknown) => asText(asRecord(hit).date)).filter((day) => day !== null);
    },
    async findScenes(sceneID, satellites, sensors) {
      return toPage(await search({ search: { satellites, sceneID }, sort, limit: 10 }), sensors);
    },
    readLegend: async (template, signal) =>
      parseLegend(await readJson(toLegendPath(template), {}, signal), texts),
    readThumbnail: (viewId, signal) => readBlob(toVerbPath(viewId, 'thumb'), signal),
    async readValues({ viewId, expressions, point: { lat, lon }, isCalibrated }, signal) {
      const bands = encodeURIComponent(expressions.join());
      const query = isCalibrated ? '?CALIBRATE=1' : '';
      const path = `${toVerbPath(viewId, 'point')}/${bands}/${lat.toFixed(7)}/${lon.toFixed(7)}${query}`;
      const { index_value: one, index_values: many } = asRecord(await readJson(path, {}, signal));
      return Array.isArray(many) ? many.map(asNumber) : [asNumber(one)];
    },
    readPicture: readBlob,
    async readRanges({ viewId, bands, query, ground, isCalibrated }, signal) {
      const parts = [
        ...(query === '' ? [] : [query]),
        ...(ground === null ? [] : [`BBOX=${toBboxText(ground)}`]),
        ...(isCalibrated ? ['CALIBRATE=1'] : []),
      ];
      const path = `${toVerbPath(viewId, 'ir')}/${encodeURIComponent(bands)}?${parts.join('&')}`;
      const { bands: ranges } = asRecord(await readJson(path, {}, signal));
      const numbers = (Array.isArray(ranges) ? ranges : []).flatMap((range: unknown) => {
        const [min, max] = [asNumber(asRecord(range).min), asNumber(asRecord(range).max)];
        return min === null || max === null ? [] : [{ min, max }];
      });
      if (numbers.length === 0) throw new Failure(200, 'The server answered the range in an unknown form.');
      return numbers;
    },
    call: (path, { method = 'GET', body }, signal) => {
      const headers = body === undefined ? withKey() : { 'content-type': 'application/json', ...withKey() };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return readJson(path, { method, headers, cache: 'no-store', ...sent }, signal);
    },
    async checkExpression(viewId, text, signal) {
      const slash = viewId.indexOf('/');
      const query = `?scene_id=${encodeURIComponent(viewId.slice(slash + 1))}`;
      const path = `api/render/${viewId.slice(0, slash)}/parse_vb/${encodeURIComponent(text)}${query}`;
      const response = await request(path, { headers: withKey() }, signal);
      const answer = await response.text();
      if (response.ok) {
        const { band_ids: bands } = asRecord(parseJson(answer));
        return { isGood: true, bands: Array.isArray(bands) ? bands.map(String) : [] };
      }
      if (response.status !== 422) throw toFailure(response.status, answer);
      return {
        isGood: false,
        error: toFailure(422, answer).message,
        position: asNumber(asRecord(parseJson(answer)).position),
      };
    },
    async readElevation({ lat, lon }, signal) {
      const path = `api/render/terrain/point/${lat.toFixed(7)}/${lon.toFixed(7)}`;
      return asNumber(asRecord(await readJson(path, {}, signal)).index_value);
    },
    async readTerrainTiles(format, signal) {
      const tiles = parseTilejson(await readJson(toTilejsonPath(format), {}, signal));
      if (tiles === null) throw new Failure(200, 'The server described its terrain in an unknown form.');
      return tiles;
    },
    readSlopeLegend: async (signal) => parseLegend(await readJson(SLOPE_LEGEND_PATH, {}, signal), texts),
    async storeArea(geometry, signal) {
      const headers = { 'content-type': 'application/json', ...withKey() };
      const body = JSON.stringify({ type: 'Feature', properties: {}, geometry });
      const answer = await readJson('api/render/cropper', { method: 'POST', headers, body }, signal);
      const ref = asText(asRecord(answer).cropper_ref);
      if (ref === null) throw new Failure(200, 'The server answered with no reference of the area.');
      return ref;
    },
    async readArea(ref, signal) {
      const feature = asRecord(await readJson(`api/render/cropper/${ref}`, {}, signal));
      const outline = parseOutline(feature.geometry ?? feature);
      if (outline === null) throw new Failure(200, 'The server answered the area in an unknown form.');
      return outline;
    },
    async readProfile(positions, signal) {
      const line = positions.map((position) => position.join()).join(';');
      const profile = parseProfile(await readJson(`api/render/terrain/profile?LINE=${line}`, {}, signal));
      if (profile === null) throw new Failure(200, 'The server answered the profile in an unknown form.');
      return profile;
    },
    send: (path, { headers, ...init }, signal) =>
      request(path, { ...init, headers: { ...withKey(), ...(headers as Record<string, string>) } }, signal),
  };
};
