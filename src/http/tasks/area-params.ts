import type { AreaParser, Areas } from '../../areas/index.ts';
import { badInput } from '../../errors.ts';
import type { ExportArea } from '../../exports/index.ts';
import type { Ticket } from '../../pool/index.ts';
import { findArea } from '../areas/find-area.ts';
import { readGeometry } from '../areas/read-geometry.ts';
import type { Params } from '../request/params.ts';
import { readText } from '../request/params.ts';
import { toBboxArea } from '../values/bbox.ts';

/** Where areas are found and checked. */
export interface AreaDeps {
  readonly areas: Areas;
  readonly areaParser: AreaParser;
}

const NAMES = ['bbox', 'geometry', 'cropper_ref'] as const;

/** The area that a file is cropped to, by one of `bbox`, `geometry` and `cropper_ref`; null for the whole scene. */
export async function readArea(
  params: Params,
  ticket: Ticket,
  { areas, areaParser }: AreaDeps,
): Promise<ExportArea | null> {
  const given = NAMES.filter((name) => {
    const value = params[name] ?? null;
    // Programs send an empty text for a reference that they do not have.
    return value !== null && !(name === 'cropper_ref' && value === '');
  });
  if (given.length > 1) {
    throw badInput(
      'several-areas',
      `Only one of bbox, geometry and cropper_ref may be given; ${given.join(' and ')} are.`,
    );
  }
  switch (given[0]) {
    case 'bbox':
      return readBbox(params.bbox);
    case 'geometry': {
      const { outline, geometry } = await readGeometry('geometry', params.geometry, { areaParser, ticket });
      return { kind: 'outline', outline, json: geometry };
    }
    case 'cropper_ref': {
      const { outline, geometry } = await findArea(readText(params, 'cropper_ref') ?? '', areas);
      return { kind: 'outline', outline, json: geometry };
    }
    default:
      return null;
  }
}

function readBbox(value: unknown): ExportArea {
  const isBbox =
    Array.isArray(value) &&
    value.length === 4 &&
    value.every((number) => typeof number === 'number' && Number.isFinite(number));
  if (!isBbox) {
    throw badInput('bad-bbox', 'bbox must be a list of four numbers: west, south, east, north in degrees.');
  }
  const [west, south, east, north] = value as [number, number, number, number];
  const { bounds, outline } = toBboxArea({ name: 'bbox', west, south, east, north });
  // A rectangle across the antimeridian is two.
  if (bounds.east > 180) return { kind: 'outline', outline };
  return {
    kind: 'bounds',
    bounds: { minX: bounds.west, minY: bounds.south, maxX: bounds.east, maxY: bounds.north },
  };
}
