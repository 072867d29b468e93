/** The pixels on which zones are made: those of the scene, in metres of the zone of UTM that the area lies in. */
import { namesIn } from '../../../scenes/bands.ts';
import type { Outline } from '../../../scenes/footprint.ts';
import { toBox } from '../../../scenes/footprint.ts';
import type { ViewerSensor } from '../../../scenes/sensor.ts';
import type { UtmZone } from '../../../shapes/utm.ts';
import { toUtm, zoneAt } from '../../../shapes/utm.ts';

/** A grid of square pixels. */
export interface ZoneGrid {
  readonly zone: UtmZone;
  readonly pixelM: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** As many pixels a side as the server sieves; larger areas get larger pixels. */
const MAX_SIDE_PX = 1024;

/** Width of the pixels of the finest band that an index reads. */
export const pixelOfIndex = ({ indices, bands }: ViewerSensor, index: string): number => {
  const names = namesIn(indices.find(({ name }) => name === index)?.expression ?? index);
  const used = bands.filter(
    ({ name, role }) => names.includes(name) || (role !== null && names.includes(role)),
  );
  return Math.min(...(used.length > 0 ? used : bands).map(({ resolutionM }) => resolutionM));
};

/** The grid around an area. Its lines are multiples of the pixel, as those of Sentinel-2 are. */
export const planGrid = (outline: Outline, pixelM: number): ZoneGrid => {
  const [west, south, east, north] = toBox(outline);
  const zone = zoneAt((west + east) / 2, (south + north) / 2);
  const points = outline.type === 'Polygon' ? outline.coordinates.flat() : outline.coordinates.flat(2);
  const metres = points.map(([lon, lat]) => toUtm(zone, lon, lat));
  const [xs, ys] = [metres.map(([x]) => x), metres.map(([, y]) => y)];
  const [minX, maxX, minY, maxY] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  // A pixel on every side: edges that are straight in degrees bow a little in metres.
  const sideOf = (size: number): number => Math.ceil(size / pixelM) + 3;
  const times = Math.ceil(Math.max(sideOf(maxX - minX), sideOf(maxY - minY)) / MAX_SIDE_PX);
  const sizeM = pixelM * times;
  const left = (Math.floor(minX / sizeM) - 1) * sizeM;
  const top = (Math.ceil(maxY / sizeM) + 1) * sizeM;
  return {
    zone,
    pixelM: sizeM,
    left,
    top,
    width: Math.ceil((maxX - left) / sizeM) + 1,
    height: Math.ceil((top - minY) / sizeM) + 1,
  };
};
