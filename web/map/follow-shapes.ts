/** Makes a map show the area and the line. */
import type { Store } from '../state/store.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import type { SceneMap } from './map.ts';

/** Starts following; the answer stops it. */
export const followShapes = (
  store: Store<ViewerState>,
  { showShapes }: Pick<SceneMap, 'showShapes'>,
): (() => void) => {
  const show = ({ area, drawing: { tool, line } }: ViewerState): void =>
    // A shape that is being edited is drawn by the editor.
    showShapes([
      ...(area === null || tool === 'edit-area' ? [] : [area.outline]),
      ...(line === null || tool === 'edit-line'
        ? []
        : [{ type: 'LineString', coordinates: line.positions } as const]),
    ]);
  const stops = [
    store.watch(
      ({ area }) => area,
      (_, state) => show(state),
    ),
    store.watch(
      ({ drawing }) => drawing.line,
      (_, state) => show(state),
    ),
    store.watch(
      ({ drawing }) => drawing.tool,
      (_, state) => show(state),
    ),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};
