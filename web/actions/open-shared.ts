/** Opens a map that was shared by a link, without a key. */
import { toFailure } from '../api/failure.ts';
import { parseLegend } from '../api/legend.ts';
import { parseJson } from '../api/requests.ts';
import { NO_ABOUT, parseAbout } from '../scenes/about.ts';
import { asRecord } from '../scenes/read-json.ts';
import type { SharedMap } from '../shared/shared-map.ts';
import { parseSharedMap } from '../shared/shared-map.ts';
import type { Phase } from '../state/viewer-state.ts';
import type { ActionParts } from './action-parts.ts';
import { toFailureOf } from './report.ts';

/** What is done with links and with what the operator says. */
export interface SharedActions {
  /** Shows the map of a token, read-only. */
  openShared(token: string): Promise<void>;
  /** Learns whom to ask, whether guests may read, and the base map. */
  learnAbout(): Promise<void>;
  /** Learns whether somebody has signed in; ends what is left of a session that is over. */
  learnSession(): Promise<void>;
}

/** Builds them. */
export const makeSharedActions = ({ store, api, texts }: ActionParts): SharedActions => {
  const setPhase = (phase: Phase): void => store.update((state) => ({ ...state, phase }));
  /** Without a key, even if the browser has one: what the link shows is what everyone sees. */
  const read = async (path: string): Promise<unknown> => {
    const response = await api.send(path, { headers: { 'x-api-key': '' } });
    const text = await response.text();
    if (!response.ok) throw toFailure(response.status, text);
    return parseJson(text);
  };
  const readLegend = async ({ token }: SharedMap): Promise<void> => {
    // A picture of three channels has none; a map without a legend is still a map.
    const legend = parseLegend(await read(`api/public/${token}/legend`).catch(() => null), texts);
    store.update((state) =>
      state.phase.kind === 'shared' ? { ...state, phase: { ...state.phase, legend } } : state,
    );
  };
  return {
    async openShared(token) {
      setPhase({ kind: 'loading' });
      try {
        const map = parseSharedMap(await read(`api/public/${token}/tilejson.json`), token);
        if (map === null) return setPhase({ kind: 'not-shared', text: texts.failures.unknownForm });
        store.update((state) => ({
          ...state,
          phase: { kind: 'shared', map, legend: null },
          goal: state.view === null ? { kind: 'box', box: map.bounds, isAnimated: false } : state.goal,
        }));
        await readLegend(map);
      } catch (error) {
        setPhase({ kind: 'not-shared', text: toFailureOf(error).message });
      }
    },
    async learnAbout() {
      const about = await read('api/about').then(parseAbout, () => NO_ABOUT);
      store.update((state) => ({ ...state, about }));
    },
    async learnSession() {
      const response = await api.send('api/account', { cache: 'no-store' });
      // Guests are not let in with the cookie of a session that has ended.
      if (response.status === 401) await api.send('auth/sign-out', { method: 'POST' });
      // Guests get an answer too, but have no account.
      const { person } = asRecord(response.ok ? parseJson(await response.text()) : null);
      store.update((state) => ({ ...state, isSignedIn: person != null }));
    },
  };
};
