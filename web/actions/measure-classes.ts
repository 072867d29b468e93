/** Measuring classes. The work itself is loaded with the panel that shows it. */
import type { Scene } from '../scenes/scene.ts';
import type { MeasureChoice } from '../state/measure-state.ts';
import { sceneAlone } from '../state/on-map.ts';
import type { ActionParts } from './action-parts.ts';
import { withOneScene } from './select-scene.ts';

/** What a user does to measure classes. */
export interface ClassActions {
  /** Changes what is measured; classes on the map are measured again. */
  chooseMeasure(change: Partial<MeasureChoice>): void;
  /** Measures classes, or takes them off the map. */
  showClasses(isOn: boolean): void;
  /** Puts the scene that is measured on the map, which need not be in the list. */
  showMeasuredScene(scene: Scene): void;
}

/** Builds them. */
export const makeClassActions = ({ store }: Pick<ActionParts, 'store'>): ClassActions => ({
  chooseMeasure: (change) =>
    store.update((state) => {
      const { choice, isOn } = state.measure;
      // Another preset is another question: its classes come when they are asked for.
      const isOther = change.preset !== undefined && change.preset !== choice.preset;
      return {
        ...state,
        measure: {
          ...state.measure,
          choice: { ...choice, ...(isOther ? { thresholds: null } : {}), ...change },
          isOn: isOn && !isOther,
          made: { kind: 'idle' },
        },
      };
    }),
  showClasses: (isOn) =>
    store.update((state) => ({ ...state, measure: { ...state.measure, isOn, made: { kind: 'idle' } } })),
  showMeasuredScene: (scene) =>
    store.update((state) =>
      sceneAlone(state)?.viewId === scene.viewId ? state : withOneScene(state, scene, 'stay'),
    ),
});
