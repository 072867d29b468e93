import type { AreaGeometry, LonLat, LonLatBounds } from '../../geo/index.ts';
import { areaBounds, isPointInArea } from '../../geo/index.ts';
import type { WeatherLocation } from '../series/weather-provider.ts';

/** Global models have cells of about this size (https://open-meteo.com/en/docs): closer locations say the same. */
const SPACING_KM = 11;
/** Each location of a request counts as a request of its own. */
const MAX_LOCATIONS = 25;
const KM_OF_DEGREE = 111.2;

/** The locations whose mean is the weather of an area: one, or an even grid inside a large area. */
export function planLocations(where: WeatherLocation): readonly LonLat[] {
  if (where.type === 'Point') return [toAsked(where.coordinates)];
  const bounds = areaBounds(where);
  const middle: LonLat = [(bounds.west + bounds.east) / 2, (bounds.south + bounds.north) / 2];
  const size = sizeOf(bounds, middle[1]);
  if (size.widthKm < SPACING_KM && size.heightKm < SPACING_KM) return [toAsked(middle)];
  const inside = toGrid(bounds, size).filter((point) => isPointInArea(point, where));
  // A thin or bent area may miss the whole grid: then one of its corners is as near as any cell.
  return inside.length === 0 ? [toAsked(nearestCorner(where, middle))] : inside.map(toAsked);
}

interface SizeKm {
  readonly widthKm: number;
  readonly heightKm: number;
}

const sizeOf = ({ west, south, east, north }: LonLatBounds, lat: number): SizeKm => ({
  widthKm: (east - west) * KM_OF_DEGREE * Math.cos((lat * Math.PI) / 180),
  heightKm: (north - south) * KM_OF_DEGREE,
});

/** Middles of equal rectangles, as square as they can be. */
function toGrid({ west, south, east, north }: LonLatBounds, { widthKm, heightKm }: SizeKm): LonLat[] {
  let spacingKm = Math.max(SPACING_KM, Math.sqrt((widthKm * heightKm) / MAX_LOCATIONS));
  const count = (lengthKm: number): number => Math.max(1, Math.ceil(lengthKm / spacingKm));
  while (count(widthKm) * count(heightKm) > MAX_LOCATIONS) spacingKm *= 1.05;
  const [columns, rows] = [count(widthKm), count(heightKm)];
  const points: LonLat[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      points.push([
        west + ((column + 0.5) / columns) * (east - west),
        south + ((row + 0.5) / rows) * (north - south),
      ]);
    }
  }
  return points;
}

function nearestCorner(area: AreaGeometry, [lon, lat]: LonLat): LonLat {
  const rings = area.type === 'Polygon' ? area.coordinates : area.coordinates.flat();
  const distance = (corner: LonLat): number => Math.hypot(corner[0] - lon, corner[1] - lat);
  return rings.flat().reduce((best, corner) => (distance(corner) < distance(best) ? corner : best));
}

/** Rounded to about 100 m, so that nearby requests share answers, and within ±180. */
const toAsked = ([lon, lat]: LonLat): LonLat => [
  round(lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon),
  round(lat),
];

/** Adding 0 turns -0 into 0, which is written alike. */
const round = (degrees: number): number => Math.round(degrees * 1_000) / 1_000 + 0;
