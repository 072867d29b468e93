/** Makes the map show what the state says. */
import { catalogOf, NO_ORIGINS } from '../scenes/origins.ts';
import { toTemplate } from '../scenes/scene-template.ts';
import { sideOnMap } from '../state/on-map.ts';
import type { Store } from '../state/store.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import { followShapes } from './follow-shapes.ts';
import type { SceneMap } from './map.ts';

/** Starts following; `onImagery` is told when other tiles are about to come. */
export const followState = (store: Store<ViewerState>, map: SceneMap, onImagery: () => void): void => {
  const markAll = ({ shown, hoveredViewId }: ViewerState): void =>
    map.markFootprints(shown?.viewId ?? null, hoveredViewId);
  store.watch(
    ({ results }) => results.scenes,
    (scenes, state) => {
      map.showFootprints(scenes);
      markAll(state);
    },
  );
  store.watch(
    ({ shown }) => shown,
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
      const side = sideOnMap(state);
      return side && `${side.scene.viewId} ${toTemplate(side.scene, side.picture)} ${state.redraws}`;
    },
    (_, state) => {
      const side = sideOnMap(state);
      // A film or a difference is drawn instead, which takes a moment.
      if (side === null) return state.shown === null ? map.removeImagery() : map.retireImagery();
      onImagery();
      const { scene, picture } = side;
      const catalog = catalogOf(state.knowledge?.origins ?? NO_ORIGINS, scene.sensor.dataset);
      map.showImagery(scene, toTemplate(scene, picture), catalog?.attribution ?? null);
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
