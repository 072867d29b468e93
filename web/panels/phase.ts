/** What the panel shows before there are scenes: a form for the key, waiting, an empty catalog, or a failure. */

import { makeNotShared, makeSharedCard } from '../shared/shared-card.tsx';
import type { Phase } from '../state/viewer-state.ts';
import { el } from './dom.ts';
import { makeKeyForm } from './key-form.tsx';
import type { PanelContext } from './panel-context.ts';

/** The server is busy with something first; `waiting` is its own wording, for example "the first demo scene". */
const makeWaiting = (waiting: string, { texts }: PanelContext): HTMLElement => {
  const percent = /(\d{1,3}(?:\.\d+)?)\s*%/.exec(waiting)?.[1];
  const progress = el('progress', { max: '100', 'aria-label': texts.states.preparing });
  if (percent !== undefined) progress.value = Number(percent);
  return el(
    'div',
    { class: 'state', id: 'waiting' },
    el('h3', {}, texts.states.gettingReady),
    progress,
    el('p', { class: 'muted' }, waiting),
  );
};

const makeEmpty = ({ texts: { states } }: PanelContext): HTMLElement =>
  el(
    'div',
    { class: 'state' },
    el('h3', {}, states.noScenes),
    el(
      'p',
      { class: 'muted' },
      states.addScenesBefore,
      el('code', {}, 'swath ingest'),
      states.addScenesAfter,
    ),
  );

const makeFailure = (text: string, { texts, actions }: PanelContext): HTMLElement => {
  const retry = el('button', { type: 'button', class: 'primary' }, texts.frame.tryAgain);
  retry.addEventListener('click', () => void actions.start());
  return el(
    'div',
    { class: 'state' },
    el('h3', {}, texts.states.failed),
    el('p', { role: 'alert' }, text),
    retry,
  );
};

/** Gray lines where cards will be. */
const makeLoading = ({ texts }: PanelContext): HTMLElement =>
  el(
    'div',
    { class: 'state' },
    el('p', { class: 'muted' }, texts.states.loading),
    ...Array.from({ length: 4 }, () => el('div', { class: 'skeleton' })),
  );

/** The element for a phase. */
export const makePhase = (phase: Phase, context: PanelContext): HTMLElement => {
  switch (phase.kind) {
    case 'needs-key':
      return makeKeyForm(phase.refusal, context);
    case 'shared':
      return makeSharedCard(phase.map)(context);
    case 'not-shared':
      return makeNotShared(phase.text)(context);
    case 'waiting':
      return makeWaiting(phase.text, context);
    case 'failed':
      return makeFailure(phase.text, context);
    case 'empty':
      return makeEmpty(context);
    default:
      return makeLoading(context);
  }
};
