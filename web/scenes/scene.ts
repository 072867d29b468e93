/** Scenes as the viewer shows them, read from the search answer of the server. */
import type { Outline } from './footprint.ts';
import { parseOutline } from './footprint.ts';
import { toPolarizedSensor } from './polarization.ts';
import { asNumber, asRecord, asText } from './read-json.ts';
import type { ViewerSensor } from './sensor.ts';
import { isTileTemplate } from './tile-template.ts';

/** One scene of the list. */
export interface Scene {
  /** Tells scenes apart: products of two datasets, such as two levels of one tile, may share a scene id. */
  readonly viewId: string;
  readonly id: string;
  /** With the bands that the scene has: a radar product lacks some of its sensor's polarisations. */
  readonly sensor: ViewerSensor;
  /** Acquisition day, YYYY-MM-DD. */
  readonly date: string;
  readonly tms: string;
  readonly outline: Outline;
  /** Percent; `null` when the catalogue does not say. */
  readonly cloudPercent: number | null;
  readonly sunElevationDeg: number | null;
  /** How much of the tile has data, in percent; `null` when the catalogue does not say. */
  readonly coveragePercent: number | null;
  /** The address of its thumbnail, which may be the provider's; `null` when the answer has none. */
  readonly thumbnail: string | null;
}

/** What a live catalog has added to a page. */
export interface CatalogNote {
  readonly name: string;
  /** Whether it has more scenes than it was asked to count. */
  readonly isAtLeast: boolean;
  /** The code of what kept it from answering whole; `null` if nothing did. */
  readonly problem: string | null;
}

/** A page of the search. */
export interface ScenePage {
  /** All scenes that match, of which `scenes` are the first. */
  readonly found: number;
  readonly scenes: readonly Scene[];
  /** Hits that lack an id, a known sensor, a date, an outline or a tile address and so cannot be shown. */
  readonly unreadable: number;
  /** What live catalogs have added; absent where none was asked. */
  readonly notes?: readonly CatalogNote[];
}

const parseScene = (hit: unknown, sensors: readonly ViewerSensor[]): Scene | null => {
  const fields = asRecord(hit);
  const viewId = asText(fields.view_id);
  const id = asText(fields.sceneID);
  const sensor = sensors.find(({ dataset }) => dataset === fields.satellite);
  const date = asText(fields.date);
  const tms = asText(fields.tms);
  // Not every dataset has the outline of its data; the outline of the whole tile is the next best.
  const outline = parseOutline(fields.dataGeometry) ?? parseOutline(fields.tileGeometry);
  if (viewId === null || id === null || sensor === undefined || date === null) return null;
  if (tms === null || outline === null || !isTileTemplate(tms)) return null;
  return {
    viewId,
    id,
    sensor: toPolarizedSensor(sensor, asText(fields.polarization)),
    date,
    tms,
    outline,
    cloudPercent: asNumber(fields.cloudCoverage),
    sunElevationDeg: asNumber(fields.sunElevation),
    coveragePercent: asNumber(fields.dataCoveragePercentage),
    thumbnail: asText(fields.thumbnail),
  };
};

const parseNote = (value: unknown): CatalogNote => {
  const { name, found_by: foundBy, problem } = asRecord(value);
  return {
    name: asText(name) ?? '',
    isAtLeast: foundBy === 'at-least',
    problem: problem === undefined ? null : (asText(asRecord(problem).code) ?? ''),
  };
};

/** Reads the search answer `{meta: {found, catalogs}, results: […]}`; an answer of another form is `null`. */
export const parseScenePage = (body: unknown, sensors: readonly ViewerSensor[]): ScenePage | null => {
  const { meta, results } = asRecord(body);
  if (!Array.isArray(results)) return null;
  const scenes = results.map((hit) => parseScene(hit, sensors)).filter((scene) => scene !== null);
  const { found, catalogs } = asRecord(meta);
  return {
    found: asNumber(found) ?? results.length,
    scenes,
    unreadable: results.length - scenes.length,
    ...(Array.isArray(catalogs) ? { notes: catalogs.map(parseNote) } : {}),
  };
};

/** A list with more scenes in it, newest first as it is; those that it has already are not added again. */
export const withScenes = (list: readonly Scene[], more: readonly Scene[]): readonly Scene[] => {
  const known = new Set(list.map(({ viewId }) => viewId));
  const fresh = more.filter(({ viewId }) => !known.has(viewId));
  // Scenes of one day stay in the order in which they came.
  return [...list, ...fresh].toSorted((a, b) => (a.date === b.date ? 0 : a.date < b.date ? 1 : -1));
};

/**
 * The scene a click means when several lie under the pointer: the newest, or the one after the scene that is already
 * shown, so that clicking again walks through the dates. `ids` are newest first.
 */
export const planPick = (ids: readonly string[], shownId: string | null): string | null => {
  const shownAt = shownId === null ? -1 : ids.indexOf(shownId);
  return ids[(shownAt + 1) % ids.length] ?? null;
};
