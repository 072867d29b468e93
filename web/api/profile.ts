/** Heights along a line, read from the server's answer. */
import { asNumber, asRecord } from '../scenes/read-json.ts';

/** A point of the line; `elevationM` is `null` where no height is known. */
export interface ProfilePoint {
  readonly distanceM: number;
  readonly lon: number;
  readonly lat: number;
  readonly elevationM: number | null;
}

/** The points and what they add up to; `null` where no height is known at all. */
export interface Profile {
  readonly lengthM: number;
  readonly minM: number | null;
  readonly maxM: number | null;
  readonly ascentM: number;
  readonly descentM: number;
  readonly points: readonly ProfilePoint[];
}

/** Reads the answer; `null` for other schemas. */
export const parseProfile = (body: unknown): Profile | null => {
  const record = asRecord(body);
  const [length, ascent, descent] = [record.length_m, record.ascent_m, record.descent_m].map(asNumber);
  if (length == null || ascent == null || descent == null || !Array.isArray(record.points)) return null;
  const points = record.points.map((value: unknown): ProfilePoint | null => {
    const { distance_m, lat, lon, elevation } = asRecord(value);
    const [distanceM, y, x] = [distance_m, lat, lon].map(asNumber);
    if (distanceM == null || x == null || y == null) return null;
    return { distanceM, lon: x, lat: y, elevationM: asNumber(elevation) };
  });
  const good = points.filter((point) => point !== null);
  if (good.length < points.length || good.length < 2) return null;
  const [minM, maxM] = [asNumber(record.min), asNumber(record.max)];
  return { lengthM: length, minM, maxM, ascentM: ascent, descentM: descent, points: good };
};
