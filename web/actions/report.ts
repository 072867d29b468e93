/** Telling the user: failures and confirmations. */
import { Failure, isKeyRefused } from '../api/failure.ts';
import { toComparisonAddress } from '../state/comparison.ts';
import { NO_RESULTS } from '../state/search-state.ts';
import type { Notice, ViewerState } from '../state/viewer-state.ts';
import type { ActionParts } from './action-parts.ts';

/** More than this would cover the map; the oldest makes room. */
const MAX_SHOWN = 3;

/** Whatever was thrown, as a failure with a sentence. */
export const toFailureOf = (error: unknown): Failure =>
  error instanceof Failure ? error : new Failure(0, error instanceof Error ? error.message : String(error));

/** Messages, and what becomes of a refused key. */
export interface Report {
  showError(text: string, action?: Notice['action']): void;
  showDone(text: string): void;
  /** Says that the server is away, until it is back. */
  setOutage(isOut: boolean): void;
  dismiss(id: number): void;
  /** Takes off what was said of an earlier deed. */
  clear(): void;
  /** A failed request: a message, or the form for a key if only another key helps. */
  fail(error: unknown, action?: Notice['action']): void;
  /** Asks for a key and takes the scenes off the map. */
  askForKey(refusal: string | null): void;
}

/** Builds it. */
export const makeReport = ({ store, texts }: ActionParts): Report => {
  let lastId = 0;
  /** The server is away: this message stays, whatever the user does meanwhile. */
  let isOut = false;
  const isLasting = ({ text }: Notice): boolean => isOut && text === texts.failures.away;
  const show = (kind: Notice['kind'], text: string, action: Notice['action']): void => {
    const notice: Notice = { id: ++lastId, kind, text, action };
    store.update((state) => {
      // Twenty tiles that fail alike are one message.
      if (state.notices.some((shown) => shown.text === text)) return state;
      const notices = [...state.notices, notice];
      const leaves = notices.length > MAX_SHOWN ? notices.find((shown) => !isLasting(shown)) : null;
      return { ...state, notices: notices.filter((shown) => shown !== leaves) };
    });
  };
  const askForKey = (refusal: string | null): void =>
    store.update((state): ViewerState => {
      // Many tiles are refused at once: the first shows the form, which may be typed into when the last arrives.
      if (state.phase.kind === 'needs-key' && refusal !== null) return state;
      return {
        ...state,
        phase: { kind: 'needs-key', refusal },
        results: NO_RESULTS,
        shown: null,
        wanted:
          state.shown === null || state.clearView !== null
            ? state.wanted
            : { sceneId: state.shown.id, dataset: state.shown.sensor.dataset },
        probe: null,
        notices: [],
        // Files of the key that was refused are not those of the next one.
        downloads: { ...state.downloads, tasks: null, next: null, failure: null },
        comparison: null,
        wantedComparison: state.wantedComparison ?? toComparisonAddress(state.comparison),
      };
    });
  return {
    showError: (text, action = null) => show('error', text, action),
    showDone: (text) => show('done', text, null),
    setOutage(isOutNow) {
      isOut = isOutNow;
      if (isOut) return show('error', texts.failures.away, null);
      store.update((state) => ({
        ...state,
        notices: state.notices.filter(({ text }) => text !== texts.failures.away),
      }));
    },
    dismiss: (id) =>
      store.update((state) => ({ ...state, notices: state.notices.filter((notice) => notice.id !== id) })),
    clear: () =>
      store.update((state) =>
        state.notices.every(isLasting) ? state : { ...state, notices: state.notices.filter(isLasting) },
      ),
    fail(error, action = null) {
      const failure = toFailureOf(error);
      if (isKeyRefused(failure)) askForKey(failure.message);
      else show('error', failure.message, action);
    },
    askForKey,
  };
};
