/**
 * What the address bar remembers after `#`: view, scene, picture, search, panel and shapes. It never holds the key, so the address
 * can be shared. Example:
 * `#map=9.25/42.61130/2.40130&scene=S2A_tile_20260621_31TDH_0&dataset=sentinel2&bands=B04,B03,B02&panel=look`.
 */

import type { Outline } from '../scenes/footprint.ts';
import type { Picture, PictureContrast } from '../scenes/picture.ts';
import { contrastsOf, RESAMPLINGS, toPictureContrast } from '../scenes/picture.ts';
import type { Terrain } from '../scenes/terrain.ts';
import { EXAGGERATIONS, MAX_PITCH_DEG, NO_TERRAIN, TERRAIN_LAYERS } from '../scenes/terrain.ts';
import type { Position } from '../shapes/shape.ts';
import { parseLineText, parseOutlineText, toLineText, toOutlineText } from '../shapes/shape-text.ts';
import type { AnimationAddress } from './animation.ts';
import { PLAIN_ANIMATION, SPEEDS } from './animation.ts';
import type { ComparisonAddress, SideAddress } from './comparison.ts';
import { COMPARE_MODES } from './comparison.ts';
import type { SeriesChoice } from './series-state.ts';
import { parseSeriesChoice, toSeriesText } from './series-state.ts';
import type { MapView, PanelName, Point, Query, Where } from './viewer-state.ts';
import { PANELS } from './viewer-state.ts';
import type { ZonesChoice } from './zones-state.ts';
import { parseZonesChoice, toZonesText } from './zones-state.ts';

/** The shareable part of the state; `null` where the address says nothing, or nothing sensible. */
export interface Address {
  readonly view: MapView | null;
  readonly sceneId: string | null;
  /** Tells scenes with one id apart; addresses may lack it. */
  readonly dataset: string | null;
  /** Only the scene's sensor can say whether there are such bands. */
  readonly picture: Picture;
  readonly opacity: number;
  readonly query: Query;
  /** `undefined` where the address does not say. */
  readonly panel: PanelName | null | undefined;
  readonly terrain: Terrain;
  /** `stored`: the area is too long for an address, and this browser tab has it. */
  readonly area: Outline | 'stored' | null;
  readonly line: readonly Position[] | null;
  readonly comparison: ComparisonAddress | null;
  readonly animation: AnimationAddress | null;
  /** `null` where no series is open. */
  readonly series: SeriesChoice | null;
  /** `null` where there are no zones on the map. */
  readonly zones: ZonesChoice | null;
}

/** MapLibre's own largest zoom; a larger one in the address is a mistake. */
const MAX_ZOOM = 24;
const SCENE_ID = /^[\w.-]{1,120}$/;
const DATASET = /^[a-z0-9]{1,32}$/;
/** Band math; longer expressions than this are refused by the server too. */
const BANDS = /^[\w\s,.()+\-*/^<>=!&|~%]{1,1000}$/;
const COLORMAP = /^\w{1,34}$/;
const DECIMAL = /^-?\d{1,3}(\.\d{1,10})?$/;
const VALUE = /^-?\d{1,9}(\.\d{1,9})?$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const NO_PANEL = 'none';
/** A reference as the server makes them. */
const CLIP = /^[0-9a-f]{32}$/;
const STORED = 'stored';

const parseView = (text: string | null): MapView | null => {
  const parts = (text ?? '').split('/');
  if (parts.length !== 3 || !parts.every((part) => DECIMAL.test(part))) return null;
  const [zoom = 0, lat = 0, lon = 0] = parts.map(Number);
  const isOnMap = zoom >= 0 && zoom <= MAX_ZOOM && Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
  return isOnMap ? { zoom, lat, lon } : null;
};

const takeIf = (text: string | null, form: RegExp): string | null =>
  text !== null && form.test(text) ? text : null;

