/** The viewer's start: joins state, actions, map and panels. */
import { makeActions } from './actions/actions.ts';
import { watchGrowth } from './actions/watch-growth.ts';
import { makeApi } from './api/api.ts';
import { isBandMissing } from './api/failure.ts';
import { makePatience } from './api/patience.ts';
import { early, keys } from './first-requests.ts';
import { followRelief } from './map/follow-relief.ts';
import { followState } from './map/follow-state.ts';
import { followTerrain } from './map/follow-terrain.ts';
import type { SceneMap } from './map/map.ts';
import { makeSceneMap } from './map/map.ts';
import { isDarkPage, watchDarkPage } from './map/page-theme.ts';
import { watchRenderTiming } from './map/render-timing.ts';
import { makeDock } from './panels/dock.ts';
import { listenToDrops } from './panels/file-drop.ts';
import { mountFrame } from './panels/frame.tsx';
import { mount } from './panels/kit/panel.tsx';
import { LegendStrip } from './panels/legend-strip.tsx';
import { loadWhen } from './panels/load-part.ts';
import { MapNote, NoMap } from './panels/map-note.tsx';
import { isNarrow } from './panels/narrow.ts';
import { Notices } from './panels/notices.tsx';
import { byId } from './panels/page.ts';
import type { PanelContext } from './panels/panel-context.ts';
import { formatPosition, formatTimings } from './panels/readout-text.ts';
import { listenToShortcuts } from './panels/shortcuts.ts';
import { TimeBar } from './panels/time-bar.tsx';
import { makeValuesCard } from './panels/values/values-card.tsx';
import { whenVisible } from './panels/when-visible.ts';
import { PlaceSearch } from './places/place-search.tsx';
import { toHome } from './scenes/tile-template.ts';
import { readSharedToken } from './shared/shared-map.ts';
import { parseAddress } from './state/address.ts';
import { startAddressBar } from './state/address-bar.ts';
import { readOwnColormaps } from './state/colormap-storage.ts';
import { toFirstState } from './state/first-state.ts';
import type { Preferences } from './state/preferences.ts';
import { readPreferences, storePreferences } from './state/preferences.ts';
import { makeShapeStore } from './state/shape-store.ts';
import { toStateSignal } from './state/state-signal.ts';
import { makeStore } from './state/store.ts';
import { loadTexts, planLanguage } from './texts/choose-texts.ts';

const preferences = readPreferences();
const language = planLanguage(preferences.language, navigator.languages);
const texts = await loadTexts(language);
document.documentElement.lang = language;
document.documentElement.dataset.theme = preferences.theme;
byId('rail').setAttribute('aria-label', texts.frame.rail);
byId('map').setAttribute('aria-label', texts.frame.map);
byId('legend').setAttribute('aria-label', texts.frame.legend);
byId('notices').setAttribute('aria-label', texts.frame.messages);
byId('time-bar').setAttribute('aria-label', texts.clear.bar);
byId('map-note').setAttribute('aria-label', texts.clear.note);

const address = parseAddress(location.hash);
const shapes = makeShapeStore(() => sessionStorage);
const addressArea =
  address.area === 'stored' ? shapes.readArea() : address.area && { outline: address.area, name: null };
const addressLine =
  address.line === 'stored' ? shapes.readLine() : address.line && { positions: address.line, name: null };
const store = makeStore(
  toFirstState(address, {
    isNarrow: isNarrow(),
    area: addressArea,
    line: addressLine,
    ownColormaps: readOwnColormaps(),
  }),
);
const patience = makePatience({
  readReadiness: () => api.readReadiness(),
  onOutage: (isOut) => actions.report.setOutage(isOut),
});
const api = makeApi({ readKey: keys.readKey, texts, fetch: early.fetch, patience });
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const actions = makeActions({ store, api, keys, shapes, texts, isNarrow, sleep });

