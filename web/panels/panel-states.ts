/** What the side panel shows when there is no list: waiting, an empty catalog, or a failure. */
import { el } from './dom.ts';

/** The server is busy with something first; `waiting` is its own wording, for example "the first demo scene". */
export const makeWaiting = (waiting: string): HTMLElement => {
  const percent = /(\d{1,3}(?:\.\d+)?)\s*%/.exec(waiting)?.[1];
  const progress = el('progress', { max: '100', 'aria-label': 'Preparing' });
  if (percent !== undefined) progress.value = Number(percent);
  return el(
    'div',
    { class: 'state', id: 'waiting' },
    el('h2', {}, 'Getting ready'),
    progress,
    el('p', { class: 'muted' }, waiting),
  );
};

/** The search is on its way. */
export const makeLoading = (): HTMLElement =>
  el('div', { class: 'state' }, el('p', { class: 'muted' }, 'Loading scenes…'));

/** The catalogue is empty. */
export const makeEmpty = (): HTMLElement =>
  el(
    'div',
    { class: 'state' },
    el('h2', {}, 'No scenes yet'),
    el('p', { class: 'muted' }, 'Add some with ', el('code', {}, 'swath ingest'), ' and reload this page.'),
  );

/** Something went wrong before there was a list. */
export const makeFailure = (text: string, onRetry: () => void): HTMLElement => {
  const retry = el('button', { type: 'button', class: 'primary' }, 'Try again');
  retry.addEventListener('click', onRetry);
  return el(
    'div',
    { class: 'state' },
    el('h2', {}, 'That did not work'),
    el('p', { role: 'alert' }, text),
    retry,
  );
};
