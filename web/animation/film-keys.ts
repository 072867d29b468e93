/** Keys of the film: space plays and pauses, arrows step through the dates. */
import type { PanelContext } from '../panels/panel-context.ts';

/** What takes these keys itself: controls, and the map, which arrows move. */
const OWN_KEYS =
  'input, select, textarea, button, summary, a, dialog, canvas, [role="slider"], [contenteditable]';

/** Starts listening; without a film the keys do nothing. */
export const listenToFilmKeys = ({ store, actions }: PanelContext, step: (by: 1 | -1) => void): void => {
  addEventListener('keydown', (event) => {
    const { animation } = store.read();
    if (animation === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest(OWN_KEYS) !== null) return;
    if (event.key === ' ') actions.changeAnimation({ isPlaying: !animation.isPlaying });
    else if (event.key === 'ArrowRight') step(1);
    else if (event.key === 'ArrowLeft') step(-1);
    else return;
    event.preventDefault();
  });
};