const parsePoint = (text: string): Point | null => {
  const parts = text.split(',');
  if (parts.length !== 2 || !parts.every((part) => DECIMAL.test(part))) return null;
  const [lat = 0, lon = 0] = parts.map(Number);
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : null;
};

const parseWhere = (text: string | null): Where => {
  if (text === 'view' || text === 'area') return { kind: text };
  const point = parsePoint(text ?? '');
  return point === null ? { kind: 'everywhere' } : { kind: 'point', point };
};

/** One pair of values, or one for each of three channels. */
const parseContrast = (text: string | null): PictureContrast | null => {
  const parts = (text ?? '').split(',');
  if (![2, 6].includes(parts.length) || !parts.every((part) => VALUE.test(part))) return null;
  const contrasts = Array.from({ length: parts.length / 2 }, (_, i) => ({
    min: Number(parts[2 * i]),
    max: Number(parts[2 * i + 1]),
  }));
  return contrasts.every(({ min, max }) => min < max) ? toPictureContrast(contrasts) : null;
};

const parsePercent = (text: string | null): number | null => {
  const percent = Number(takeIf(text, /^\d{1,3}$/) ?? Number.NaN);
  return percent >= 0 && percent <= 100 ? percent : null;
};

const parsePanel = (text: string | null): PanelName | null | undefined =>
  text === NO_PANEL ? null : PANELS.find((name) => name === text);

const parseQuery = (parts: URLSearchParams): Query => {
  const datasets = (parts.get('sets') ?? '').split(',').filter((name) => DATASET.test(name));
  return {
    from: takeIf(parts.get('from'), DAY),
    to: takeIf(parts.get('to'), DAY),
    maxCloudPercent: parsePercent(parts.get('clouds')),
    datasets: datasets.length === 0 ? null : datasets,
    where: parseWhere(parts.get('where')),
    day: takeIf(parts.get('day'), DAY),
  };
};

const parsePicture = (parts: URLSearchParams, prefix = ''): Picture => {
  const switches = (parts.get(`${prefix}with`) ?? '').split(',');
  return {
    bands: takeIf(parts.get(`${prefix}bands`), BANDS),
    colormap: takeIf(parts.get(`${prefix}colormap`), COLORMAP),
    contrast: parseContrast(parts.get(`${prefix}contrast`)),
    resampling: RESAMPLINGS.find((name) => name === parts.get(`${prefix}resample`)) ?? null,
    isCalibrated: switches.includes('calibrated'),
    isPansharpened: switches.includes('sharp'),
    isCloudMasked: switches.includes('cloudmask'),
    clip: takeIf(parts.get('clip'), CLIP),
  };
};

/** `relief=1.5,55,-20`: exaggeration, pitch and bearing of a map in three dimensions. */
const parseTerrain = (parts: URLSearchParams): Terrain => {
  const layer = TERRAIN_LAYERS.find((name) => name === parts.get('terrain')) ?? NO_TERRAIN.layer;
  const relief = (parts.get('relief') ?? '').split(',');
  if (relief.length !== 3 || !relief.every((part) => DECIMAL.test(part))) return { ...NO_TERRAIN, layer };
  const [exaggeration = 0, pitchDeg = 0, bearingDeg = 0] = relief.map(Number);
  const isGood =
    exaggeration >= EXAGGERATIONS.min &&
    exaggeration <= EXAGGERATIONS.max &&
    pitchDeg >= 0 &&
    pitchDeg <= MAX_PITCH_DEG &&
    Math.abs(bearingDeg) <= 180;
  return isGood ? { layer, exaggeration, pitchDeg, bearingDeg } : { ...NO_TERRAIN, layer };
};

