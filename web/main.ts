/** The viewer's start: takes the key, waits for the server, loads the scenes and hands over to the viewer. */
import { makeApi } from './api.ts';
import { byId, el } from './dom.ts';
import { Failure, isKeyRefused } from './failure.ts';
import { parseHash } from './hash-state.ts';
import { makeKeyForm } from './key-form.ts';
import { makeKeyStore } from './key-store.ts';
import { makeSceneMap } from './map.ts';
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
const api = makeApi(keys.readKey);
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
    const [page, { open }] = await Promise.all([api.searchScenes(), viewer]);
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

const startViewer = async (): Promise<Viewer> => {
  let made: Viewer | null = null;
  const map = await makeSceneMap({
    container: mapHost,
    readKey: keys.readKey,
    view: parseHash(location.hash).view,
    onPick: (sceneIds) => made?.pick(sceneIds),
    onView: (view) => made?.rememberView(view),
    onPlace: (place) => {
      byId('position').textContent = formatPosition(place);
    },
    onFailure: (failure) => {
      if (!isKeyRefused(failure)) {
        notices.showError(failure.message, { label: 'Try again', run: () => made?.redraw() });
      } else if (panel.querySelector('.key-form') === null) {
        // Many tiles are refused at once: the first shows the form, which may be typed into when the last arrives.
        askForKey(failure.message);
      }
    },
  }).catch((error: unknown) => {
    console.error(error);
    const text = 'This browser cannot draw the map: it needs WebGL 2, which is missing or switched off.';
    mapHost.replaceChildren(el('p', { class: 'no-map' }, text));
    throw new Failure(0, text);
  });
  made = makeViewer({ api, map, notices, host: panel, onImagery: timing.reset });
  return made;
};

const viewer = startViewer();
byId('forget-key').addEventListener('click', () => {
  keys.forgetKey();
  askForKey(null);
  viewer.then(({ close }) => close(), console.error);
});
addEventListener('hashchange', () => {
  viewer
    .then(({ followAddress }) => followAddress())
    .catch((error: unknown) => notices.showError(toFailureOf(error).message));
});
void load();