/** The page is made anew for other words and units: its whole state is in the address. */
const setPreferences = (next: Preferences): void => {
  storePreferences(next);
  location.reload();
};
const mapReady = Promise.withResolvers<SceneMap>();
const context: PanelContext = {
  store,
  state: toStateSignal(store),
  actions,
  api,
  patience,
  map: mapReady.promise,
  texts,
  preferences,
  setPreferences,
};
const timing = watchRenderTiming((durationsMs) => {
  if (preferences.hasTimings) byId('timing').textContent = formatTimings(durationsMs, texts);
});

mountFrame(context, { rail: byId('rail-buttons'), panel: byId('panel') });
mount(byId('notices'), Notices, context);
mount(byId('legend'), LegendStrip, context);
makeValuesCard(byId('values'), context);
mount(byId('place'), PlaceSearch, context);
mount(byId('time-bar'), TimeBar, context);
mount(byId('map-note'), MapNote, context);
makeDock(byId('dock'), context);
listenToShortcuts(context);
listenToDrops(context);
startAddressBar({
  store,
  location,
  history: {
    pushState: (...entry) => history.pushState(...entry),
    replaceState: (...entry) => history.replaceState(...entry),
  },
  // Edits of the address and the back button alike; `pushState` causes neither.
  onChange: (listener) => addEventListener('popstate', listener),
  follow: (brought) => void actions.followAddress(brought),
});

const startMap = async (): Promise<void> => {
  const map = await makeSceneMap({
    container: byId('map'),
    readKey: keys.readKey,
    patience,
    view: address.view,
    units: preferences.units,
    isDark: isDarkPage(preferences),
    labels: texts.mapControls,
    onClick: actions.clickMap,
    // Under a tool the pointer is about shapes.
    onHover: (viewId) => actions.hoverScene(store.read().drawing.tool === null ? viewId : null),
    onView: actions.rememberView,
    onPosition: (position) => {
      byId('position').textContent = formatPosition(position, texts);
    },
    onFailure: (failure, url) => {
      if (failure.code === 'too-many-scenes') actions.noteTooWide();
      else if (isBandMissing(failure) && store.read().comparison === null)
        actions.missBands(failure, url, toHome(location.href));
      else actions.report.fail(failure, { label: texts.frame.tryAgain, run: actions.redraw });
    },
  });
  watchDarkPage(preferences, map.setDark);
  followState(store, map, timing.reset);
  const failAgain = (error: unknown): void =>
    actions.report.fail(error, { label: texts.frame.tryAgain, run: actions.redraw });
  const ground = { store, map, readTiles: api.readTerrainTiles, onFailure: failAgain };
  followTerrain(ground);
  followRelief({ ...ground, onCamera: actions.rememberCamera });
  mapReady.resolve(map);
};
// Comparison and film are loaded when they are first used; from then on they follow the state.
loadWhen(
  context,
  ({ comparison }) => comparison !== null,
  async () => (await import('./comparison/comparison-view.ts')).makeComparisonView(context),
);
loadWhen(
  context,
  ({ phase, animation }) => phase.kind === 'ready' && animation !== null,
  async () => (await import('./animation/player.ts')).makePlayer(context),
);

startMap().catch((error: unknown) => {
  console.error(error);
  mount(byId('map'), NoMap, context);
});
store.watch(
  ({ picture, shown }) => (shown === null ? null : picture.colormap),
  (colormap) => void actions.learnColormap(colormap),
);
void watchGrowth({
  store,
  refreshList: actions.refreshList,
  start: actions.start,
  onGrowth: actions.offerDatasets,
  sleep,
  whenVisible,
  // The page watches as long as it is there.
  signal: new AbortController().signal,
});
const sharedToken = readSharedToken(location.hash);
document.documentElement.classList.toggle('is-shared', sharedToken !== null);
// A start without a key learns it by itself.
if (sharedToken !== null || keys.readKey() !== null) void actions.learnAbout();
void (sharedToken === null ? actions.start() : actions.openShared(sharedToken)).then(() => {
  if (address.area === 'stored' && addressArea === null) actions.report.showError(texts.area.lost);
  if (address.line === 'stored' && addressLine === null) actions.report.showError(texts.area.lineLost);
});
