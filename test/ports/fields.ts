/** Fields for the contracts of their stores. */

import type { FieldDraft, FieldQuery, FieldStore } from '../../src/fields/index.ts';
import type { LonLatBounds, Ring } from '../../src/geo/index.ts';

export const idOf = (n: number): string => n.toString(16).padStart(16, '0');

const ringOf = ({ west, south, east, north }: LonLatBounds): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

/** A box, in two parts if it lies on both sides of the antimeridian. */
export function outlineOf(bounds: LonLatBounds): FieldDraft['outline'] {
  const parts =
    bounds.east <= 180
      ? [bounds]
      : [
          { ...bounds, east: 180 },
          { ...bounds, west: -180, east: bounds.east - 360 },
        ];
  const geometry = { type: 'MultiPolygon', coordinates: parts.map((part) => [ringOf(part)]) };
  return { geometry: JSON.stringify(geometry), hectares: 12.5, bounds };
}

export const boxAt = (west: number, south: number, side = 0.01): LonLatBounds => ({
  west,
  south,
  east: west + side,
  north: south + side,
});

export const draft = (n: number, more: Partial<FieldDraft> = {}): FieldDraft => ({
  id: idOf(n),
  externalId: `ext ${n}`,
  name: `Field ${n}`,
  outline: outlineOf(boxAt(n / 10, 40)),
  ...more,
});

export const now = '2026-07-01T00:00:00.000Z';
export const later = '2026-07-02T00:00:00.000Z';
export const limit = { fields: 1_000, bytes: 2 ** 20 };
export const update = { limit, ifStored: 'update', now } as const;

export const query = (more: Partial<FieldQuery> = {}): FieldQuery => ({
  owner: 'key 1',
  order: { by: 'name', descending: false },
  after: null,
  limit: 100,
  ...more,
});

/** The ids of a page. */
export const listIds = async (
  fields: FieldStore,
  more: Partial<FieldQuery> = {},
): Promise<readonly string[]> => (await fields.list(query(more))).map(({ id }) => id);
