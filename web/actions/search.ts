/** Searching: the first page, later ones, and the days that have scenes. */
import type { SearchRequest } from '../api/search-body.ts';
import { coverageOf } from '../scenes/coverage.ts';
import type { Scene, ScenePage } from '../scenes/scene.ts';
import { withScenes } from '../scenes/scene.ts';
import { toUsualBounds } from '../state/map-view.ts';
import type { DayCount, Query } from '../state/search-state.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import { isLive } from '../state/viewer-state.ts';
import type { ActionParts } from './action-parts.ts';
import { makeLatest } from './latest.ts';
import type { Report } from './report.ts';
import { toFailureOf } from './report.ts';
import { withScene } from './select-scene.ts';

/** What a user does with a search. */
export interface SearchActions {
  /** Searches what the state says; the answer is the first page, or `null` if another search overtook it. */
  search(): Promise<readonly Scene[] | null>;
  /** Changes the query and searches. */
  setQuery(change: Partial<Query>): Promise<void>;
  /** Adds the next page, if there is one and none is on its way; after a failure it is requested again. */
  loadMore(): Promise<void>;
  /** Asks whether the search finds more or fewer scenes than before, and brings the list up to date if so. */
  refreshList(): Promise<boolean>;
  /** The map came to rest: searches again where the query is about the view. */
  searchView(): Promise<void>;
}

const toRequest = ({ query, bounds, view, area, knowledge }: ViewerState): SearchRequest => ({
  query,
  bounds: bounds ?? (view && toUsualBounds(view)),
  area: area?.outline ?? null,
  allDatasets: knowledge?.sensors.map(({ dataset }) => dataset) ?? [],
});

/** The later one of two days, if there are. */
const laterOf = (a: string | null, b: string | undefined): string | null =>
  b === undefined || (a !== null && a > b) ? a : b;

/** Days and their numbers of scenes, oldest first. */
export const countDays = (days: readonly string[]): readonly DayCount[] => {
  const counts = new Map<string, number>();
  for (const day of days) counts.set(day, (counts.get(day) ?? 0) + 1);
  return [...counts].map(([day, count]) => ({ day, count })).sort((a, b) => (a.day < b.day ? -1 : 1));
};

/** The state with the shown scene in its list, if the view still shows it. */
const withShownInView = (state: ViewerState): ViewerState => {
  const { shown, bounds, results, query } = state;
  const isListed = results.scenes.some(({ viewId }) => viewId === shown?.viewId);
  if (shown === null || bounds === null || query.where.kind !== 'view' || isListed) return state;
  if (coverageOf(shown.outline, bounds) === 0) return state;
  return { ...state, results: { ...results, scenes: withScenes(results.scenes, [shown]) } };
};

/** Pages that are read again when the catalogue has changed: more than anyone looks at while it grows. */
const MAX_REFRESHED = 6;

/** The most that a search answers at once; a calendar of more scenes is still true for the newest. */
const MOST_DAYS = 1000;
/** A public catalog is asked for one more page of its own, not for five. */
const MOST_LIVE_DAYS = 200;

