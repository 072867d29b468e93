/** The start of the page: the key, a server that may still be preparing, what it knows, and the first search. */
import { isKeyRefused } from '../api/failure.ts';
import { isClearable } from '../scenes/clear-layer.ts';
import { readDatasets } from '../scenes/datasets.ts';
import { chooseClearScene } from '../scenes/first-scene.ts';
import type { Scene } from '../scenes/scene.ts';
import { withScenes } from '../scenes/scene.ts';
import type { Address } from '../state/address.ts';
import { PLAIN_ANIMATION, toAnimation } from '../state/animation.ts';
import { toComparisonAddress } from '../state/comparison.ts';
import { panelOfAddress } from '../state/first-state.ts';
import { EARTH_VIEW } from '../state/map-view.ts';
import { PLAIN_QUERY } from '../state/search-state.ts';
import type { Phase, ViewerState } from '../state/viewer-state.ts';
import { isLive } from '../state/viewer-state.ts';
import { withZonesChoice } from '../state/zones-state.ts';
import type { ActionParts } from './action-parts.ts';
import type { SharedActions } from './open-shared.ts';
import type { Report } from './report.ts';
import { toFailureOf } from './report.ts';
import type { SearchActions } from './search.ts';
import type { Fit } from './select-scene.ts';
import { withScene } from './select-scene.ts';
import type { ShapeActions } from './shapes.ts';

/** What begins and ends the work with scenes. */
export interface StartActions {
  /** Loads everything; a later start overtakes an earlier one. */
  start(): Promise<void>;
  /** Brings the datasets that have scenes up to date. */
  offerDatasets(): Promise<void>;
  giveKey(key: string, isLasting: boolean): Promise<void>;
  forgetKey(): void;
  /** Applies an address that the user brought: by the back button, or by editing it. */
  followAddress(address: Address): Promise<void>;
}

/** Interval between requests to a server that is not ready yet. */
const POLL_MS = 1000;

/**
 * The state that a search of public catalogs begins with: in the view of the map, because the newest scenes of the whole
 * Earth lie anywhere, and at a place, unless the address brings one.
 */
const withPlaceOnEarth = (state: ViewerState): ViewerState => {
  const { query, view, wanted } = state;
  if (!isLive(state) || query.where.kind !== 'everywhere') return state;
  const inView: ViewerState = { ...state, query: { ...query, where: { kind: 'view' } } };
  if (view !== null || wanted !== null) return inView;
  return { ...inView, view: EARTH_VIEW, goal: { kind: 'view', view: EARTH_VIEW } };
};

/** The scene that the page begins with: for a clear view one whose sensor has natural colour. */
const chooseFirst = (scenes: readonly Scene[], state: ViewerState): Scene | undefined => {
  const { bounds, clearView } = state;
  if (clearView !== null) {
    const clearable = scenes.filter(({ sensor }) => isClearable(sensor));
    return chooseClearScene(clearable, bounds) ?? scenes[0];
  }
  return isLive(state) ? chooseClearScene(scenes, bounds) : scenes[0];
};

