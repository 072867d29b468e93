import { randomBytes } from 'node:crypto';
import type { AreaParser } from '../areas/index.ts';
import { areaLimits } from '../areas/index.ts';
import type { AreaStore } from '../library/index.ts';
import { makeLru } from '../lru.ts';
import type { Ticket } from '../pool/index.ts';
import { tooLarge } from './errors.ts';
import type { FieldStore, ShapePosition } from './field-store.ts';

/** The outlines of groups: whatever takes a stored area takes a group of fields. */
export interface GroupOutlines {
  /**
   * The reference of the ground that the fields of a group cover; null if the owner has no fields in it. After a change of
   * the group it is another one. Throws `group-too-large` where the fields have more positions than an area may have.
   */
  findRef(group: string, ticket: Ticket): Promise<string | null>;
  /** The same ground, in the normal form of areas as JSON. */
  findGeometry(group: string, ticket: Ticket): Promise<string | null>;
}

interface OutlineDeps {
  readonly fields: Pick<FieldStore, 'count' | 'list' | 'listShapes'>;
  readonly areas: Pick<AreaStore, 'put' | 'find' | 'removeAll'>;
  readonly parser: Pick<AreaParser, 'unite'>;
}

/** Known references, by what the group was. */
const MAX_KNOWN = 1_000;

/** Outlines of groups that one owner has stored; older ones are removed, and made again when they are needed. */
const LIMIT = { areas: 200, bytes: 64 * 2 ** 20 };

/** Fields of a page, as long as their outlines. */
const PAGE = { limit: 500, bytes: 2 ** 20 } as const;

/** Of a triangle, whose first position is repeated. */
const MIN_POSITIONS = 4;

const refuseLarge = (): Error =>
  tooLarge(
    'group-too-large',
    `The fields of this group have more than ${areaLimits.vertices} positions together, the most that one area may have. Name a single field, or put fewer fields into a group; tables of statistics and subscriptions take groups of any size.`,
  );

/** Outlines of groups are stored as areas of an owner of their own: they do not count among the areas of the key. */
export const toGroupsOwner = (owner: string): string => `${owner}/groups`;

/** Builds them. */
export function makeGroupOutlines({ fields, areas, parser }: OutlineDeps): GroupOutlines {
  const known = makeLru<string>({ max: MAX_KNOWN });

  /** What a group is now: any change of a field counts its version, and is the newest one. */
  async function describe(owner: string, group: string): Promise<string | null> {
    const count = await fields.count({ owner, group });
    // Each has four at least: a group of a million is refused without a look at its fields.
    if (count * MIN_POSITIONS > areaLimits.vertices) throw refuseLarge();
    const order = { by: 'updatedAt', descending: true } as const;
    const [newest] = await fields.list({ owner, group, order, after: null, limit: 1 });
    if (newest === undefined) return null;
    return JSON.stringify([owner, group, count, newest.updatedAt, newest.id, newest.version]);
  }

  async function listOutlines(owner: string, group: string): Promise<readonly string[]> {
    const found: string[] = [];
    let positions = 0;
    for (let after: ShapePosition | null = null; ; ) {
      const page = await fields.listShapes({ owner, group }, { ...PAGE, after });
      const last = page.at(-1);
      if (last === undefined) return found;
      after = { hilbert: last.hilbert, id: last.id };
      for (const { geometry } of page) {
        positions += countPositions(geometry);
        found.push(geometry);
      }
      if (positions > areaLimits.vertices) throw refuseLarge();
    }
  }

  async function find(group: string, ticket: Ticket): Promise<Found | null> {
    const { owner } = ticket;
    const state = await describe(owner, group);
    if (state === null) return null;
    const ref = known.get(state);
    const stored = ref === undefined ? null : await areas.find(ref);
    if (ref !== undefined && stored !== null) return { ref, geometry: stored.geometry };
    const outlines = await listOutlines(owner, group);
    const groupsOwner = toGroupsOwner(owner);
    const written = await parser.unite(outlines, { group }, { ...ticket, owner: groupsOwner });
    const area = { ...written, ref: randomBytes(16).toString('hex'), owner: groupsOwner };
    let put = await areas.put(area, LIMIT);
    if (put.kind === 'full') {
      await areas.removeAll(groupsOwner);
      put = await areas.put(area, { areas: Infinity, bytes: Infinity });
    }
    if (put.kind === 'full') throw new Error('unlimited areas are never full');
    known.set(state, put.ref);
    return { ref: put.ref, geometry: written.geometry };
  }

  return {
    findRef: async (group, ticket) => (await find(group, ticket))?.ref ?? null,
    findGeometry: async (group, ticket) => (await find(group, ticket))?.geometry ?? null,
  };
}

/** The outline of a group, as it is stored. */
interface Found {
  readonly ref: string;
  readonly geometry: string;
}

/** Positions of an outline as JSON: a position has one comma inside, and one behind it unless it is the last of its ring. */
function countPositions(geometry: string): number {
  let count = 0;
  for (let i = geometry.indexOf(','); i !== -1; i = geometry.indexOf(',', i + 1)) count += 1;
  return count / 2;
}
