/**
 * The viewer at work: which scene, bands and colours are shown, the same in the list, the controls, the map and the
 * address.
 */
import type { Api } from './api/api.ts';
import type { Failure } from './api/failure.ts';
import type { FollowLegend } from './api/follow-legend.ts';
import type { SceneMap } from './map/map.ts';
import type { BandPicker } from './panels/band-picker.ts';
import { makeBandPicker } from './panels/band-picker.ts';
import { makeDatasetFilter } from './panels/dataset-filter.ts';
import type { Notices } from './panels/notices.ts';
import { makeSceneList } from './panels/scene-list.ts';
import type { ViewerSensor } from './scenes/bands.ts';
import { describeMissing, planBands, planOther, titleOfShown } from './scenes/bands.ts';
import { COLORMAPS, planColormap } from './scenes/colormaps.ts';
import { readDatasets } from './scenes/datasets.ts';
import { toBox } from './scenes/footprint.ts';
import { makeMissingBands } from './scenes/missing-bands.ts';
import type { Scene, ScenePage } from './scenes/scene.ts';
import { planPick } from './scenes/scene.ts';
import { addColormap, fillBands, isTileOf, toHome, toOwnAddress } from './scenes/tile-template.ts';
import type { HashState, MapView } from './state/hash-state.ts';
import { parseHash, toHash } from './state/hash-state.ts';

interface ViewerParts {
  readonly sensors: readonly ViewerSensor[];
  readonly api: Api;
  readonly map: SceneMap;
  readonly notices: Notices;
  readonly followLegend: FollowLegend;
  /** Where the list and the controls go. */
  readonly host: HTMLElement;
  /** Other tiles are about to come: timings start anew. */
  onImagery(): void;
  /** A search that the viewer made by itself did not work. */
  onError(error: unknown): void;
}

/** The events of the map and the page that concern the viewer once it has scenes. */
export interface Viewer {
  /** Shows the newest scenes of all datasets and, of them, the one the address names or the newest. */
  open(page: ScenePage): Promise<void>;
  pick(viewIds: readonly string[]): void;
  rememberView(view: MapView): void;
  /** Called when the address was edited by hand: applies it. */
  followAddress(): Promise<void>;
  /** Takes the scenes off the map, for example because their key was taken back. */
  close(): void;
  /** Requests failed tiles again. */
  redraw(): void;
  /** A tile, at this address, could not be drawn because the scene lacks a band: says so and shows or offers others. */
  missBands(failure: Failure, url: string): void;
}

type Fit = 'animated' | 'at-once' | 'stay';

