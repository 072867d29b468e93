/** Code that is loaded when it is first needed, and may fail to come: the network, or a newer version of the service. */
import type { Notice, ViewerState } from '../state/viewer-state.ts';
import type { Texts } from '../texts/en.ts';
import type { PanelContext } from './panel-context.ts';

/** Why a part of the page is not there, and what can be done about it. */
export interface PartFailure {
  readonly text: string;
  readonly action: NonNullable<Notice['action']>;
}

interface PartLoading {
  /** Loads the part and uses it. */
  load(): Promise<void>;
  onFailure(failure: PartFailure): void;
  readonly texts: Texts;
}

/**
 * Starts loading, and offers another attempt after a failure. If that fails too, it offers to load the page again: browsers
 * may remember that an address of a script failed, and a newer version of the service has other addresses.
 */
export const loadPart = ({ load, onFailure, texts }: PartLoading): void => {
  const attempt = (isSecond: boolean): void => {
    load().catch((error: unknown) => {
      console.error(error);
      const action = isSecond
        ? { label: texts.frame.reloadPage, run: () => location.reload() }
        : { label: texts.frame.tryAgain, run: () => attempt(true) };
      onFailure({ text: texts.frame.partFailed, action });
    });
  };
  attempt(false);
};

/**
 * Loads a part once, as soon as the state asks for it; from then on the part follows the state by itself. A failure is
 * reported, and tried again when the user says so or the state asks for the part the next time.
 */
export const loadWhen = (
  { store, actions, texts }: PanelContext,
  isOn: (state: ViewerState) => boolean,
  load: () => Promise<void>,
): void => {
  let isStarted = false;
  store.watch(isOn, (isNowOn) => {
    if (!isNowOn || isStarted) return;
    loadPart({
      async load() {
        if (isStarted) return;
        isStarted = true;
        await load();
      },
      onFailure({ text, action }) {
        isStarted = false;
        const run = (): void => {
          actions.report.clear();
          action.run();
        };
        actions.report.showError(text, { ...action, run });
      },
      texts,
    });
  });
};
