import { setImmediate } from 'node:timers/promises';
import type { SceneHit, SceneQuery } from '../../catalog/index.ts';
import type { MultiPolygonGeometry } from '../../geo/index.ts';
import { boundsRing } from '../../geo/index.ts';
import type { CheckDeps, CheckRun } from '../check-subscription.ts';
import { judge } from '../judge.ts';
import type { Subscription, WatchedShape } from '../subscription.ts';

/** The id of the field of a number, from 1. */
export const fieldIdOf = (n: number): string => n.toString(16).padStart(16, '0');

/** A field of almost a hectare: no two touch each other. */
export function toShape(n: number): WatchedShape {
  const [west, south] = [10 + n / 1_000, 50];
  const [east, north] = [west + 0.000_9, south + 0.000_9];
  const ring = boundsRing({ west, south, east, north });
  return {
    id: fieldIdOf(n),
    name: `Field ${n}`,
    externalId: `theirs ${n}`,
    geometry: { type: 'MultiPolygon', coordinates: [[ring]] },
  };
}

/** A subscription to a drop of NDVI, unless told otherwise. */
export const toSubscription = (more: Partial<Subscription> = {}): Subscription => ({
  owner: 'key 1',
  id: 'a'.repeat(32),
  name: 'Drops',
  ground: { kind: 'all-fields' },
  value: { datasets: ['sentinel2l2a'], expressions: ['NDVI'], maxCloudPercent: 20, minDataPercent: 80 },
  condition: { kind: 'drop', by: 0.25, against: { kind: 'last', withinDays: 30 } },
  delivery: { callbackUrl: null, mailTo: null },
  isPaused: false,
  createdAt: '2026-07-01T00:00:00.000Z',
  since: '2026-07-01',
  checkedAt: null,
  ...more,
});

const ALL_FIELDS = [1, 2, 3, 4, 5, 6];

const toFootprint = (fields: readonly number[]): MultiPolygonGeometry => ({
  type: 'MultiPolygon',
  coordinates: fields.flatMap((n) => toShape(n).geometry.coordinates),
});

/** A catalog of scenes by day, with the values that fields have in them; undefined for one that is cloudy. */
export function makeWatchedWorld(days: Readonly<Record<string, readonly (number | undefined)[]>>) {
  const values = new Map(Object.entries(days));
  const measured: string[] = [];
  const broken = new Set<string>();
  /** The ground that a scene shows, if not all of it; an area for each field. */
  const shown = new Map<string, readonly number[]>();
  const toHit = (day: string): SceneHit =>
    ({
      viewId: `S2L2A/${day}`,
      sceneId: `scene of ${day}`,
      dataset: 'sentinel2l2a',
      acquiredAt: `${day}T10:00:00.000Z`,
      footprint: toFootprint(shown.get(day) ?? ALL_FIELDS),
    }) as SceneHit;
  const deps: Omit<CheckDeps, 'store'> = {
    scenes: {
      async searchHits({ datasets, offset, limit }: SceneQuery) {
        const [filter] = datasets[0]?.filters ?? [];
        if (filter?.kind !== 'range') throw new Error('a search without dates');
        const found = [...values.keys()]
          .filter((day) => String(filter.from) <= day && day <= String(filter.to))
          .toSorted();
        return { found: found.length, hits: found.slice(offset, offset + limit).map(toHit) };
      },
    },
    listShapes: async () => ALL_FIELDS.map(toShape),
    async measureScene({ viewId }, { value: { expressions } }) {
      await setImmediate();
      const day = viewId.slice(6);
      if (broken.has(day)) throw new Error(`the file of ${day} is damaged`);
      measured.push(day);
      // Each further expression has twice the value of the one before.
      return expressions.map((_, e) =>
        (values.get(day) ?? []).flatMap((value, i) =>
          value === undefined ? [] : [{ fieldId: fieldIdOf(i + 1), value: value * 2 ** e }],
        ),
      );
    },
    // The highest value of the period, and the scenes that have one.
    async measureMosaic({ name, scenes }, { shapes, value: { expressions } }) {
      await setImmediate();
      if (broken.has(name)) throw new Error(`a file of ${name} is damaged`);
      measured.push(`${name} ${shapes.map(({ id }) => Number(`0x${id}`)).join()}`);
      return expressions.map((_, e) =>
        shapes.flatMap(({ id }) => {
          const clear = scenes.flatMap((hit) => {
            const value = values.get(hit.viewId.slice(6))?.[Number(`0x${id}`) - 1];
            return value === undefined ? [] : [{ hit, value }];
          });
          const value = Math.max(...clear.map((one) => one.value)) * 2 ** e;
          return clear.length === 0 ? [] : [{ fieldId: id, value, scenes: clear.map(({ hit }) => hit) }];
        }),
      );
    },
    judgeScene: async ({ condition, scene, past }) => judge(condition, scene, past),
    now: () => new Date('2026-08-01T00:00:00.000Z'),
    onFailure() {},
  };
  return {
    deps,
    /** The days of scenes that were measured, in order; or the periods, with the numbers of the fields. */
    measured,
    shown,
    /** Days whose scenes, or periods whose mosaics, cannot be read. */
    broken,
    add(day: string, ...added: readonly (number | undefined)[]): void {
      values.set(day, added);
    },
    remove(day: string): void {
      values.delete(day);
    },
  };
}

/** A check that no one takes away. */
export const toRun = (): CheckRun => ({
  ticket: { owner: 'key 1', lane: 'task', timeoutMs: 60_000 },
  onScene: async () => true,
});
