import type { SceneHit, SceneStore } from '../catalog/index.ts';
import type { MultiPolygonGeometry } from '../geo/index.ts';
import { toSceneFilters } from '../mosaic/index.ts';
import { unavailable } from './errors.ts';
import type { Days } from './judge.ts';
import { addDays } from './judge.ts';
import type { FilledPeriod } from './periods.ts';
import { isOver, listPeriods, toLongestDays } from './periods.ts';
import type { Subscription, WatchedMosaic } from './subscription.ts';
import type { WatchStore } from './watch-store.ts';

/** What is measured at once and stored under one name: a scene, or the mosaic of the scenes of a period. */
export type Sight = SceneSight | PeriodSight;

interface SceneSight {
  readonly kind: 'scene';
  readonly name: string;
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly hit: SceneHit;
}

/** The scenes of a period, all of them and those that were not there when it was measured the last time. */
export interface PeriodSight {
  readonly kind: 'period';
  readonly name: string;
  /** The last one of the period. */
  readonly day: string;
  readonly period: FilledPeriod<SceneHit>;
  readonly mosaic: WatchedMosaic;
  readonly fresh: readonly SceneHit[];
  /** Whether it was measured before. */
  readonly isAgain: boolean;
}

interface SightDeps {
  readonly store: Pick<WatchStore, 'findMeasured'>;
  readonly scenes: Pick<SceneStore, 'searchHits'>;
  readonly now: () => Date;
}

/** Scenes of one page of a search. */
const PAGE = 200;

const toDayOf = ({ acquiredAt }: Pick<SceneHit, 'acquiredAt'>): string => acquiredAt.slice(0, 10);

/** Lists what a subscription has not measured yet of some days, oldest first. */
export function makeListSights(
  { store, scenes, now }: SightDeps,
  { subscription, cells }: { readonly subscription: Subscription; readonly cells: MultiPolygonGeometry },
): (days: Days) => Promise<readonly Sight[]> {
  const { id, value } = subscription;
  const { mosaic } = value;

  async function findHits({ from, to }: Days): Promise<readonly SceneHit[]> {
    const found: SceneHit[] = [];
    const maxCloudPercent = mosaic?.maxCloudPercent ?? null;
    for (let offset = 0; ; offset += PAGE) {
      const page = await scenes.searchHits({
        datasets: value.datasets.map((dataset) => ({
          id: dataset,
          filters: toSceneFilters(dataset, from, to, maxCloudPercent),
        })),
        shape: { geometry: cells, relation: 'intersects' },
        sort: { field: 'date', descending: false },
        offset,
        limit: PAGE,
      });
      const problem = page.catalogs?.find((note) => note.problem !== null)?.problem;
      // A scene that was missed now would never be looked at again.
      if (problem != null) throw unavailable('catalog-incomplete', problem.message);
      found.push(...page.hits);
      if (page.hits.length === 0 || offset + PAGE >= page.found) break;
    }
    return found;
  }

  async function listScenes(days: Days): Promise<readonly Sight[]> {
    const found = await findHits(days);
    const known = await store.findMeasured(
      id,
      found.map(({ viewId }) => viewId),
    );
    return found
      .filter(({ viewId }) => !known.has(viewId))
      .toSorted((a, b) => (a.acquiredAt < b.acquiredAt ? -1 : 1))
      .map((hit) => ({ kind: 'scene', name: hit.viewId, day: toDayOf(hit), hit }));
  }

  /** Periods that end within the days, are over, and have a scene that they did not have before. */
  async function listOver({ from, to }: Days, watched: WatchedMosaic): Promise<readonly Sight[]> {
    const { every, graceDays } = watched;
    const hits = await findHits({ from: addDays(from, 1 - toLongestDays(every)), to });
    const today = now().toISOString().slice(0, 10);
    const periods = listPeriods(every, { from, to }, hits).filter((period) =>
      isOver(period, every, graceDays, today),
    );
    const known = await store.findMeasured(
      id,
      periods.map(({ name }) => name),
    );
    return periods.flatMap((period): readonly Sight[] => {
      const before = known.get(period.name);
      const sources = new Set(before);
      const fresh = period.scenes.filter(({ viewId }) => !sources.has(viewId));
      if (fresh.length === 0) return [];
      const { name, to: day } = period;
      const isAgain = before !== undefined;
      return [{ kind: 'period', name, day, period, mosaic: watched, fresh, isAgain }];
    });
  }

  return (days) => (mosaic === undefined ? listScenes(days) : listOver(days, mosaic));
}