/** Builds them. */
export const makeStartActions = (
  parts: ActionParts,
  {
    report,
    search,
    shapes,
    learnAbout,
    learnSession,
  }: {
    readonly report: Report;
    readonly search: SearchActions;
    readonly shapes: ShapeActions;
    readonly learnAbout: SharedActions['learnAbout'];
    readonly learnSession: SharedActions['learnSession'];
  },
): StartActions => {
  const { store, api, keys, texts, sleep } = parts;
  /** Counts starts, so that one that was overtaken (by another key, or by a refused tile) can tell and stop. */
  let attempts = 0;
  const setPhase = (phase: Phase): void => store.update((state) => ({ ...state, phase }));

  const waitUntilReady = async (isOvertaken: () => boolean): Promise<void> => {
    while (!isOvertaken()) {
      const readiness = await api.readReadiness().catch((error: unknown) => {
        return { isReady: false as const, waiting: toFailureOf(error).message };
      });
      if (readiness.isReady || isOvertaken()) return;
      setPhase({ kind: 'waiting', text: readiness.waiting });
      await sleep(POLL_MS);
    }
  };

  const allDatasets = (): readonly string[] =>
    store.read().knowledge?.sensors.map(({ dataset }) => dataset) ?? [];

  const isWanted = ({ id, sensor }: Scene): boolean => {
    const { wanted } = store.read();
    return id === wanted?.sceneId && (wanted.dataset === null || wanted.dataset === sensor.dataset);
  };

  /** Shows the scene that the address names, which may be older than the first page, or the newest. */
  const showWanted = async (scenes: readonly Scene[], fit: Fit): Promise<void> => {
    const { wanted, knowledge } = store.read();
    let scene = scenes.find(isWanted);
    if (scene === undefined && wanted !== null && knowledge !== null) {
      const datasets = wanted.dataset === null ? allDatasets() : [wanted.dataset];
      const known = datasets.filter((dataset) => allDatasets().includes(dataset));
      const page = await api.findScenes(
        wanted.sceneId,
        known.length > 0 ? known : allDatasets(),
        knowledge.sensors,
      );
      // Another address or scene may have come in the meantime.
      if (store.read().wanted !== wanted) return;
      scene = page.scenes[0];
      if (scene !== undefined) {
        const found = scene;
        store.update((state) => ({
          ...state,
          results: { ...state.results, scenes: withScenes(state.results.scenes, [found]) },
        }));
      }
    }
    const shown = scene ?? chooseFirst(scenes, store.read());
    if (shown !== undefined) store.update((state) => withScene(state, shown, fit));
    if (wanted !== null && scene === undefined) report.showError(texts.find.lost(wanted.sceneId));
  };

  const offerDatasets = async (): Promise<void> => {
    const { knowledge, results } = store.read();
    const sensors = knowledge?.sensors ?? [];
    const searchIn = (datasets: readonly string[]) =>
      api.searchScenes(
        { query: { ...PLAIN_QUERY, datasets }, bounds: null, allDatasets: datasets },
        { page: 1, sensors },
      );
    // Catalogs say what they have; only the store has to be searched for it.
    const live = new Set(knowledge?.origins.catalogs.flatMap((catalog) => catalog.datasets) ?? []);
    const own = allDatasets().filter((dataset) => !live.has(dataset));
    const isPlain = JSON.stringify(store.read().query) === JSON.stringify(PLAIN_QUERY);
    const isKnown = isPlain && live.size === 0;
    const page = isKnown || own.length === 0 ? { ...results, unreadable: 0 } : await searchIn(own);
    const found = own.length === 0 ? [] : await readDatasets({ page, all: own, search: searchIn });
    const datasets = allDatasets().filter((dataset) => live.has(dataset) || found.includes(dataset));
    // The same ones again change nothing on the page: a list of them may be open.
    if (datasets.join() === store.read().datasets.join()) return;
    store.update((state) => ({ ...state, datasets }));
  };

  const start = async (): Promise<void> => {
    const attempt = ++attempts;
    const isOvertaken = (): boolean => attempt !== attempts;
    if (keys.readKey() === null) {
      // Guests may look around without a key, where the operator lets them.
      await learnAbout();
      const { about } = store.read();
      if (about?.hasSignIn === true) await learnSession().catch(() => undefined);
      if (isOvertaken()) return;
      if (about?.hasGuests !== true && !store.read().isSignedIn) return report.askForKey(null);
    }
    setPhase({ kind: 'loading' });
    await waitUntilReady(isOvertaken);
    try {
      if (store.read().knowledge === null) {
        const knowledge = await api.readKnowledge();
        store.update((state) => withPlaceOnEarth({ ...state, knowledge }));
      }
      if (isOvertaken()) return;
      const scenes = await search.search();
      if (isOvertaken() || scenes === null) return;
      const isPlain = JSON.stringify(store.read().query) === JSON.stringify(PLAIN_QUERY);
      if (scenes.length === 0 && isPlain) return setPhase({ kind: 'empty' });
      const { view, clearView } = store.read();
      const fit = view === null ? 'at-once' : 'stay';
      // The sensors of a clear view: without them its tiles would be requested twice.
      if (clearView !== null) await offerDatasets();
      if (isOvertaken()) return;
      await showWanted(scenes, fit);
      if (isOvertaken()) return;
      setPhase({ kind: 'ready' });
      void shapes.restoreClip();
      // Not waited for: a filter that comes a moment later holds up no picture.
      if (clearView === null) offerDatasets().catch((error: unknown) => report.fail(error));
    } catch (error) {
      if (isOvertaken()) return;
      const failure = toFailureOf(error);
      if (isKeyRefused(failure)) report.askForKey(failure.message);
      else setPhase({ kind: 'failed', text: failure.message });
    }
  };

  return {
    start,
    offerDatasets,
    giveKey(key, isLasting) {
      keys.setKey(key, isLasting);
      return start();
    },
    forgetKey() {
      attempts++;
      keys.forgetKey();
      store.update((state) => ({ ...state, isSignedIn: false }));
      report.askForKey(null);
    },
    async followAddress(address) {
      const before = store.read();
      const { view, sceneId, dataset, clearView, picture, opacity, query, terrain } = address;
      const { comparison, animation } = address;
      const isSameScene =
        before.shown !== null &&
        (clearView === null
          ? before.shown.id === sceneId && (dataset === null || before.shown.sensor.dataset === dataset)
          : isClearable(before.shown.sensor));
      shapes.followShapes(address);
      const isSameArea = query.where.kind !== 'area' || before.area === store.read().area;
      const isSameQuery = isSameArea && JSON.stringify(before.query) === JSON.stringify(query);
      const isSameComparison =
        JSON.stringify(toComparisonAddress(before.comparison)) === JSON.stringify(comparison);
      store.update((state) => ({
        ...state,
        picture,
        pictureOf: null,
        isPictureChosen: picture.bands !== null,
        opacity,
        query,
        series: {
          ...state.series,
          isOpen: address.series !== null,
          choice: address.series ?? state.series.choice,
          form: address.series === null ? state.series.form : address.seriesForm,
        },
        zones: withZonesChoice(state.zones, address.zones),
        panel: panelOfAddress(address, parts.isNarrow() && state.area !== null),
        terrain,
        wanted: sceneId === null ? null : { sceneId, dataset },
        clearView,
        goal: view === null ? state.goal : { kind: 'view', view },
        ...(isSameComparison
          ? { wantedComparison: null }
          : // Its scenes are looked for by the actions that compare.
            { comparison: null, wantedComparison: comparison }),
        animation: animation && toAnimation(animation, state.animation ?? PLAIN_ANIMATION),
      }));
      if (before.phase.kind !== 'ready') return;
      if (picture.clip !== before.picture.clip) void shapes.restoreClip();
      try {
        const { wanted, shown } = store.read();
        const scenes = isSameQuery ? store.read().results.scenes : await search.search();
        if (scenes === null) return;
        // Another scene may have been chosen while the list was on its way.
        if (store.read().wanted !== wanted || store.read().shown !== shown) return;
        const fit = view === null && !isSameScene ? 'animated' : 'stay';
        if (isSameScene && shown !== null) store.update((state) => withScene(state, shown, fit));
        else await showWanted(scenes, fit);
      } catch (error) {
        report.fail(error);
      }
    },
  };
};
