/** The clear view: its days, and what the map says where it has nothing to show. */
import type { ClearSource } from '../api/clear-calls.ts';
import { findNearestDay } from '../api/days.ts';
import type { SearchRequest } from '../api/search-body.ts';
import type { ClearLayer } from '../scenes/clear-layer.ts';
import { isClearable, MAX_CLOUD_PERCENT } from '../scenes/clear-layer.ts';
import { coverageOf } from '../scenes/coverage.ts';
import { findNearestScene } from '../scenes/first-scene.ts';
import type { Box } from '../scenes/footprint.ts';
import { toBox } from '../scenes/footprint.ts';
import type { Scene } from '../scenes/scene.ts';
import { withScenes } from '../scenes/scene.ts';
import type { ClearView, MapNote } from '../state/clear-view.ts';
import { dayOfClearView, PLAIN_CLEAR_VIEW } from '../state/clear-view.ts';
import type { Point } from '../state/map-view.ts';
import { clearLayerOnMap } from '../state/on-map.ts';
import { PLAIN_QUERY } from '../state/search-state.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import type { ActionParts } from './action-parts.ts';
import { makeLatest } from './latest.ts';
import type { Report } from './report.ts';
import { withOneScene, withScene } from './select-scene.ts';

/** What a user does with the clear view. */
export interface ClearActions {
  /** Shows the clear view in place of a scene, with other days if they are given. */
  showClearView(change?: Partial<ClearView>): void;
  /** Goes to the day before (-1) or after (1) that has scenes. */
  stepClearDay(step: 1 | -1): void;
  /** Moves the map to a scene that lies elsewhere. */
  goToScene(scene: Scene): void;
  /** The server refused tiles, because they would be made of too many scenes. */
  noteTooWide(): void;
  /** Shows one scene of the clear view by itself. */
  showSource(source: ClearSource, point: Point | null): Promise<void>;
}

/** Days that are asked for to find the nearest one: years of one place. */
const MAX_DAYS = 1000;

/** Whether the map shows the ground itself, which a note would cover. */
const hasGround = ({ terrain }: ViewerState): boolean =>
  terrain.layer !== 'none' || terrain.exaggeration !== null;

/** The search for what a clear view could show in a box. */
const toRequest = ({ sensors }: ClearLayer, bounds: Box): SearchRequest => ({
  query: {
    ...PLAIN_QUERY,
    maxCloudPercent: MAX_CLOUD_PERCENT,
    datasets: sensors.map(({ dataset }) => dataset),
    where: { kind: 'view' },
  },
  bounds,
  allDatasets: [],
});

/** Builds them; from then on the map says where it has nothing to show. */
export const makeClearActions = ({ store, api, texts }: ActionParts, report: Report): ClearActions => {
  const latest = makeLatest();
  const setNote = (mapNote: MapNote | null): void =>
    store.update((state) => (state.mapNote === mapNote ? state : { ...state, mapNote }));

  /** What is nearest to a view without scenes. */
  const findNearest = async (layer: ClearLayer, bounds: Box, signal: AbortSignal): Promise<MapNote> => {
    const request = toRequest(layer, bounds);
    const days = await api.searchDays(request, { limit: MAX_DAYS, signal });
    const day = findNearestDay(days, dayOfClearView(store.read()) ?? '');
    if (day !== null) return { kind: 'other-day', day };
    const { scenes } = await api.searchScenes(
      { ...request, query: { ...request.query, where: { kind: 'everywhere' } } },
      { page: 1, sensors: layer.sensors, signal },
    );
    const scene = findNearestScene(scenes, bounds);
    return scene === null ? { kind: 'nothing' } : { kind: 'other-place', scene };
  };
  const check = async (layer: ClearLayer, bounds: Box, signal: AbortSignal): Promise<void> => {
    const { query, ...request } = toRequest(layer, bounds);
    const { from, to } = layer;
    if ((await api.countScenes({ ...request, query: { ...query, from, to } }, signal)) > 0) return;
    const note = await findNearest(layer, bounds, signal);
    if (!signal.aborted) setNote(note);
  };
  store.watch(
    (state) => {
      const { phase, bounds, comparison, animation, clearView, shown } = state;
      if (phase.kind !== 'ready' || bounds === null || comparison !== null || animation !== null) return null;
      const layer = clearLayerOnMap(state);
      const what = layer === null ? shown?.viewId : [layer.from, layer.to, layer.sensors.length].join();
      return `${bounds} ${clearView === null} ${what} ${hasGround(state)}`;
    },
    (key, state) => {
      const signal = latest.start();
      setNote(null);
      const { bounds, shown } = state;
      if (key === null || bounds === null || shown === null) return;
      const layer = clearLayerOnMap(state);
      // A note is a help; a search for it that fails is not worth a message.
      if (layer !== null) void check(layer, bounds, signal).catch(() => undefined);
      else if (coverageOf(shown.outline, bounds) === 0 && !hasGround(state))
        setNote({ kind: 'away', scene: shown });
    },
  );

  const showClearView: ClearActions['showClearView'] = (change = {}) =>
    store.update((state) => {
      const clearView = { ...(state.clearView ?? PLAIN_CLEAR_VIEW), ...change };
      const { shown, results } = state;
      const first = shown !== null && isClearable(shown.sensor) ? shown : null;
      const scene = first ?? results.scenes.find(({ sensor }) => isClearable(sensor)) ?? shown;
      const next = scene === null || scene === shown ? state : withScene(state, scene, 'stay');
      return { ...next, clearView, probe: null, comparison: null, wantedComparison: null, animation: null };
    });

  return {
    showClearView,
    stepClearDay(step) {
      const state = store.read();
      const day = dayOfClearView(state);
      if (day === null) return;
      const days = state.results.days.map((one) => one.day);
      const next = step === 1 ? days.find((one) => one > day) : days.findLast((one) => one < day);
      if (next !== undefined) showClearView({ date: next });
    },
    goToScene: ({ outline }) =>
      store.update((state) => ({ ...state, goal: { kind: 'box', box: toBox(outline), isAnimated: true } })),
    noteTooWide: () => setNote({ kind: 'too-wide' }),
    async showSource({ viewId, date, sensor }, point) {
      const { results } = store.read();
      const listed = results.scenes.find((scene) => scene.viewId === viewId);
      if (listed !== undefined) return store.update((state) => withOneScene(state, listed, 'stay'));
      try {
        const where = point === null ? ({ kind: 'view' } as const) : ({ kind: 'point', point } as const);
        const query = { ...PLAIN_QUERY, from: date, to: date, datasets: [sensor.dataset], where };
        const { scenes } = await api.searchScenes(
          { query, bounds: store.read().bounds, allDatasets: [] },
          { page: 1, sensors: [sensor] },
        );
        const found = scenes.find((scene) => scene.viewId === viewId);
        if (found === undefined) return report.showError(texts.find.lost(viewId));
        store.update((state) => {
          const scenes = withScenes(state.results.scenes, [found]);
          return withOneScene({ ...state, results: { ...state.results, scenes } }, found, 'stay');
        });
      } catch (error) {
        report.fail(error);
      }
    },
  };
};
