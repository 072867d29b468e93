/** The clear view as tiles of a mosaic: which sensors, which days, and the address of the server. */

import { addDays, monthOf } from '../api/days.ts';
import { namesIn } from './bands.ts';
import type { Picture } from './picture.ts';
import { bandsOfPicture, isNaturalPicture, toPictureQuery } from './picture.ts';
import type { Scene } from './scene.ts';
import type { ViewerSensor } from './sensor.ts';
import { fillBands } from './tile-template.ts';

/** What it is planned from. */
export interface ClearLayerParts {
  /** The scene that the picture was chosen for. */
  readonly shown: Scene;
  readonly picture: Picture;
  readonly day: string;
  /** Days before and after it. */
  readonly days: number;
  /** Whether the day is the newest one there is, and not a chosen one. */
  readonly isLatest?: boolean;
  /** Sensors that may lie below or above it, those with scenes. */
  readonly sensors: readonly ViewerSensor[];
}

/** The layer. */
export interface ClearLayer {
  /** The tile address with `{z}/{x}/{y}`, bands and options. */
  readonly template: string;
  /** Finest first: where the first one shows nothing, the next one is seen. */
  readonly sensors: readonly [ViewerSensor, ...ViewerSensor[]];
  readonly from: string;
  readonly to: string;
  /** Zoom of the finest tiles. */
  readonly maxZoom: number;
}

/** Scenes with more clouds, in percent, leave little ground, and their masks miss the most. */
export const MAX_CLOUD_PERCENT = 60;
/** More sensors than this would cost more than they fill. */
const MAX_SENSORS = 4;

/** The bands by names that all sensors know; `null` where one has none. */
const toRoles = (sensor: ViewerSensor, bands: string): readonly string[] | null => {
  const roles = bands.split(',').map((name) => sensor.bands.find((band) => band.name === name)?.role ?? null);
  return roles.every((role) => role !== null) ? roles : null;
};

/** The width of the coarsest of some pixels, in metres; `null` for a sensor without one of the roles. */
const resolutionOf = ({ bands }: ViewerSensor, roles: readonly string[]): number | null => {
  const found = roles.map((role) => bands.find((band) => band.role === role && band.kind === 'reflective'));
  return found.every((band) => band !== undefined)
    ? Math.max(...found.map(({ resolutionM }) => resolutionM))
    : null;
};

/** Level 1 of a satellite beside its level 2 would be the same pictures twice, once hazy. */
const withoutLevel1 = (sensors: readonly ViewerSensor[]): readonly ViewerSensor[] =>
  sensors.filter(({ dataset }) => !sensors.some((other) => other.dataset === `${dataset}l2a`));

/**
 * The sensors of a picture, finest first. Several only in natural colour, in which all of them look alike; anything else
 * has values of one sensor.
 */
const planSensors = ({ shown, picture, sensors }: ClearLayerParts): ClearLayer['sensors'] => {
  const own = shown.sensor;
  const roles = toRoles(own, bandsOfPicture(own, picture));
  if (roles === null || !isNaturalPicture(own, picture)) return [own];
  const known = [...sensors.filter(({ dataset }) => dataset !== own.dataset), own];
  const ranked = withoutLevel1(known)
    .flatMap((sensor) => {
      const resolutionM = resolutionOf(sensor, roles);
      return resolutionM === null ? [] : [{ sensor, resolutionM }];
    })
    .toSorted((a, b) => a.resolutionM - b.resolutionM)
    .map(({ sensor }) => sensor);
  const [first, ...others] = ranked.slice(0, MAX_SENSORS);
  return first === undefined ? [own] : [first, ...others];
};

/** The parameters of the mosaic itself; the rest of the query is that of pictures. */
const toSelection = ({ picture }: ClearLayerParts, day: string, isMany: boolean): string =>
  [
    'selection=nearest',
    `date=${day}`,
    ...(isMany ? ['prefer=sensors'] : []),
    `max_cloud=${MAX_CLOUD_PERCENT}`,
    ...(picture.isCloudMasked === false ? ['mask=none'] : []),
  ].join('&');

/** Of fewer days, whole months would be too many more. */
const MONTHS_FROM_DAYS = 30;

/**
 * The period, and the day that its scenes are nearest to. The latest view is of whole months up to the end of the newest
 * scene's: nearest to that end is the newest, so the picture is the same, and its address changes once a month and not with
 * every scene. A pyramid that was ordered for the address serves its low zoom levels for that time.
 */
const toPeriod = ({ day, days, isLatest = false }: ClearLayerParts): readonly [string, string, string] => {
  if (!isLatest || days < MONTHS_FROM_DAYS) return [addDays(day, -days), addDays(day, days), day];
  const [first, last] = monthOf(day);
  return [monthOf(addDays(first, -days))[0], last, last];
};

/** Plans it. */
export const planClearLayer = (parts: ClearLayerParts): ClearLayer => {
  const { shown, picture } = parts;
  const sensors = planSensors(parts);
  const [first, ...others] = sensors;
  const bands = bandsOfPicture(shown.sensor, picture);
  const names =
    others.length > 0 || first !== shown.sensor ? toRoles(shown.sensor, bands)?.join() : undefined;
  const [from, to, nearestTo] = toPeriod(parts);
  const home = shown.tms.slice(0, shown.tms.lastIndexOf('/api/render/'));
  const path = `${sensors.map(({ abbreviation }) => abbreviation).join()}/${from}..${to}`;
  // Mosaics have masks of their own and are not sharpened.
  const query = toPictureQuery(shown.sensor, { ...picture, isPansharpened: false, isCloudMasked: false });
  const selection = toSelection(parts, nearestTo, others.length > 0);
  return {
    template:
      fillBands(`${home}/api/mosaic/${path}/{band}/{z}/{x}/{y}`, names ?? bands) +
      (query === '' ? `?${selection}` : `${query}&${selection}`),
    sensors,
    from,
    to,
    maxZoom: Math.max(...sensors.map(({ maxZoom }) => maxZoom)),
  };
};

/** The address, from the page on, of something that the server says of the layer: its legend, a point, its sources. */
export const toClearPath = (
  { template }: Pick<ClearLayer, 'template'>,
  verb: 'legend' | 'point' | 'sources/legend' | 'tile',
  position: string,
): string => {
  const own = template.slice(template.lastIndexOf('/api/mosaic/') + 1);
  const root = verb === 'tile' ? 'api/mosaic/' : `api/mosaic/${verb}/`;
  return own.replace('api/mosaic/', root).replace('{z}/{x}/{y}', position);
};

/** Whether a clear view can be made of a sensor's scenes: it shows the ground in colours, which clouds hide. */
export const isClearable = (sensor: ViewerSensor): boolean => {
  const [{ bands }] = sensor.compositions;
  return namesIn(bands).length === 3 && resolutionOf(sensor, toRoles(sensor, bands) ?? ['?']) !== null;
};
