/** The viewer's start: takes the key, waits for the server, loads the scenes and hands over to the viewer. */
import { makeApi } from './api/api.ts';
import { Failure, isBandMissing, isKeyRefused } from './api/failure.ts';
import { makeFollowLegend } from './api/follow-legend.ts';
import { makeSceneMap } from './map/map.ts';
import { watchRenderTiming } from './map/render-timing.ts';
import { byId, el } from './panels/dom.ts';
import { makeKeyForm } from './panels/key-form.ts';
import { makeLegendBox } from './panels/legend-box.ts';
import type { NoticeAction } from './panels/notices.ts';
import { makeNotices } from './panels/notices.ts';
import { makeEmpty, makeFailure, makeLoading, makeWaiting } from './panels/panel-states.ts';
import { formatPosition, formatTimings } from './panels/readout-text.ts';
import { parseHash } from './state/hash-state.ts';
import { makeKeyStore } from './state/key-store.ts';
import type { Viewer } from './viewer.ts';
import { makeViewer } from './viewer.ts';

/** Interval between requests to a server that is not ready yet. */
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
    else panel.replaceChildren(makeFailure(failure.message, () => void load()));
  }
};

/** Reports a failure while there are scenes; `action` is what may help, if not another key. */
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
    onPosition: (position) => {
      byId('position').textContent = formatPosition(position);
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
