/** The viewer's start: takes the key, waits for the server, loads the scenes and hands over to the viewer. */
import { makeApi } from './api.ts';
import { byId, el } from './dom.ts';
import { Failure, isBandMissing, isKeyRefused } from './failure.ts';
import { makeFollowLegend } from './follow-legend.ts';
import { parseHash } from './hash-state.ts';
import { makeKeyForm } from './key-form.ts';
import { makeKeyStore } from './key-store.ts';
import { makeLegendBox } from './legend-box.ts';
import { makeSceneMap } from './map.ts';
import type { NoticeAction } from './notices.ts';
import { makeNotices } from './notices.ts';
import { makeEmpty, makeLoading, makeTrouble, makeWaiting } from './panel-states.ts';
import { formatPosition, formatTimings } from './readout-text.ts';
import { watchRenderTiming } from './render-timing.ts';
import type { Viewer } from './viewer.ts';
import { makeViewer } from './viewer.ts';

/** How often a server that is not ready yet is asked again. */
const POLL_MS = 1000;

const panel = byId('panel-body');
const mapHost = byId('map');
const keys = makeKeyStore();
const api = makeApi(keys.readKey, SENSORS);
const notices = makeNotices(byId('notices'));
const timing = watchRenderTiming((durationsMs) => {
  byId('timing').textContent = formatTimings(durationsMs);
});

const toFailureOf = (error: unknown): Failure =>
  error instanceof Failure ? error : new Failure(0, error instanceof Error ? error.message : String(error));

/** Counts starts, so that one that was overtaken (by another key, or by a refused tile) can tell and stop. */
let attempts = 0;

const askForKey = (refusal: string | null): void => {
  attempts++;
  notices.clear();
  byId('forget-key').hidden = true;
  panel.replaceChildren(
    makeKeyForm(refusal, (key) => {
      keys.setKey(key);
      void load();
    }),
  );
};

const waitUntilReady = async (isOvertaken: () => boolean): Promise<void> => {
  while (!isOvertaken()) {
    const readiness = await api.readReadiness().catch((error: unknown) => {
      return { isReady: false as const, waiting: toFailureOf(error).message };
    });
    if (readiness.isReady || isOvertaken()) return;
    panel.replaceChildren(makeWaiting(readiness.waiting));
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
};

const load = async (): Promise<void> => {
  if (keys.readKey() === null) return askForKey(null);
  const attempt = ++attempts;
  const isOvertaken = (): boolean => attempt !== attempts;
  byId('forget-key').hidden = false;
  panel.replaceChildren(makeLoading());
  await waitUntilReady(isOvertaken);
  try {
    const [page, { open }] = await Promise.all([
      api.searchScenes({ datasets: SENSORS.map(({ dataset }) => dataset) }),
      viewer,
    ]);
    if (isOvertaken()) return;
    if (page.scenes.length === 0) panel.replaceChildren(makeEmpty());
    else await open(page);
    if (page.unreadable > 0) notices.showError(`${page.unreadable} scenes of the answer could not be read.`);
  } catch (error) {
    if (isOvertaken()) return;
    const failure = toFailureOf(error);
    if (isKeyRefused(failure)) askForKey(failure.message);
    else panel.replaceChildren(makeTrouble(failure.message, () => void load()));
  }
};

/** Trouble while there are scenes; `action` is what may help, if not another key. */
const report = (error: unknown, action?: NoticeAction): void => {
  const failure = toFailureOf(error);
  if (!isKeyRefused(failure)) {
    notices.showError(failure.message, action);
  } else if (panel.querySelector('.key-form') === null) {
    // Many tiles are refused at once: the first shows the form, which may be typed into when the last arrives.
    askForKey(failure.message);
  }
};

const startViewer = async (): Promise<Viewer> => {
  let made: Viewer | null = null;
  const map = await makeSceneMap({
    container: mapHost,
    readKey: keys.readKey,
    view: parseHash(location.hash).view,
    onPick: (viewIds) => made?.pick(viewIds),
    onView: (view) => made?.rememberView(view),
    onPlace: (place) => {
      byId('position').textContent = formatPosition(place);
    },
    onFailure: (failure, url) => {
      if (isBandMissing(failure)) made?.missBands(failure, url);
      else report(failure, { label: 'Try again', run: () => made?.redraw() });
    },
  }).catch((error: unknown) => {
    console.error(error);
    const text = 'This browser cannot draw the map: it needs WebGL 2, which is missing or switched off.';
    mapHost.replaceChildren(el('p', { class: 'no-map' }, text));
    throw new Failure(0, text);
  });
  made = makeViewer({
    sensors: SENSORS,
    api,
    map,
    notices,
    followLegend: makeFollowLegend(makeLegendBox(byId('legend')), api),
    host: panel,
    onImagery: timing.reset,
    onError: report,
  });
  return made;
};

const viewer = startViewer();
byId('forget-key').addEventListener('click', () => {
  keys.forgetKey();
  askForKey(null);
  viewer.then(({ close }) => close(), console.error);
});
addEventListener('hashchange', () => {
  viewer.then(({ followAddress }) => followAddress()).catch((error: unknown) => report(error));
});
void load();