const toTerrainParts = ({ layer, exaggeration, pitchDeg, bearingDeg }: Terrain): string[] => [
  ...(layer === 'none' ? [] : [`terrain=${layer}`]),
  ...(exaggeration === null ? [] : [`relief=${exaggeration},${pitchDeg},${bearingDeg}`]),
];
const parseSide = (parts: URLSearchParams, prefix: string): SideAddress | null => {
  const sceneId = takeIf(parts.get(`${prefix}scene`), SCENE_ID);
  if (sceneId === null) return null;
  const dataset = takeIf(parts.get(`${prefix}dataset`), DATASET);
  return { sceneId, dataset, picture: parsePicture(parts, prefix) };
};

/** Two scenes and how they are compared; a comparison that lacks one is none. */
const parseComparison = (parts: URLSearchParams): ComparisonAddress | null => {
  const mode = COMPARE_MODES.find((name) => name === parts.get('compare'));
  const [left, right] = [parseSide(parts, 'left.'), parseSide(parts, 'right.')];
  if (mode === undefined || left === null || right === null) return null;
  const limit = Number(takeIf(parts.get('limit'), VALUE));
  return {
    mode,
    left,
    right,
    split: (parsePercent(parts.get('split')) ?? 50) / 100,
    measure: takeIf(parts.get('measure'), BANDS),
    limit: limit > 0 ? limit : null,
  };
};

const parseAnimation = (parts: URLSearchParams): AnimationAddress | null => {
  const framesPerSecond = SPEEDS.find((speed) => String(speed) === parts.get('animate'));
  if (framesPerSecond === undefined) return null;
  return {
    framesPerSecond,
    isLooping: parts.get('animate.loop') !== '0',
    maxCloudPercent: parsePercent(parts.get('animate.clouds')) ?? PLAIN_ANIMATION.maxCloudPercent,
  };
};

