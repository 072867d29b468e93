/** Scenes as the viewer shows them, read from the search answer of the server. */
import type { Outline } from './footprint.ts';
import { parseOutline } from './footprint.ts';
import { isTileTemplate } from './tile-template.ts';

/** One scene of the list. */
export interface Scene {
  readonly id: string;
  /** Acquisition day, YYYY-MM-DD. */
  readonly date: string;
  readonly tms: string;
  readonly outline: Outline;
  /** Percent; `null` when the catalogue does not say. */
  readonly cloudPercent: number | null;
  readonly sunElevationDeg: number | null;
  readonly satellite: string | null;
}

/** A page of the search. */
export interface ScenePage {
  /** All scenes that match, of which `scenes` are the first. */
  readonly found: number;
  readonly scenes: readonly Scene[];
  /** Hits that lack an id, a date, an outline or a tile address and so cannot be shown. */
  readonly unreadable: number;
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const asNumber = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

const asText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const parseScene = (hit: unknown): Scene | null => {
  const fields = asRecord(hit);
  const id = asText(fields.sceneID);
  const date = asText(fields.date);
  const tms = asText(fields.tms);
  // Not every dataset has the outline of its data; the outline of the whole tile is the next best.
  const outline = parseOutline(fields.dataGeometry) ?? parseOutline(fields.tileGeometry);
  if (id === null || date === null || tms === null || outline === null || !isTileTemplate(tms)) return null;
  return {
    id,
    date,
    tms,
    outline,
    cloudPercent: asNumber(fields.cloudCoverage),
    sunElevationDeg: asNumber(fields.sunElevation),
    satellite: asText(fields.satelliteName),
  };
};

/** Reads the search answer `{meta: {found}, results: […]}`; an answer of another shape is `null`. */
export const parseScenePage = (body: unknown): ScenePage | null => {
  const { meta, results } = asRecord(body);
  if (!Array.isArray(results)) return null;
  const scenes = results.map(parseScene).filter((scene) => scene !== null);
  const found = asNumber(asRecord(meta).found) ?? results.length;
  return { found, scenes, unreadable: results.length - scenes.length };
};

/**
 * The scene a click means when several lie under the pointer: the newest, or the one after the scene that is already
 * shown, so that clicking again walks through the dates. `ids` are newest first.
 */
export const planPick = (ids: readonly string[], shownId: string | null): string | null => {
  const shownAt = shownId === null ? -1 : ids.indexOf(shownId);
  return ids[(shownAt + 1) % ids.length] ?? null;
};
