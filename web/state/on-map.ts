/** What the one map of the page draws, of all that the state knows. */
import type { ClearLayer } from '../scenes/clear-layer.ts';
import { planClearLayer } from '../scenes/clear-layer.ts';
import type { Scene } from '../scenes/scene.ts';
import { toTemplate } from '../scenes/scene-template.ts';
import { dayOfClearView } from './clear-view.ts';
import type { Side } from './comparison.ts';
import type { ViewerState } from './viewer-state.ts';
import { isLive } from './viewer-state.ts';

/** The scene that is shown by itself; `null` in the clear view, where `shown` stands for its sensor. */
export const sceneAlone = ({ shown, clearView }: Pick<ViewerState, 'shown' | 'clearView'>): Scene | null =>
  clearView === null ? shown : null;

/** The scene and picture of the map itself; `null` when it draws none, or when a film or a difference is drawn instead. */
export const sideOnMap = ({ shown, picture, comparison, animation }: ViewerState): Side | null => {
  if (shown === null || animation !== null) return null;
  if (comparison === null) return { scene: shown, picture };
  return comparison.mode === 'difference' ? null : comparison.left;
};

/** The scene and picture that the legend below the map explains; two that are compared have a legend of their own. */
export const sideOfLegend = ({ shown, picture, comparison, animation }: ViewerState): Side | null =>
  shown === null || comparison !== null ? null : { scene: shown, picture: animation?.picture ?? picture };

/** The clear view that the map draws; `null` while it shows one scene, two, or an animation. */
export const clearLayerOnMap = (state: ViewerState): ClearLayer | null => {
  const { shown, picture, clearView, comparison, animation, knowledge, datasets } = state;
  const day = dayOfClearView(state);
  if (shown === null || clearView === null || day === null) return null;
  if (comparison !== null || animation !== null) return null;
  // Public catalogs are asked for one sensor: each further one is another search for every tile.
  const sensors = isLive(state)
    ? []
    : (knowledge?.sensors ?? []).filter(({ dataset }) => datasets.includes(dataset));
  return planClearLayer({
    shown,
    picture,
    day,
    days: clearView.days,
    isLatest: clearView.date === null,
    sensors,
  });
};

/** The tile address of what the map shows, as the server writes it; `null` where it shows nothing. */
export const templateOnMap = (state: ViewerState): string | null =>
  clearLayerOnMap(state)?.template ?? (state.shown === null ? null : toTemplate(state.shown, state.picture));
