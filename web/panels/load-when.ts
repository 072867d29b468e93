/** Parts of the page whose code is loaded when the state first asks for them. */
import type { ViewerState } from '../state/viewer-state.ts';
import type { PanelContext } from './panel-context.ts';

/** Loads once, as soon as the state says so; from then on the part follows the state by itself. A failure is tried again the next time. */
export const loadWhen = (
  { store, actions }: PanelContext,
  isOn: (state: ViewerState) => boolean,
  load: () => Promise<void>,
): void => {
  let isStarted = false;
  store.watch(isOn, (isNowOn) => {
    if (!isNowOn || isStarted) return;
    isStarted = true;
    load().catch((error: unknown) => {
      isStarted = false;
      actions.report.fail(error);
    });
  });
};
