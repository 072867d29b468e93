/** Areas and points that a request names or holds. */
import type { AreaParser, CheckedArea } from '../../areas/index.ts';
import { nameParameter, notFound } from '../../errors.ts';
import type { PointGeometry } from '../../geo/index.ts';
import type { Areas, KeptArea } from '../../library/index.ts';
import type { Ticket } from '../../pool/index.ts';
import type { RenderOptions } from '../../render/index.ts';
import { writeJson } from '../kit/json-body.ts';

/** The answer to a cropper_ref that names no area, or none that the caller may change. */
export const unknownArea = (): Error => notFound('unknown-area', 'There is no area with this cropper_ref.');

/** The area of a cropper_ref. */
export async function findArea(ref: string, areas: Areas): Promise<KeptArea> {
  const area = await areas.find(ref);
  if (area === null) throw unknownArea();
  return area;
}

/** The area as the renderer takes it; null if none is named. */
export async function findCrop(ref: string | null, areas: Areas): Promise<RenderOptions['area']> {
  return ref === null ? null : { ref, outline: (await findArea(ref, areas)).outline };
}

/**
 * Reads an area from a field of a body, by the rules of stored areas: polygons that overlap would cancel each other out.
 * A refusal begins with the name of the field.
 */
export async function readGeometry(
  name: string,
  geometry: unknown,
  { areaParser, ticket }: { readonly areaParser: AreaParser; readonly ticket: Ticket },
): Promise<CheckedArea> {
  try {
    return await areaParser.check(writeJson(geometry), ticket);
  } catch (error) {
    throw nameParameter(name, error);
  }
}

/** A GeoJSON Point, or a Feature of one, with or without a height; null for anything else, `malformed` for a wrong one. */
export function toPoint(geometry: unknown): PointGeometry | 'malformed' | null {
  const given = (geometry ?? {}) as {
    readonly type?: unknown;
    readonly coordinates?: unknown;
    geometry?: unknown;
  };
  if (given.type === 'Feature') return toPoint(given.geometry);
  if (given.type !== 'Point') return null;
  const [lon, lat] = Array.isArray(given.coordinates) ? (given.coordinates as unknown[]) : [];
  const isPosition =
    typeof lon === 'number' && typeof lat === 'number' && Math.abs(lon) <= 180 && Math.abs(lat) <= 90;
  return isPosition ? { type: 'Point', coordinates: [lon, lat] } : 'malformed';
}
