/** Everything a user can do, in one object. */
import type { Box } from '../scenes/footprint.ts';
import { wrapLon } from '../state/address/forms.ts';
import type { MapView, Point } from '../state/map-view.ts';
import type { PanelName } from '../state/viewer-state.ts';
import type { ActionParts } from './action-parts.ts';
import type { AnimateActions } from './animate.ts';
import { makeAnimateActions } from './animate.ts';
import type { PictureActions } from './choose-picture.ts';
import { makePictureActions } from './choose-picture.ts';
import type { TerrainActions } from './choose-terrain.ts';
import { makeTerrainActions } from './choose-terrain.ts';
import type { ClearActions } from './clear-view.ts';
import { makeClearActions } from './clear-view.ts';
import type { CompareActions } from './compare.ts';
import { makeCompareActions } from './compare.ts';
import type { MeasureActions } from './measure-area.ts';
import { makeMeasureActions } from './measure-area.ts';
import type { ClassActions } from './measure-classes.ts';
import { makeClassActions } from './measure-classes.ts';
import type { SharedActions } from './open-shared.ts';
import { makeSharedActions } from './open-shared.ts';
import type { ColormapActions } from './own-colormaps.ts';
import { makeColormapActions } from './own-colormaps.ts';
import type { ProbeActions } from './probe-point.ts';
import { makeProbeActions } from './probe-point.ts';
import type { Report } from './report.ts';
import { makeReport } from './report.ts';
import type { SearchActions } from './search.ts';
import { makeSearchActions } from './search.ts';
import type { SceneActions } from './select-scene.ts';
import { makeSceneActions } from './select-scene.ts';
import type { ShapeActions } from './shapes.ts';
import { makeShapeActions } from './shapes.ts';
import type { PlaceActions } from './show-place.ts';
import { makePlaceActions } from './show-place.ts';
import type { StartActions } from './start.ts';
import { makeStartActions } from './start.ts';
import type { StoryActions } from './tell-story.ts';
import { makeStoryActions } from './tell-story.ts';

/** The actions. */
export interface Actions
  extends StartActions,
    SearchActions,
    SceneActions,
    PictureActions,
    ColormapActions,
    TerrainActions,
    ClearActions,
    StoryActions,
    ProbeActions,
    ShapeActions,
    MeasureActions,
    PlaceActions,
    ClassActions,
    SharedActions,
    CompareActions,
    AnimateActions {
  readonly report: Report;
  /** Opens a panel; `null` closes it. */
  openPanel(panel: PanelName | null): void;
  /** The map came to rest. */
  rememberView(view: MapView, bounds: Box): void;
  /** The user clicked the map, over these scenes, newest first. */
  clickMap(point: Point, viewIds: readonly string[]): void;
  /** What a click does, without a pointer, in the middle of the map: sets the point of the search, or reads values. */
  takeMiddle(): void;
}

/** Builds all of them over one store and one server. */
export const makeActions = (parts: ActionParts): Actions => {
  const { store } = parts;
  const report = makeReport(parts);
  const search = makeSearchActions(parts, report);
  const scenes = makeSceneActions(parts);
  const pictures = makePictureActions(parts, report);
  const probes = makeProbeActions(parts, report);
  const shapes = makeShapeActions(parts, { report, search });
  const shared = makeSharedActions(parts);
  const starts = makeStartActions(parts, { report, search, shapes, ...shared });
  /** Two scenes, or one after the other: a point could mean any of them. Under a tool it is a point of a shape. */
  const isAboutOneScene = (): boolean => {
    const { drawing, comparison, animation } = store.read();
    return drawing.tool === null && comparison === null && animation === null;
  };
  const isPointSearched = (): boolean => {
    const { panel, query } = store.read();
    return panel === 'find' && query.where.kind === 'point';
  };
  const takePoint = (point: Point): void => {
    if (isPointSearched()) void search.setQuery({ where: { kind: 'point', point } });
    else void probes.probePoint(point);
  };
  return {
    ...starts,
    ...search,
    ...scenes,
    ...pictures,
    ...makeColormapActions(parts, { report, pictures }),
    ...makeTerrainActions(parts),
    ...makeClearActions(parts, report),
    ...makeStoryActions(parts, { report, followAddress: starts.followAddress }),
    ...probes,
    ...shapes,
    ...makeMeasureActions(parts),
    ...makePlaceActions(parts),
    ...makeClassActions(parts),
    ...shared,
    ...makeCompareActions(parts, report),
    ...makeAnimateActions(parts, search),
    report,
    openPanel(panel) {
      // Clicks on the map mean something else under other panels.
      const { tool, marked } = store.read().drawing;
      if (panel !== 'area' && panel !== 'fields' && tool !== null) shapes.setTool(null);
      if (panel !== 'area' && marked !== null) shapes.markOnLine(null);
      store.update((state) => (state.panel === panel ? state : { ...state, panel }));
    },
    rememberView(view, bounds) {
      // Before there is a scene or a place no view was chosen: the map only followed the size of its frame.
      const { shown, view: known } = store.read();
      const isChosen = shown !== null || known !== null;
      store.update((state) => ({ ...state, bounds, view: isChosen ? view : state.view }));
      void search.searchView();
    },
    clickMap(point, viewIds) {
      const { panel, clearView } = store.read();
      // The panel of fields follows clicks by itself: they choose a field.
      if (!isAboutOneScene() || panel === 'fields') return;
      // While pictures are chosen, and on a clear view, a click asks what is there; otherwise which scene.
      if (panel === 'find' && clearView === null && !isPointSearched()) scenes.pickScene(viewIds);
      else takePoint(point);
    },
    takeMiddle() {
      const { view } = store.read();
      if (view !== null && isAboutOneScene()) takePoint({ lat: view.lat, lon: wrapLon(view.lon) });
    },
  };
};
