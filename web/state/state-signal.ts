/** The bridge from the store to Preact: components read the state as a signal, everything else watches the store. */
import type { ReadonlySignal } from '@preact/signals';
import { signal } from '@preact/signals';
import type { Store } from './store.ts';

/** A signal that always holds the state of `store`. Only the store changes it. */
export const toStateSignal = <State>(store: Store<State>): ReadonlySignal<State> => {
  const state = signal(store.read());
  store.watch(
    (whole) => whole,
    (whole) => {
      state.value = whole;
    },
  );
  return state;
};
