/** What the one map of the page draws, of all that the state knows. */
import type { Side } from './comparison.ts';
import type { ViewerState } from './viewer-state.ts';

/** The scene and picture of the map itself; `null` when it draws none, or when a film or a difference is drawn instead. */
export const sideOnMap = ({ shown, picture, comparison, animation }: ViewerState): Side | null => {
  if (shown === null || animation !== null) return null;
  if (comparison === null) return { scene: shown, picture };
  return comparison.mode === 'difference' ? null : comparison.left;
};

/** The scene and picture that the legend below the map explains; two that are compared have a legend of their own. */
export const sideOfLegend = ({ shown, picture, comparison, animation }: ViewerState): Side | null =>
  shown === null || comparison !== null ? null : { scene: shown, picture: animation?.picture ?? picture };
