/**
 * What the address bar remembers after `#`: view, scene, picture, search and panel. It never holds the key, so the address
 * can be shared. Example:
 * `#map=9.25/42.61130/2.40130&scene=S2A_tile_20260621_31TDH_0&dataset=sentinel2&bands=B04,B03,B02&panel=look`.
 */
import type { Contrast, Picture } from '../scenes/picture.ts';
import { RESAMPLINGS } from '../scenes/picture.ts';
import type { SeriesChoice } from './series-state.ts';
import { parseSeriesChoice, toSeriesText } from './series-state.ts';
import type { Area, MapView, PanelName, Point, Query, Where } from './viewer-state.ts';
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
  readonly area: Area | null;
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
  if (text === 'view') return { kind: 'view' };
  const point = parsePoint(text ?? '');
  return point === null ? { kind: 'everywhere' } : { kind: 'point', point };
};

const parseContrast = (text: string | null): Contrast | null => {
  const parts = (text ?? '').split(',');
  if (parts.length !== 2 || !parts.every((part) => VALUE.test(part))) return null;
  const [min = 0, max = 0] = parts.map(Number);
  return min < max ? { min, max } : null;
};

const parsePercent = (text: string | null): number | null => {
  const percent = Number(takeIf(text, /^\d{1,3}$/) ?? Number.NaN);
  return percent >= 0 && percent <= 100 ? percent : null;
};

/** More positions than this make an address that programs cut off. */
const MAX_POSITIONS = 200;

const parseArea = (text: string | null): Area | null => {
  const positions = (text ?? '').split(';').map((part) => part.split(','));
  const isGood = (part: readonly string[]): boolean => {
    const [lon, lat] = part;
    if (part.length !== 2 || !part.every((one) => DECIMAL.test(one))) return false;
    return Math.abs(Number(lon)) <= 180 && Math.abs(Number(lat)) <= 90;
  };
  if (positions.length < 3 || positions.length > MAX_POSITIONS || !positions.every(isGood)) return null;
  const ring = positions.map(([lon, lat]) => [Number(lon), Number(lat)] as const);
  const [first] = ring;
  if (first === undefined) return null;
  return { outline: { type: 'Polygon', coordinates: [[...ring, first]] }, name: null };
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

const parsePicture = (parts: URLSearchParams): Picture => {
  const switches = (parts.get('with') ?? '').split(',');
  return {
    bands: takeIf(parts.get('bands'), BANDS),
    colormap: takeIf(parts.get('colormap'), COLORMAP),
    contrast: parseContrast(parts.get('contrast')),
    resampling: RESAMPLINGS.find((name) => name === parts.get('resample')) ?? null,
    isCalibrated: switches.includes('calibrated'),
    isPansharpened: switches.includes('sharp'),
    isCloudMasked: switches.includes('cloudmask'),
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
    area: parseArea(parts.get('area')),
    series: parseSeriesChoice(parts.get('series')),
    zones: parseZonesChoice(parts.get('zones')),
  };
};

/** Brings a longitude of a map that was dragged around the world back to -180…180. */
const wrapLon = (lon: number): number => ((((lon + 180) % 360) + 360) % 360) - 180;

const toPictureParts = (picture: Picture): string[] => {
  const { bands, colormap, contrast, resampling, isCalibrated, isPansharpened, isCloudMasked } = picture;
  const switches = [
    isCalibrated ? ['calibrated'] : [],
    isPansharpened ? ['sharp'] : [],
    isCloudMasked ? ['cloudmask'] : [],
  ].flat();
  const parts: string[] = [];
  // What separates parts of an address is escaped, all other signs of band math stay readable.
  if (bands !== null) parts.push(`bands=${bands.replaceAll(/[%&#\s]/g, encodeURIComponent)}`);
  if (colormap !== null) parts.push(`colormap=${colormap}`);
  if (contrast !== null) parts.push(`contrast=${contrast.min},${contrast.max}`);
  if (resampling !== null) parts.push(`resample=${resampling}`);
  if (switches.length > 0) parts.push(`with=${switches.join()}`);
  return parts;
};

const toQueryParts = ({ from, to, maxCloudPercent, datasets, where, day }: Query): string[] => {
  const parts: string[] = [];
  if (from !== null) parts.push(`from=${from}`);
  if (to !== null) parts.push(`to=${to}`);
  if (maxCloudPercent !== null) parts.push(`clouds=${maxCloudPercent}`);
  if (datasets !== null) parts.push(`sets=${datasets.join()}`);
  if (where.kind === 'view') parts.push('where=view');
  if (where.kind === 'point' && where.point !== null) {
    parts.push(`where=${where.point.lat.toFixed(5)},${wrapLon(where.point.lon).toFixed(5)}`);
  }
  if (day !== null) parts.push(`day=${day}`);
  return parts;
};

/** One ring without holes; other areas are too long for an address. */
const toAreaPart = (area: Area | null): string[] => {
  const [ring, ...others] = area?.outline.type === 'Polygon' ? area.outline.coordinates : [];
  if (ring === undefined || others.length > 0 || ring.length > MAX_POSITIONS) return [];
  // Six digits of a degree are a tenth of a metre.
  const toText = (degrees: number): string => String(Number(degrees.toFixed(6)));
  return [
    `area=${ring
      .slice(0, -1)
      .map((position) => position.slice(0, 2).map(toText).join())
      .join(';')}`,
  ];
};

/** Writes the part of the address after `#`, with `#`; an empty state gives an empty text. */
export const toAddress = (address: Address): string => {
  const { view, sceneId, dataset, picture, opacity, query, panel, area, series, zones } = address;
  const parts: string[] = [];
  // Two digits of zoom and five of a degree (about 1 m) keep the picture and the address short.
  if (view !== null) {
    parts.push(`map=${view.zoom.toFixed(2)}/${view.lat.toFixed(5)}/${wrapLon(view.lon).toFixed(5)}`);
  }
  if (sceneId !== null) parts.push(`scene=${sceneId}`);
  if (dataset !== null) parts.push(`dataset=${dataset}`);
  parts.push(...toPictureParts(picture));
  if (opacity < 1) parts.push(`opacity=${Math.round(opacity * 100)}`);
  parts.push(...toQueryParts(query));
  // Find is open by default, so that the shortest address is the plainest page.
  if (panel !== undefined && panel !== 'find') parts.push(`panel=${panel ?? NO_PANEL}`);
  parts.push(...toAreaPart(area));
  if (series !== null) parts.push(`series=${toSeriesText(series)}`);
  if (zones !== null) parts.push(`zones=${toZonesText(zones)}`);
  return parts.length === 0 ? '' : `#${parts.join('&')}`;
};
