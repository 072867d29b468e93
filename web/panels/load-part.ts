/** Code that is loaded when it is first needed, and may fail to come: the network, or a newer version of the service. */
import type { Notice } from '../state/viewer-state.ts';
import type { Texts } from '../texts/en.ts';

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
  /** Makes the page anew. */
  reload(): void;
}

/**
 * Starts loading, and offers another attempt after a failure. If that fails too, it offers to load the page again: browsers
 * may remember that an address of a script failed, and a newer version of the service has other addresses.
 */
export const loadPart = ({ load, onFailure, texts, reload }: PartLoading): void => {
  const attempt = (isSecond: boolean): void => {
    load().catch((error: unknown) => {
      console.error(error);
      const action = isSecond
        ? { label: texts.frame.reloadPage, run: reload }
        : { label: texts.frame.tryAgain, run: () => attempt(true) };
      onFailure({ text: texts.frame.partFailed, action });
    });
  };
  attempt(false);
};
