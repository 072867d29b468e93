/** What a sync mirrors, and the windows of time in which it does so. */
import { hash } from 'node:crypto';
import type { AreaGeometry } from '../../geo/index.ts';
import type { LiveCatalog } from '../live-catalog.ts';

/** What a sync mirrors. Runs with the same plan are the same sync: the later one continues or updates the earlier one. */
export interface SyncPlan {
  readonly area: AreaGeometry;
  /** The first day. */
  readonly since: string;
  /** The last day; null: today, whenever the sync runs. */
  readonly until: string | null;
  /** Null: all of the catalog. */
  readonly datasets: readonly string[] | null;
  /** Only for collections whose clouds the catalog states. */
  readonly maxCloudPercent: number | null;
}

/** The scenes of a dataset in a month: what is read at once, and remembered when it is finished. */
export interface SyncWindow {
  readonly dataset: string;
  /** The first and the last day. */
  readonly from: string;
  readonly to: string;
  /** Items may last longer than a day: those that reach into the first or the last window from outside belong to it. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Names a sync among those of a store, by all that decides which scenes it mirrors. */
export function toSyncId({ name, url }: Pick<LiveCatalog, 'name' | 'url'>, plan: SyncPlan): string {
  const { area, since, until, datasets, maxCloudPercent } = plan;
  const chosen = datasets === null ? null : [...new Set(datasets)].toSorted();
  const whole = JSON.stringify([name, url, area, since, until, chosen, maxCloudPercent]);
  return `${name}-${hash('sha256', whole, 'hex').slice(0, 12)}`;
}

/** The windows of a sync, newest first; none before a dataset has its first scene. */
export function listWindows(
  { collections }: Pick<LiveCatalog, 'collections'>,
  { since, until, datasets }: SyncPlan,
  today: string,
): readonly SyncWindow[] {
  const last = until ?? today;
  const wanted = [...new Set(collections.map(({ dataset }) => dataset))].filter(
    (dataset) => datasets === null || datasets.includes(dataset),
  );
  const windows = wanted.flatMap((dataset) => {
    const begins = collections.filter((one) => one.dataset === dataset).map((one) => one.since);
    const first = [since, begins.toSorted()[0] ?? since].toSorted()[1]!;
    const months = listMonths(first, last);
    return months.map((month): SyncWindow => {
      const [isFirst, isLast] = [month === months[0], month === months.at(-1)];
      return {
        dataset,
        from: isFirst ? first : `${month}-01`,
        // What is recorded while the sync runs is not left out at midnight.
        to: isLast && until !== null ? until : lastDayOf(month),
        isFirst,
        isLast,
      };
    });
  });
  return windows.toSorted((a, b) => (a.to > b.to ? -1 : a.to < b.to ? 1 : 0));
}

/** The days on which items of a window begin: of two windows that an item touches, one has it. Null is open. */
export const toOwnDays = ({ from, to, isFirst, isLast }: SyncWindow) => ({
  from: isFirst ? null : from,
  to: isLast ? null : to,
});

/** Months from that of the first to that of the last day, such as 2024-05; none if the days run backwards. */
function listMonths(first: string, last: string): readonly string[] {
  if (first > last) return [];
  const [from, to] = [first, last].map((day) => {
    const [year, month] = day.split('-').map(Number);
    return year! * 12 + month! - 1;
  }) as [number, number];
  return Array.from({ length: to - from + 1 }, (_, i) => {
    const month = from + i;
    return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;
  });
}

function lastDayOf(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}
