/** What actions are made of. */
import type { Api } from '../api/api.ts';
import type { KeyStore } from '../state/key-store.ts';
import type { ShapeStore } from '../state/shape-store.ts';
import type { Store } from '../state/store.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import type { Texts } from '../texts/en.ts';

/** The parts. */
export interface ActionParts {
  readonly store: Store<ViewerState>;
  readonly api: Api;
  readonly keys: KeyStore;
  readonly shapes: ShapeStore;
  readonly texts: Texts;
  /** A phone, which has room for a panel or for the chart of a series. */
  readonly isNarrow: () => boolean;
  /** Waits; a test does not. */
  readonly sleep: (ms: number) => Promise<void>;
}
