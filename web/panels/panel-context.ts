/** What every panel is made of. */
import type { ReadonlySignal } from '@preact/signals';
import type { Actions } from '../actions/actions.ts';
import type { Api } from '../api/api.ts';
import type { Patience } from '../api/patience.ts';
import type { SceneMap } from '../map/map.ts';
import type { Preferences } from '../state/preferences.ts';
import type { Store } from '../state/store.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import type { Texts } from '../texts/en.ts';

/** The state to follow, the things a user can do, and the words for them. */
export interface PanelContext {
  readonly store: Store<ViewerState>;
  /** The same state for components: `usePart` of `kit/panel.tsx` takes a part of it. */
  readonly state: ReadonlySignal<ViewerState>;
  readonly actions: Actions;
  /** For what only one panel shows and no one has to remember: thumbnails, checks of what is typed. */
  readonly api: Api;
  /** For requests that a part of the page makes by itself. */
  readonly patience: Patience;
  /** The map, once it is there; it never comes when the browser cannot draw it. */
  readonly map: Promise<SceneMap>;
  readonly texts: Texts;
  readonly preferences: Preferences;
  /** Stores other preferences and makes the page follow them. */
  readonly setPreferences: (preferences: Preferences) => void;
}