/** Builds them. */
export const makeSearchActions = ({ store, api, texts }: ActionParts, report: Report): SearchActions => {
  const latest = makeLatest();
  const latestDays = makeLatest();
  const sensors = () => store.read().knowledge?.sensors ?? [];

  const readDays = async (): Promise<void> => {
    const signal = latestDays.start();
    const request = toRequest(store.read());
    const limit = isLive(store.read()) ? MOST_LIVE_DAYS : MOST_DAYS;
    const days = await api.searchDays(
      { ...request, query: { ...request.query, day: null } },
      { limit, signal },
    );
    if (signal.aborted) return;
    const counted = countDays(days);
    // The same days again, as after a click on one of them, change nothing on the page.
    if (JSON.stringify(counted) === JSON.stringify(store.read().results.days)) return;
    store.update((state) => ({ ...state, results: { ...state.results, days: counted } }));
  };

  const search = async (): Promise<readonly Scene[] | null> => {
    const signal = latest.start();
    store.update((state) => ({ ...state, results: { ...state.results, isLoading: true, failure: null } }));
    try {
      const {
        scenes,
        found,
        unreadable,
        notes = [],
      } = await api.searchScenes(toRequest(store.read()), {
        page: 1,
        sensors: sensors(),
        signal,
      });
      if (signal.aborted) return null;
      const read = scenes.length + unreadable;
      store.update((state) => ({
        ...state,
        newestDay: laterOf(state.newestDay, scenes[0]?.date),
        results: {
          ...state.results,
          scenes,
          found,
          page: 1,
          read,
          isLoading: false,
          hasMore: found > read,
          failure: null,
          notes,
        },
      }));
      if (unreadable > 0) report.showError(texts.find.unreadable(unreadable));
      // Not waited for: a calendar that comes a moment later holds up no list.
      readDays().catch((error: unknown) => {
        if (!signal.aborted) report.fail(error);
      });
      return scenes;
    } catch (error) {
      if (signal.aborted) return null;
      const failure = toFailureOf(error).message;
      // Hides the pages of the previous search, which do not answer this one.
      store.update((state) => ({
        ...state,
        results: { ...state.results, isLoading: false, hasMore: false, failure },
      }));
      throw error;
    }
  };

  const searchAgain = async (): Promise<void> => {
    try {
      const [newest] = (await search()) ?? [];
      // What is on the map stays there while filters are tried; an empty map takes the first that is found.
      if (newest !== undefined && store.read().shown === null) {
        // A search of the view does not move it.
        const fit = store.read().query.where.kind === 'view' ? 'stay' : 'animated';
        store.update((state) => withScene(state, newest, fit));
      }
    } catch (error) {
      report.fail(error);
    }
  };

  const loadMore = async (): Promise<void> => {
    const { results } = store.read();
    if (!results.hasMore || results.isLoading) return;
    const signal = latest.start();
    store.update((state) => ({ ...state, results: { ...state.results, isLoading: true, failure: null } }));
    try {
      const page = results.page + 1;
      const answer = await api.searchScenes(toRequest(store.read()), { page, sensors: sensors(), signal });
      if (signal.aborted) return;
      const count = answer.scenes.length + answer.unreadable;
      const read = results.read + count;
      store.update((state) => {
        // Scenes that came in since the first page push others down onto the next.
        const scenes = withScenes(state.results.scenes, answer.scenes);
        const hasMore = count > 0 && answer.found > read;
        // A catalog that does not count has counted one page more.
        const { found, notes = [] } = answer;
        return {
          ...state,
          results: { ...state.results, scenes, found, page, read, hasMore, notes, isLoading: false },
        };
      });
    } catch (error) {
      if (signal.aborted) return;
      const failure = toFailureOf(error).message;
      store.update((state) => ({ ...state, results: { ...state.results, isLoading: false, failure } }));
      const again = (): void => {
        report.clear();
        void loadMore();
      };
      report.fail(error, { label: texts.frame.tryAgain, run: again });
    }
  };

  const refreshList = async (): Promise<boolean> => {
    const { results, query } = store.read();
    // Public catalogs are asked when a user wants something, not every minute by every open page.
    if (results.isLoading || results.failure !== null || results.notes.length > 0) return false;
    const request = toRequest(store.read());
    if ((await api.countScenes(request)) === results.found) return false;
    const count = Math.min(Math.max(1, results.page), MAX_REFRESHED);
    const pages: ScenePage[] = [];
    for (let page = 1; page <= count; page++)
      pages.push(await api.searchScenes(request, { page, sensors: sensors() }));
    const { results: now, query: queryNow } = store.read();
    // A search or another page of the user's own came in between, and is newer.
    if (queryNow !== query || now.scenes !== results.scenes || now.isLoading) return false;
    store.update((state) => {
      const brought = pages.flatMap(({ scenes }) => scenes);
      const isListed = results.scenes.some(({ viewId }) => viewId === state.shown?.viewId);
      // Pages that were not read again stay as they are; otherwise what is gone from the catalogue goes.
      const others =
        results.page > count ? results.scenes : state.shown !== null && isListed ? [state.shown] : [];
      const found = pages[0]?.found ?? now.found;
      const read = Math.max(
        results.page > count ? now.read : 0,
        pages.reduce((sum, { scenes, unreadable }) => sum + scenes.length + unreadable, 0),
      );
      const scenes = withScenes(brought, others);
      const newestDay = laterOf(state.newestDay, scenes[0]?.date);
      return { ...state, newestDay, results: { ...now, scenes, found, read, hasMore: found > read } };
    });
    await readDays();
    return true;
  };

  return {
    search,
    refreshList,
    async setQuery(change) {
      store.update((state) => {
        // A day that is chosen in the calendar is the day of the clear view too.
        const { clearView } = state;
        const date = change.day ?? null;
        return {
          ...state,
          query: { ...state.query, ...change },
          clearView: clearView === null || date === null ? clearView : { ...clearView, date },
        };
      });
      await searchAgain();
    },
    loadMore,
    async searchView() {
      const { query, phase, shown, results } = store.read();
      if (phase.kind !== 'ready' || query.where.kind !== 'view') return;
      const wasListed = results.scenes.some(({ viewId }) => viewId === shown?.viewId);
      await searchAgain();
      // A full page of newer scenes pushes the shown one off the list, though it matches: it stays.
      if (wasListed) store.update(withShownInView);
    },
  };
};
