/** What is searched for: `from=2026-05-01&clouds=20&sets=sentinel2&where=view&day=2026-06-21`. */
import type { Point } from '../map-view.ts';
import type { Query, Where } from '../search-state.ts';
import { DATASET, DAY, DECIMAL, parsePercent, takeIf, wrapLon } from './forms.ts';

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

/** Reads it. */
export const parseQuery = (parts: URLSearchParams): Query => {
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

/** Writes its filters. */
export const toQueryParts = ({ from, to, maxCloudPercent, datasets, where, day }: Query): string[] => {
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
