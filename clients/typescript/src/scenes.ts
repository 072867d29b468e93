/** Search for scenes, their values at a point, and addresses of their pictures. */
import { asNumber, asRecord, asText } from './read-json.ts';
import type { Transport } from './transport.ts';

/** GeoJSON in longitude and latitude. */
export interface Geometry {
  readonly type: string;
  readonly coordinates: unknown;
}

/** A scene that a search has found. */
export interface Scene {
  readonly viewId: string;
  readonly sceneId: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Percent of the scene; null if the dataset does not say. */
  readonly cloudPercent: number | null;
  readonly footprint: Geometry | null;
  /** Template of its tiles, with {band}, {z}, {x} and {y}; without a key. */
  readonly tiles: string;
  /** A small picture that needs no key. */
  readonly thumbnail: string | null;
  /** All fields of the hit. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What is searched for; days are `YYYY-MM-DD` and included. */
export interface SceneQuery {
  readonly from?: string;
  readonly to?: string;
  readonly area?: Geometry;
  readonly maxCloudPercent?: number;
  /** Further filters, in the words of the interface. */
  readonly where?: Readonly<Record<string, unknown>>;
  /** 1 to 1,000; 100 by default. */
  readonly limit?: number;
  /** Counted from 1. */
  readonly page?: number;
}

/** A page of scenes, newest first. */
export interface ScenePage {
  readonly scenes: readonly Scene[];
  /** How many there are on all pages. */
  readonly found: number;
}

/** The calls. */
export interface SceneCalls {
  /** Scenes of a dataset, by its id such as `sentinel2l2a` or the abbreviation of its sensor. */
  searchScenes(dataset: string, query?: SceneQuery, signal?: AbortSignal): Promise<ScenePage>;
  /** The value of a band, an index or band math at a point, calibrated; null where there is no data. */
  readPoint(
    viewId: string,
    expression: string,
    position: { readonly lat: number; readonly lon: number },
    signal?: AbortSignal,
  ): Promise<number | null>;
}

/** Builds the calls. */
export const makeSceneCalls = ({ call }: Pick<Transport, 'call'>): SceneCalls => ({
  async searchScenes(dataset, { page = 1, limit = 100, ...query } = {}, signal) {
    const body = { search: toFilters(query), sort: { date: 'desc' }, page, limit };
    const path = `api/lms/search/v2/${encodeURIComponent(dataset)}`;
    const answer = asRecord(await call(path, { method: 'POST', body }, signal));
    const hits: readonly unknown[] = Array.isArray(answer.results) ? answer.results : [];
    return {
      scenes: hits.map(parseScene).filter((scene) => scene !== null),
      found: asNumber(asRecord(answer.meta).found) ?? hits.length,
    };
  },
  async readPoint(viewId, expression, { lat, lon }, signal) {
    const [sensor = '', ...name] = viewId.split('/');
    const path = `api/render/${sensor}/point/${name.join('/')}/${encodeURIComponent(expression)}/${lat}/${lon}?CALIBRATE=1`;
    return asNumber(asRecord(await call(path, {}, signal)).index_value);
  },
});

function toFilters({ from, to, area, maxCloudPercent, where }: SceneQuery): object {
  return {
    ...where,
    ...(from === undefined && to === undefined ? {} : { date: { from, to } }),
    ...(area === undefined ? {} : { shape: area }),
    ...(maxCloudPercent === undefined ? {} : { cloudCoverage: { to: maxCloudPercent } }),
  };
}

function parseScene(value: unknown): Scene | null {
  const fields = asRecord(value);
  const [viewId, sceneId, date] = [asText(fields.view_id), asText(fields.sceneID), asText(fields.date)];
  const tiles = asText(fields.tms);
  if (viewId === null || sceneId === null || date === null || tiles === null) return null;
  return {
    viewId,
    sceneId,
    date,
    cloudPercent: asNumber(fields.cloudCoverage),
    footprint: fields.dataGeometry === undefined ? null : (fields.dataGeometry as Geometry),
    tiles,
    thumbnail: asText(fields.thumbnail),
    fields,
  };
}

/**
 * The address template of tiles for map programs: bands or band math of a scene, with the parameters of a picture such as
 * `STRETCH` and `COLORMAP`. It holds no key; map programs add a header or `api_key`.
 */
export function toTileUrl(
  url: string,
  {
    viewId,
    bands,
    style = {},
  }: { readonly viewId: string; readonly bands: string; readonly style?: Readonly<Record<string, string>> },
): string {
  const query = new URLSearchParams(style).toString();
  const path = `${url.replace(/\/+$/, '')}/api/render/${viewId}/${encodeURIComponent(bands)}/{z}/{x}/{y}`;
  return query === '' ? path : `${path}?${query}`;
}
