/** Parts of the page whose code is loaded when the state first asks for them. */
import type { ViewerState } from '../state/viewer-state.ts';
import { loadPart } from './load-part.ts';
import type { PanelContext } from './panel-context.ts';

/** Loads once, as soon as the state says so; from then on the part follows the state by itself. A failure is told, and tried again when the user says so or the state asks for it the next time. */
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
      reload: () => location.reload(),
    });
  });
};