/** Reads `location.hash`; anyone can write an address, so each part is checked and a bad one is ignored. */
export const parseAddress = (hash: string): Address => {
  // A plus sign is an operator of band math here, not a space as in forms.
  const parts = new URLSearchParams(hash.replace(/^#/, '').replaceAll('+', '%2B'));
  return {
    view: parseView(parts.get('map')),
    sceneId: takeIf(parts.get('scene'), SCENE_ID),
    dataset: takeIf(parts.get('dataset'), DATASET),
    picture: parsePicture(parts),
    opacity: (parsePercent(parts.get('opacity')) ?? 100) / 100,
    query: parseQuery(parts),
    panel: parsePanel(parts.get('panel')),
    terrain: parseTerrain(parts),
    area: parts.get('area') === STORED ? STORED : parseOutlineText(parts.get('area') ?? ''),
    line: parseLineText(parts.get('line') ?? ''),
    comparison: parseComparison(parts),
    animation: parseAnimation(parts),
    series: parseSeriesChoice(parts.get('series')),
    zones: parseZonesChoice(parts.get('zones')),
  };
};

/** Brings a longitude of a map that was dragged around the world back to -180…180. */
const wrapLon = (lon: number): number => ((((lon + 180) % 360) + 360) % 360) - 180;

/** What separates parts of an address is escaped, all other signs of band math stay readable. */
const escapeMath = (text: string): string => text.replaceAll(/[%&#\s]/g, encodeURIComponent);

const toPictureParts = (picture: Picture): string[] => {
  const { bands, colormap, contrast, resampling, isCalibrated, isPansharpened, isCloudMasked, clip } =
    picture;
  const switches = [
    isCalibrated ? ['calibrated'] : [],
    isPansharpened ? ['sharp'] : [],
    isCloudMasked ? ['cloudmask'] : [],
  ].flat();
  const parts: string[] = [];
  if (bands !== null) parts.push(`bands=${escapeMath(bands)}`);
  if (colormap !== null) parts.push(`colormap=${colormap}`);
  if (contrast !== null) {
    parts.push(`contrast=${contrastsOf(contrast).map(({ min, max }) => `${min},${max}`)}`);
  }
  if (resampling !== null) parts.push(`resample=${resampling}`);
  if (switches.length > 0) parts.push(`with=${switches.join()}`);
  if (clip !== null) parts.push(`clip=${clip}`);
  return parts;
};

const toQueryParts = ({ from, to, maxCloudPercent, datasets, where, day }: Query): string[] => {
  const parts: string[] = [];
  if (from !== null) parts.push(`from=${from}`);
  if (to !== null) parts.push(`to=${to}`);
  if (maxCloudPercent !== null) parts.push(`clouds=${maxCloudPercent}`);
  if (datasets !== null) parts.push(`sets=${datasets.join()}`);
  if (where.kind === 'view' || where.kind === 'area') parts.push(`where=${where.kind}`);
  if (where.kind === 'point' && where.point !== null) {
    parts.push(`where=${where.point.lat.toFixed(5)},${wrapLon(where.point.lon).toFixed(5)}`);
  }
  if (day !== null) parts.push(`day=${day}`);
  return parts;
};

const toSideParts = ({ sceneId, dataset, picture }: SideAddress, prefix: string): string[] =>
  [`scene=${sceneId}`, ...(dataset === null ? [] : [`dataset=${dataset}`]), ...toPictureParts(picture)].map(
    (part) => prefix + part,
  );

const toComparisonParts = (comparison: ComparisonAddress): string[] => {
  const { mode, left, right, split, measure, limit } = comparison;
  const parts = [`compare=${mode}`, ...toSideParts(left, 'left.'), ...toSideParts(right, 'right.')];
  const percent = Math.round(split * 100);
  if (percent !== 50) parts.push(`split=${percent}`);
  if (measure !== null) parts.push(`measure=${escapeMath(measure)}`);
  if (limit !== null) parts.push(`limit=${limit}`);
  return parts;
};

const toAnimationParts = ({ framesPerSecond, isLooping, maxCloudPercent }: AnimationAddress): string[] => {
  const parts = [`animate=${framesPerSecond}`];
  if (!isLooping) parts.push('animate.loop=0');
  if (maxCloudPercent !== PLAIN_ANIMATION.maxCloudPercent) parts.push(`animate.clouds=${maxCloudPercent}`);
  return parts;
};

/** Writes the part of the address after `#`, with `#`; an empty state gives an empty text. */
export const toAddress = (address: Address): string => {
  const { view, sceneId, dataset, picture, opacity, query, panel } = address;
  const { terrain, area, line, comparison, animation, series, zones } = address;
  const parts: string[] = [];
  // Two digits of zoom and five of a degree (about 1 m) keep the picture and the address short.
  if (view !== null) {
    parts.push(`map=${view.zoom.toFixed(2)}/${view.lat.toFixed(5)}/${wrapLon(view.lon).toFixed(5)}`);
  }
  if (sceneId !== null) parts.push(`scene=${sceneId}`);
  if (dataset !== null) parts.push(`dataset=${dataset}`);
  parts.push(...toPictureParts(picture));
  if (opacity < 1) parts.push(`opacity=${Math.round(opacity * 100)}`);
  parts.push(...toTerrainParts(terrain));
  parts.push(...toQueryParts(query));
  if (comparison !== null) parts.push(...toComparisonParts(comparison));
  if (animation !== null) parts.push(...toAnimationParts(animation));
  // Find is open by default, so that the shortest address is the plainest page.
  if (panel !== undefined && panel !== 'find') parts.push(`panel=${panel ?? NO_PANEL}`);
  if (area !== null) parts.push(`area=${area === STORED ? STORED : (toOutlineText(area) ?? STORED)}`);
  const lineText = line === null ? null : toLineText(line);
  if (lineText !== null) parts.push(`line=${lineText}`);
  if (series !== null) parts.push(`series=${toSeriesText(series)}`);
  if (zones !== null) parts.push(`zones=${toZonesText(zones)}`);
  return parts.length === 0 ? '' : `#${parts.join('&')}`;
};
