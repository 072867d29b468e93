/** The viewer at work: which scene and bands are shown, kept the same in the list, the controls, the map and the address. */
import type { Api } from './api.ts';
import type { BandPicker } from './band-picker.ts';
import { makeBandPicker } from './band-picker.ts';
import { COMPOSITIONS } from './bands.ts';
import { toBox } from './footprint.ts';
import type { HashState, MapView } from './hash-state.ts';
import { parseHash, toHash } from './hash-state.ts';
import type { SceneMap } from './map.ts';
import type { Notices } from './notices.ts';
import type { Scene, ScenePage } from './scene.ts';
import { planPick } from './scene.ts';
import type { SceneList } from './scene-list.ts';
import { makeSceneList } from './scene-list.ts';
import { fillBands } from './tile-template.ts';

interface ViewerParts {
  readonly api: Api;
  readonly map: SceneMap;
  readonly notices: Notices;
  /** Where the list and the controls go. */
  readonly host: HTMLElement;
  /** Other tiles are about to come: timings start anew. */
  onImagery(): void;
}

/** The events of the map and the page that concern the viewer once it has scenes. */
export interface Viewer {
  /** Shows a page of scenes and, of them, the one the address names or the newest. */
  open(page: ScenePage): Promise<void>;
  pick(sceneIds: readonly string[]): void;
  rememberView(view: MapView): void;
  /** Somebody edited the address by hand: does what it says now. */
  followAddress(): Promise<void>;
  /** Takes the scenes off the map, for example because their key was taken back. */
  close(): void;
  /** Asks for the tiles that failed again. */
  redraw(): void;
}

/** Ties the parts together. */
export const makeViewer = ({ api, map, notices, host, onImagery }: ViewerParts): Viewer => {
  let lastPage: ScenePage | null = null;
  let scenes: readonly Scene[] = [];
  let shown: Scene | null = null;
  let list: SceneList | null = null;
  let state: HashState = parseHash(location.hash);
  const bandsNow = (): string => state.bands ?? COMPOSITIONS[0].bands;

  const remember = (change: Partial<HashState>): void => {
    state = { ...state, ...change };
    // Replaced, not pushed: the back button leaves the page instead of walking through every drag of the map.
    history.replaceState(null, '', toHash(state) || location.pathname);
  };

  const draw = (): void => {
    if (shown === null) return;
    notices.clear();
    onImagery();
    picker.show(bandsNow());
    map.showImagery(shown, bandsNow());
  };

  const picker: BandPicker = makeBandPicker({
    onBands(bands) {
      remember({ bands });
      draw();
    },
    onOpacity: (opacity) => map.setOpacity(opacity),
    async onCopy() {
      if (shown === null) return;
      const template = fillBands(shown.tms, bandsNow());
      try {
        await navigator.clipboard.writeText(template);
        notices.showDone('Tile URL copied. It holds no key: add ?api_key=… where you use it.');
      } catch {
        // The clipboard needs https or localhost and the person's leave; the address itself still helps.
        notices.showError(`The browser did not allow copying. The tile URL is ${template}`);
      }
    },
  });

  const select = (sceneId: string, fit: 'animated' | 'at-once' | 'stay'): void => {
    const scene = scenes.find(({ id }) => id === sceneId);
    if (scene === undefined) return;
    shown = scene;
    list?.select(scene.id);
    remember({ sceneId: scene.id, bands: bandsNow() });
    if (fit !== 'stay') map.fitTo(toBox(scene.outline), fit === 'animated');
    draw();
  };

  /** The scene of a shared address may be older than the page of newest ones: it is looked up by its id. */
  const withLinkedScene = async (page: ScenePage): Promise<ScenePage> => {
    const { sceneId } = state;
    if (sceneId === null || page.scenes.some(({ id }) => id === sceneId)) return page;
    const [linked] = (await api.searchScenes(sceneId)).scenes;
    if (linked !== undefined) return { ...page, scenes: [...page.scenes, linked] };
    notices.showError(
      `The scene ${sceneId} of this address is not in the catalogue. The newest one is shown.`,
    );
    return page;
  };

  const open = async (given: ScenePage): Promise<void> => {
    const page = await withLinkedScene(given);
    lastPage = page;
    scenes = page.scenes;
    list = makeSceneList(page, (sceneId) => select(sceneId, 'animated'));
    host.replaceChildren(list.element, picker.element);
    map.showFootprints(scenes);
    const first = scenes.find(({ id }) => id === state.sceneId) ?? scenes[0];
    if (first !== undefined) select(first.id, state.view === null ? 'at-once' : 'stay');
  };

  return {
    open,
    pick(sceneIds) {
      const sceneId = planPick(sceneIds, shown?.id ?? null);
      if (sceneId !== null && sceneId !== shown?.id) select(sceneId, 'animated');
    },
    rememberView(view) {
      // Before there are scenes nobody has chosen a view: the map only followed the size of its frame.
      if (shown !== null) remember({ view });
    },
    async followAddress() {
      state = parseHash(location.hash);
      if (state.view !== null) map.moveTo(state.view);
      if (lastPage !== null) await open(lastPage);
    },
    close() {
      lastPage = null;
      shown = null;
      map.showFootprints([]);
    },
    redraw: draw,
  };
};