/** Ties the parts together. */
export const makeViewer = (parts: ViewerParts): Viewer => {
  const { sensors, api, map, notices, followLegend, host, onImagery, onError } = parts;
  const all = sensors.map(({ dataset }) => dataset);
  const missing = makeMissingBands();
  /** The address as it is now; an unknown dataset or colormap is ignored. */
  const readAddress = (): HashState => {
    const read = parseHash(location.hash);
    return {
      ...read,
      dataset: all.find((dataset) => dataset === read.dataset) ?? null,
      colormap: COLORMAPS.find(({ name }) => name === read.colormap)?.name ?? null,
    };
  };
  let page: ScenePage | null = null;
  let shown: Scene | null = null;
  /** The dataset the list is narrowed to. */
  let filtered: string | null = null;
  let state = readAddress();
  /** The sensor the bands were chosen for; an address does not say. */
  let bandsOf: ViewerSensor | null = null;
  /** Whether the user or the address chose these bands, rather than the viewer. */
  let isChosen = state.bands !== null;
  /** Counts searches, so that an answer that was overtaken can tell. */
  let searches = 0;

  const bandsNow = ({ sensor }: Scene): string => state.bands ?? sensor.compositions[0].bands;
  const colormapNow = (scene: Scene): string | null =>
    planColormap(scene.sensor, bandsNow(scene), state.colormap);
  const templateNow = (scene: Scene): string =>
    addColormap(fillBands(scene.tms, bandsNow(scene)), colormapNow(scene));
  const isNamed = ({ id, sensor }: Scene): boolean =>
    id === state.sceneId && (state.dataset === null || state.dataset === sensor.dataset);

  const remember = (change: Partial<HashState>): void => {
    state = { ...state, ...change };
    // Replaced, not pushed: the back button leaves the page instead of walking through every drag of the map.
    history.replaceState(null, '', toHash(state) || location.pathname);
  };

  const showChoice = (scene: Scene): void =>
    picker.show({
      sensor: scene.sensor,
      bands: bandsNow(scene),
      colormap: colormapNow(scene),
      missing: missing.of(scene.viewId),
    });

  /** Three channels mix their colours, so only one has a legend. */
  const explain = (scene: Scene): void => {
    const bands = bandsNow(scene);
    const title = titleOfShown(scene.sensor, bands);
    void followLegend(bands.includes(',') ? null : { title, template: templateNow(scene) });
  };

  const draw = (): void => {
    if (shown === null) return;
    notices.clear();
    onImagery();
    showChoice(shown);
    map.showImagery(shown, templateNow(shown));
    explain(shown);
  };

  const choose = (bands: string): void => {
    isChosen = true;
    remember({ bands });
    draw();
  };

  const picker: BandPicker = makeBandPicker({
    onBands: choose,
    onColormap(colormap) {
      remember({ colormap });
      draw();
    },
    onOpacity: (opacity) => map.setOpacity(opacity),
    async onCopy() {
      if (shown === null) return;
      const template = templateNow(shown);
      try {
        await navigator.clipboard.writeText(template);
        const mark = template.includes('?') ? '&' : '?';
        notices.showDone(`Tile URL copied. It holds no key: add ${mark}api_key=… where you use it.`);
      } catch {
        // The clipboard needs https or localhost and the person's leave; the address itself still helps.
        notices.showError(`The browser did not allow copying. The tile URL is ${template}`);
      }
    },
  });

  const filter = makeDatasetFilter((dataset) => {
    narrow(dataset).catch((error: unknown) => {
      filter.show(filtered);
      onError(error);
    });
  });
  const list = makeSceneList({
    filter: filter.element,
    onSelect: (viewId) => select(viewId, 'animated'),
  });

  const select = (viewId: string, fit: Fit): void => {
    const scene = page?.scenes.find((one) => one.viewId === viewId);
    if (scene === undefined) return;
    const { sensor } = scene;
    const [first] = sensor.compositions;
    const wanted = planBands(sensor, { bands: isChosen ? state.bands : null, of: bandsOf });
    // A choice of the viewer itself may be replaced when the scene lacks it.
    isChosen &&= wanted !== first.bands;
    const bands = isChosen ? wanted : (planOther(sensor, missing.of(viewId)) ?? first).bands;
    shown = scene;
    bandsOf = sensor;
    list.select(viewId);
    remember({ sceneId: scene.id, dataset: sensor.dataset, bands });
    if (fit !== 'stay') map.fitTo(toBox(scene.outline), fit === 'animated');
    draw();
  };

  /** The scene of a shared address may be older than the page of newest ones: it is looked up by its id. */
  const withLinkedScene = async (given: ScenePage): Promise<ScenePage> => {
    const { sceneId, dataset } = state;
    if (sceneId === null || given.scenes.some(isNamed)) return given;
    const { scenes } = await api.searchScenes({ datasets: dataset === null ? all : [dataset], sceneId });
    return { ...given, scenes: [...given.scenes, ...scenes.slice(0, 1)] };
  };

  const show = (given: ScenePage, fit: Fit): void => {
    page = given;
    list.show(given);
    filter.show(filtered);
    if (list.element.parentNode !== host) host.replaceChildren(list.element, picker.element);
    map.showFootprints(given.scenes);
    const first = given.scenes.find(isNamed) ?? given.scenes[0];
    if (first !== undefined) select(first.viewId, fit);
  };

  const open = async (given: ScenePage): Promise<void> => {
    const search = ++searches;
    const whole = await withLinkedScene(given);
    if (search !== searches) return;
    const { sceneId } = state;
    const isLost = sceneId !== null && !whole.scenes.some(isNamed);
    show(whole, state.view === null ? 'at-once' : 'stay');
    if (isLost) {
      notices.showError(
        `The scene ${sceneId} of this address is not in the catalogue. The newest one is shown.`,
      );
    }
  };

  const narrow = async (dataset: string | null): Promise<void> => {
    const search = ++searches;
    const given = await api.searchScenes({ datasets: dataset === null ? all : [dataset] });
    if (search !== searches) return;
    filtered = dataset;
    show(given, shown !== null && given.scenes.some(isNamed) ? 'stay' : 'animated');
  };

  const offerDatasets = async (given: ScenePage): Promise<void> => {
    const search = (datasets: readonly string[]): Promise<ScenePage> => api.searchScenes({ datasets });
    const present = await readDatasets({ page: given, all, search });
    filter.offer(sensors.filter(({ dataset }) => present.includes(dataset)));
  };

  return {
    async open(given) {
      filtered = null;
      await open(given);
      // Not waited for: a filter that comes a moment later holds up no picture.
      offerDatasets(given).catch(onError);
    },
    pick(viewIds) {
      const viewId = planPick(viewIds, shown?.viewId ?? null);
      if (viewId !== null && viewId !== shown?.viewId) select(viewId, 'animated');
    },
    rememberView(view) {
      // Before there are scenes no view was chosen: the map only followed the size of its frame.
      if (shown !== null) remember({ view });
    },
    async followAddress() {
      state = readAddress();
      bandsOf = null;
      isChosen = state.bands !== null;
      if (state.view !== null) map.moveTo(state.view);
      if (page === null) return;
      const isBeyondFilter = filtered !== null && !page.scenes.some(isNamed);
      if (isBeyondFilter) filtered = null;
      await open(isBeyondFilter ? await api.searchScenes({ datasets: all }) : page);
    },
    close() {
      searches++;
      page = null;
      shown = null;
      void followLegend(null);
      map.showFootprints([]);
    },
    redraw: draw,
    missBands(failure, url) {
      // Tiles of the choice before this one may still be failing.
      if (shown === null || !isTileOf(toOwnAddress(templateNow(shown), toHome(location.href)), url)) return;
      const { sensor, viewId } = shown;
      missing.add(viewId, bandsNow(shown));
      const other = planOther(sensor, missing.of(viewId));
      if (other === null || isChosen) {
        showChoice(shown);
        const action = other && { label: `Show ${other.title}`, run: () => choose(other.bands) };
        notices.showError(failure.message, action ?? undefined);
      } else {
        remember({ bands: other.bands });
        draw();
        notices.showDone(`${describeMissing(sensor, missing.of(viewId))} ${other.title} is shown instead.`);
      }
    },
  };
};
