/** Which scene is on the map, and with which bands. */
import { planBands, planOther } from '../scenes/bands.ts';
import { isSceneInView } from '../scenes/coverage.ts';
import { toBox } from '../scenes/footprint.ts';
import { isColormapId } from '../scenes/own-colormap.ts';
import type { Scene } from '../scenes/scene.ts';
import { planPick } from '../scenes/scene.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import { missingOf } from '../state/viewer-state.ts';
import type { ActionParts } from './action-parts.ts';

/** How the map moves to a scene; with `if-away` only to one that the view does not show yet. */
export type Fit = 'animated' | 'if-away' | 'at-once' | 'stay';

/** What a user does to choose scenes. */
export interface SceneActions {
  selectScene(viewId: string, fit?: Fit): void;
  /** Chooses among scenes under a click, newest first: the next one after the shown scene. */
  pickScene(viewIds: readonly string[]): void;
  /** The scene before (-1) or after (1) the shown one in the list. */
  stepScene(step: 1 | -1): void;
  /** Marks a scene in the list and on the map; `null` for none. */
  hoverScene(viewId: string | null): void;
}

/** Where the map goes for a scene. */
const planGoal = ({ goal, bounds }: ViewerState, { outline }: Scene, fit: Fit): ViewerState['goal'] => {
  if (fit === 'stay') return goal;
  if (fit === 'if-away' && bounds !== null && isSceneInView(outline, bounds)) return goal;
  return { kind: 'box', box: toBox(outline), isAnimated: fit !== 'at-once' };
};

/** The state with a scene shown: bands that were chosen are translated to its sensor. */
export const withScene = (state: ViewerState, scene: Scene, fit: Fit): ViewerState => {
  const { sensor, viewId } = scene;
  const [first] = sensor.compositions;
  const { picture, pictureOf, isPictureChosen } = state;
  const wanted = planBands(sensor, { bands: isPictureChosen ? picture.bands : null, of: pictureOf });
  // A choice of the viewer itself may be replaced when the scene lacks it.
  const isChosen = isPictureChosen && wanted !== first.bands;
  const bands = isChosen ? wanted : (planOther(sensor, missingOf(state, viewId)) ?? first).bands;
  // A contrast is of the values of one expression on one sensor.
  const isSame = pictureOf?.dataset === sensor.dataset || pictureOf === null;
  const contrast = isSame && bands === (picture.bands ?? bands) ? picture.contrast : null;
  // Anyone can write an address; `_r` reverses a map.
  const base = picture.colormap?.replace(/_r$/, '');
  const isNamed = state.knowledge?.colormaps.some(({ name }) => name === base) ?? false;
  // Only the server knows which ids there are.
  const isKnown = isNamed || isColormapId(base ?? '');
  return {
    ...state,
    shown: scene,
    wanted: null,
    picture: { ...picture, bands, contrast, colormap: isKnown ? picture.colormap : null },
    pictureOf: sensor,
    isPictureChosen: isChosen,
    probe: null,
    notices: [],
    goal: planGoal(state, scene, fit),
  };
};

/** The state with one scene on the map and nothing else: two that are compared, or a film, end. */
export const withOneScene = (state: ViewerState, scene: Scene, fit: Fit): ViewerState => ({
  ...withScene(state, scene, fit),
  clearView: null,
  comparison: null,
  wantedComparison: null,
  animation: null,
});

/** Builds them. */
export const makeSceneActions = ({ store }: ActionParts): SceneActions => {
  const selectScene = (viewId: string, fit: Fit = 'if-away'): void =>
    store.update((state) => {
      const scene = state.results.scenes.find((one) => one.viewId === viewId);
      return scene === undefined ? state : withOneScene(state, scene, fit);
    });
  return {
    selectScene,
    pickScene(viewIds) {
      const shownId = store.read().shown?.viewId ?? null;
      const viewId = planPick(viewIds, shownId);
      // What was clicked stays under the pointer.
      if (viewId !== null && viewId !== shownId) selectScene(viewId, 'stay');
    },
    stepScene(step) {
      const { results, shown } = store.read();
      const index = results.scenes.findIndex(({ viewId }) => viewId === shown?.viewId);
      const next = index < 0 ? undefined : results.scenes[index + step];
      // The location stays: stepping through dates is for comparing them.
      if (next !== undefined) selectScene(next.viewId, 'stay');
    },
    hoverScene: (viewId) =>
      store.update((state) => (state.hoveredViewId === viewId ? state : { ...state, hoveredViewId: viewId })),
  };
};
