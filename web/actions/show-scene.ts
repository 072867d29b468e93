/** Shows a scene that something else than the list names, such as a point of a series. */
import type { Api } from '../api/api.ts';
import { toBox } from '../scenes/footprint.ts';
import type { Scene } from '../scenes/scene.ts';
import { withScenes } from '../scenes/scene.ts';
import type { Store } from '../state/store.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import type { Texts } from '../texts/en.ts';
import { makeLatest } from './latest.ts';
import type { Report } from './report.ts';
import { withOneScene } from './select-scene.ts';

interface ShowSceneParts {
  readonly store: Store<ViewerState>;
  readonly api: Pick<Api, 'findScenes'>;
  readonly report: Pick<Report, 'fail' | 'showError'>;
  readonly texts: Texts;
}

/** The state with the scene on the map, and with the area in view. */
const withSceneOfArea = (state: ViewerState, scene: Scene): ViewerState => {
  const { area, bounds } = state;
  const shown = withOneScene(state, scene, 'stay');
  if (area === null || bounds === null) return shown;
  const [west, south, east, north] = toBox(area.outline);
  const isInView = west < bounds[2] && east > bounds[0] && south < bounds[3] && north > bounds[1];
  return isInView
    ? shown
    : { ...shown, goal: { kind: 'box', box: [west, south, east, north], isAnimated: true } };
};

/** Builds the action: a scene that is not in the list is looked up and added to it. */
export const makeShowScene = ({ store, api, report, texts }: ShowSceneParts) => {
  const latest = makeLatest();
  return async ({ sceneId, viewId }: { sceneId: string; viewId: string }): Promise<void> => {
    const signal = latest.start();
    const { results, knowledge, shown, wanted } = store.read();
    const listed = results.scenes.find((scene) => scene.viewId === viewId);
    if (listed !== undefined) return store.update((state) => withSceneOfArea(state, listed));
    const sensors = knowledge?.sensors ?? [];
    try {
      const { scenes } = await api.findScenes(
        sceneId,
        sensors.map(({ dataset }) => dataset),
        sensors,
      );
      // Another scene may have been chosen meanwhile.
      const now = store.read();
      if (signal.aborted || now.shown !== shown || now.wanted !== wanted) return;
      const found = scenes.find((scene) => scene.viewId === viewId) ?? scenes[0];
      if (found === undefined) return report.showError(texts.find.lost(sceneId));
      store.update((state) => {
        const listed = withScenes(state.results.scenes, [found]);
        return withSceneOfArea({ ...state, results: { ...state.results, scenes: listed } }, found);
      });
    } catch (error) {
      if (!signal.aborted) report.fail(error);
    }
  };
};
