/** Footprints as a picture on a page: outlines over a grid of degrees, without a script. */
import type { AreaGeometry, LonLat } from '../../geo/index.ts';

/** A footprint and where it leads. */
export interface ShownFootprint {
  readonly geometry: AreaGeometry;
  /** HTML of its link's address, escaped; null without a link. */
  readonly href: string | null;
  /** HTML of its name, escaped. */
  readonly title: string;
}

const WIDTH = 720;
const MAX_HEIGHT = 420;
/** Steps of the grid in degrees: the smallest that draws at most eight lines is taken. */
const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60];

/** Draws them; an empty text without footprints. */
export function drawFootprints(footprints: readonly ShownFootprint[]): string {
  const positions = footprints.flatMap(({ geometry }) => ringsOf(geometry).flat());
  if (positions.length === 0) return '';
  const [lons, lats] = [positions.map(([lon]) => lon), positions.map(([, lat]) => lat)];
  const [west, east] = widen(Math.min(...lons), Math.max(...lons));
  const [south, north] = widen(Math.min(...lats), Math.max(...lats));
  const squeeze = Math.max(0.1, Math.cos((((south + north) / 2) * Math.PI) / 180));
  const scale = Math.min(WIDTH / ((east - west) * squeeze), MAX_HEIGHT / (north - south));
  const toX = (lon: number): string => ((lon - west) * squeeze * scale).toFixed(1);
  const toY = (lat: number): string => ((north - lat) * scale).toFixed(1);
  const [width, height] = [toX(east), toY(south)];
  const meridians = listLines(west, east).map(
    (lon) =>
      `<path d="M${toX(lon)} 0V${height}"/><text x="${toX(lon)}" y="${height}" dy="-4" dx="3">${toDegrees(lon)}</text>`,
  );
  const parallels = listLines(south, north).map(
    (lat) =>
      `<path d="M0 ${toY(lat)}H${width}"/><text x="0" y="${toY(lat)}" dy="-3" dx="3">${toDegrees(lat)}</text>`,
  );
  const shapes = footprints.map(({ geometry, href, title }) => {
    const d = ringsOf(geometry)
      .map((ring) => `M${ring.map(([lon, lat]) => `${toX(lon)} ${toY(lat)}`).join('L')}Z`)
      .join('');
    const path = `<path d="${d}"><title>${title}</title></path>`;
    return href === null ? path : `<a href="${href}">${path}</a>`;
  });
  return `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Map of footprints" fill="none" stroke="currentColor">
<g stroke-opacity="0.25" font-size="10" class="grid">${meridians.join('')}${parallels.join('')}</g>
<g fill="currentColor" fill-opacity="0.12" stroke-width="1.5">${shapes.join('\n')}</g></svg>`;
}

const ringsOf = ({ type, coordinates }: AreaGeometry): readonly (readonly LonLat[])[] =>
  (type === 'Polygon' ? coordinates : coordinates.flat()) as readonly (readonly LonLat[])[];

/** Space around what is shown. */
function widen(low: number, high: number): readonly [number, number] {
  const margin = Math.max(0.005, (high - low) * 0.08);
  return [low - margin, high + margin];
}

function listLines(low: number, high: number): readonly number[] {
  const step = STEPS.find((one) => (high - low) / one <= 8) ?? 90;
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => Number(((first + i) * step).toFixed(2)));
}

const toDegrees = (degrees: number): string => `${degrees}°`;
