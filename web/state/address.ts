/**
 * What the address bar remembers after `#`: view, scene, picture, search, panel, shapes, comparison, film, series and
 * zones. It never holds the key, so the address can be shared. Example:
 * `#map=9.25/42.61130/2.40130&scene=S2A_tile_20260621_31TDH_0&dataset=sentinel2&bands=B04,B03,B02&panel=look`.
 */
import type { Picture } from '../scenes/picture.ts';
import type { Terrain } from '../scenes/terrain.ts';
import { parseAnimation, toAnimationParts } from './address/animation.ts';
import { parseClearView, toClearViewParts } from './address/clear-view.ts';
import { parseComparison, toComparisonParts } from './address/comparison.ts';
import { DATASET, parsePercent, SCENE_ID, takeIf } from './address/forms.ts';
import { parsePicture, toPictureParts } from './address/picture.ts';
import { parseQuery, toQueryParts } from './address/query.ts';
import type { ShapesAddress } from './address/shapes.ts';
import { parseShapes, toShapesParts } from './address/shapes.ts';
import { parseTerrain, toTerrainParts } from './address/terrain.ts';
import { parseView, toViewText } from './address/view.ts';
import type { AnimationAddress } from './animation.ts';
import type { ClearView } from './clear-view.ts';
import type { ComparisonAddress } from './comparison.ts';
import type { MapView } from './map-view.ts';
import type { Query } from './search-state.ts';
import type { SeriesChoice, SeriesForm } from './series-state.ts';
import { parseSeriesChoice, SERIES_FORMS, toSeriesText } from './series-state.ts';
import type { PanelName } from './viewer-state.ts';
import { PANELS } from './viewer-state.ts';
import type { ZonesChoice } from './zones-state.ts';
import { parseZonesChoice, toZonesText } from './zones-state.ts';

/** The shareable part of the state; `null` where the address says nothing, or nothing sensible. */
export interface Address extends ShapesAddress {
  readonly view: MapView | null;
  readonly sceneId: string | null;
  /** Tells scenes with one id apart; addresses may lack it. */
  readonly dataset: string | null;
  /** `null` for one scene. */
  readonly clearView: ClearView | null;
  /** Only the scene's sensor can say whether there are such bands. */
  readonly picture: Picture;
  readonly opacity: number;
  readonly terrain: Terrain;
  readonly query: Query;
  readonly comparison: ComparisonAddress | null;
  readonly animation: AnimationAddress | null;
  /** `undefined` where the address does not say. */
  readonly panel: PanelName | null | undefined;
  /** `null` where no series is open. */
  readonly series: SeriesChoice | null;
  /** How an open series is shown. */
  readonly seriesForm: SeriesForm;
  /** `null` where there are no zones on the map. */
  readonly zones: ZonesChoice | null;
}

const NO_PANEL = 'none';

const parsePanel = (text: string | null): PanelName | null | undefined =>
  text === NO_PANEL ? null : PANELS.find((name) => name === text);

/** Reads `location.hash`; anyone can write an address, so each part is checked and a bad one is ignored. */
export const parseAddress = (hash: string): Address => {
  // A plus sign is an operator of band math here, not a space as in forms.
  const parts = new URLSearchParams(hash.replace(/^#/, '').replaceAll('+', '%2B'));
  const series = parseSeriesChoice(parts.get('series'));
  const sceneId = takeIf(parts.get('scene'), SCENE_ID);
  return {
    view: parseView(parts.get('map')),
    sceneId,
    dataset: takeIf(parts.get('dataset'), DATASET),
    clearView: parseClearView(parts.get('clear'), sceneId),
    picture: parsePicture(parts),
    opacity: (parsePercent(parts.get('opacity')) ?? 100) / 100,
    terrain: parseTerrain(parts),
    query: parseQuery(parts),
    comparison: parseComparison(parts),
    animation: parseAnimation(parts),
    panel: parsePanel(parts.get('panel')),
    ...parseShapes(parts),
    series,
    seriesForm: (series && SERIES_FORMS.find((form) => form === parts.get('series.as'))) ?? 'chart',
    zones: parseZonesChoice(parts.get('zones')),
  };
};

/** Writes the part of the address after `#`, with `#`; an empty state gives an empty text. */
export const toAddress = (address: Address): string => {
  const { view, sceneId, dataset, clearView, picture, opacity, terrain, query } = address;
  const { comparison, animation, panel, series, seriesForm, zones } = address;
  const parts: string[] = [];
  if (view !== null) parts.push(`map=${toViewText(view)}`);
  if (sceneId !== null) parts.push(`scene=${sceneId}`);
  if (dataset !== null) parts.push(`dataset=${dataset}`);
  parts.push(...toClearViewParts(clearView, sceneId), ...toPictureParts(picture));
  if (opacity < 1) parts.push(`opacity=${Math.round(opacity * 100)}`);
  parts.push(...toTerrainParts(terrain), ...toQueryParts(query));
  if (comparison !== null) parts.push(...toComparisonParts(comparison));
  if (animation !== null) parts.push(...toAnimationParts(animation));
  // Find is open by default, so that the shortest address is the plainest page.
  if (panel !== undefined && panel !== 'find') parts.push(`panel=${panel ?? NO_PANEL}`);
  parts.push(...toShapesParts(address));
  if (series !== null) parts.push(`series=${toSeriesText(series)}`);
  if (series !== null && seriesForm !== 'chart') parts.push(`series.as=${seriesForm}`);
  if (zones !== null) parts.push(`zones=${toZonesText(zones)}`);
  return parts.length === 0 ? '' : `#${parts.join('&')}`;
};
