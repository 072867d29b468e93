/** Makes the map show what the state says. */
import { catalogOf, NO_ORIGINS } from '../scenes/origins.ts';
import { toTemplate } from '../scenes/scene-template.ts';
import { clearLayerOnMap, sideOnMap } from '../state/on-map.ts';
import type { Store } from '../state/store.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import { followShapes } from './follow-shapes.ts';
import type { SceneMap } from './map.ts';

/** Who must be named for pictures of a dataset. */
const attributionOf = ({ knowledge }: ViewerState, dataset: string): string | null =>
  catalogOf(knowledge?.origins ?? NO_ORIGINS, dataset)?.attribution ?? null;

/** Starts following; `onImagery` is told when other tiles are about to come. */
export const followState = (store: Store<ViewerState>, map: SceneMap, onImagery: () => void): void => {
  // A clear view is of many scenes, none of which is marked.
  const markAll = ({ shown, clearView, hoveredViewId }: ViewerState): void =>
    map.markFootprints(clearView === null ? (shown?.viewId ?? null) : null, hoveredViewId);
  store.watch(
    ({ results }) => results.scenes,
    (scenes, state) => {
      map.showFootprints(scenes);
      markAll(state);
    },
  );
  store.watch(
    ({ shown, clearView }) => (clearView === null ? shown : null),
    (_, state) => markAll(state),
  );
  store.watch(
    ({ hoveredViewId }) => hoveredViewId,
    (_, state) => markAll(state),
  );
  store.watch(
    ({ comparison, animation }) => comparison === null && animation === null,
    map.setFootprintsVisible,
  );
  // Before the imagery, so that the first tiles are those of the right view.
  store.watch(
    ({ goal }) => goal,
    (goal) => {
      if (goal?.kind === 'box') map.fitTo(goal.box, goal.isAnimated);
      if (goal?.kind === 'view') map.moveTo(goal.view);
    },
  );
  store.watch(
    (state) => {
      const clear = clearLayerOnMap(state);
      if (clear !== null) return `${clear.template} ${state.redraws}`;
      const side = sideOnMap(state);
      return side && `${side.scene.viewId} ${toTemplate(side.scene, side.picture)} ${state.redraws}`;
    },
    (_, state) => {
      const clear = clearLayerOnMap(state);
      if (clear !== null) {
        onImagery();
        return map.showClearLayer(clear, attributionOf(state, clear.sensors[0].dataset));
      }
      const side = sideOnMap(state);
      // A film or a difference is drawn instead, which takes a moment.
      if (side === null) return state.shown === null ? map.removeImagery() : map.retireImagery();
      onImagery();
      const { scene, picture } = side;
      map.showImagery(scene, toTemplate(scene, picture), attributionOf(state, scene.sensor.dataset));
    },
  );
  store.watch(({ phase }) => phase.kind === 'loading' || phase.kind === 'waiting', map.setExpecting);
  store.watch(
    // Not before the first scene is on the map; after a failure it is loaded again.
    ({ phase, redraws }) => (phase.kind === 'loading' || phase.kind === 'waiting' ? null : redraws),
    (isTime) => {
      if (isTime !== null) map.loadWorld();
    },
  );
  store.watch(({ opacity }) => opacity, map.setOpacity);
  followShapes(store, map);
  store.watch(
    ({ probe, query, panel, drawing }) => {
      if (drawing.marked !== null) return drawing.marked;
      if (probe !== null) return probe.point;
      return panel === 'find' && query.where.kind === 'point' ? query.where.point : null;
    },
    (point) => map.markPoint(point),
  );
  store.watch(({ place }) => place, map.markPlace);
  store.watch(
    ({ phase }) => (phase.kind === 'shared' ? phase.map : null),
    (shared) => {
      if (shared !== null) map.showShared(shared);
    },
  );
  store.watch(
    ({ about }) => about?.baseMap ?? null,
    (baseMap) => {
      // The offline map stays where another one cannot be had.
      if (baseMap !== null) map.showBaseMap(baseMap).catch((error: unknown) => console.error(error));
    },
  );
};
