/** What the parts of the account share: its words, and the state of their requests. */
import { useSignal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { englishAccount } from '../../texts/en-account.ts';
import type { TextsOf } from '../../texts/messages.ts';

/** As `loadLaterTexts` makes them. */
export type AccountTexts = TextsOf<typeof englishAccount>;

export const AccountWords = createContext<AccountTexts | null>(null);

/** The words, for parts inside the section. */
export const useWords = (): AccountTexts => {
  const words = useContext(AccountWords);
  if (words === null) throw new Error('outside the account');
  return words;
};

/** What a section shows of its work. */
export interface Work {
  readonly isBusy: boolean;
  readonly failure: string | null;
  run(work: () => Promise<void>): void;
}

/** Keeps the state of the work of a section. */
export const useWork = (): Work => {
  const isBusy = useSignal(false);
  const failure = useSignal<string | null>(null);
  return {
    isBusy: isBusy.value,
    failure: failure.value,
    run(work) {
      isBusy.value = true;
      failure.value = null;
      void work()
        .catch((error: unknown) => {
          failure.value = error instanceof Error ? error.message : String(error);
        })
        .finally(() => {
          isBusy.value = false;
        });
    },
  };
};
