/** Writes the state into the address bar as it changes, and reads it back when the user goes back or edits it. */
import type { Address } from './address.ts';
import { parseAddress, toAddress } from './address.ts';
import { toAnimationAddress } from './animation.ts';
import { toComparisonAddress } from './comparison.ts';
import { sceneAlone } from './on-map.ts';
import type { Store } from './store.ts';
import type { ViewerState } from './viewer-state.ts';

type WriteEntry = (data: null, unused: '', url: string) => void;

/** The parts of the browser that it uses. */
interface Bar {
  readonly location: { readonly hash: string; readonly pathname: string };
  readonly history: { readonly pushState: WriteEntry; readonly replaceState: WriteEntry };
  /** Calls back when the address changed by itself. */
  onChange(listener: () => void): void;
}

interface AddressBarParts extends Bar {
  readonly store: Store<ViewerState>;
  /** Applies an address that the user brought. */
  follow(address: Address): void;
}

const addressOf = (state: ViewerState): Address => ({
  view: state.view,
  // What is looked for will be shown.
  sceneId: state.wanted?.sceneId ?? sceneAlone(state)?.id ?? null,
  dataset: state.wanted === null ? (sceneAlone(state)?.sensor.dataset ?? null) : state.wanted.dataset,
  clearView: state.clearView,
  picture: state.picture,
  opacity: state.opacity,
  query: state.query,
  panel: state.panel,
  terrain: state.terrain,
  area: state.area?.outline ?? null,
  line: state.drawing.line?.positions ?? null,
  comparison: state.wantedComparison ?? toComparisonAddress(state.comparison),
  animation: toAnimationAddress(state.animation),
  series: state.series.isOpen ? state.series.choice : null,
  seriesForm: state.series.form,
  zones: state.zones.isOn ? state.zones.choice : null,
});

/** The choices that the back button returns to; all others only replace the entry. */
const toStep = ({ sceneId, dataset, panel, comparison, animation }: Address): string =>
  [sceneId, dataset, panel ?? '', comparison?.mode, animation === null].join(' ');

/** Starts following; before the page is ready nothing is written. */
export const startAddressBar = ({ store, location, history, onChange, follow }: AddressBarParts): void => {
  let step: string | null = null;
  let isFollowing = false;
  const write = (state: ViewerState): void => {
    if (state.phase.kind !== 'ready' || isFollowing) return;
    const address = addressOf(state);
    const [hash, next] = [toAddress(address), toStep(address)];
    const isStep = step !== null && step !== next;
    step = next;
    if (hash === location.hash) return;
    if (isStep) history.pushState(null, '', hash || location.pathname);
    else history.replaceState(null, '', hash || location.pathname);
  };
  store.watch(
    (state) => (state.phase.kind === 'ready' ? toAddress(addressOf(state)) : null),
    (_, state) => write(state),
  );
  onChange(() => {
    isFollowing = true;
    try {
      const address = parseAddress(location.hash);
      step = toStep(address);
      follow(address);
    } finally {
      isFollowing = false;
    }
    // Parts that were ignored, or left out, are put right.
    const state = store.read();
    step = toStep(addressOf(state));
    write(state);
  });
};
