/** The bar of the film above the legend: play, dates, speed, clouds, repeat, save. */

import { el } from '../panels/dom.ts';
import { makeIcon } from '../panels/icon.ts';
import type { PanelContext } from '../panels/panel-context.ts';
import type { Scene } from '../scenes/scene.ts';
import type { Animation } from '../state/animation.ts';
import { SPEEDS } from '../state/animation.ts';
import { formatDate, formatNumber, formatPercent } from '../texts/format.ts';

const CLOUDS = [0, 10, 30, 50, 100];

interface BarEvents {
  /** The frame with this index was chosen. */
  onSeek(index: number): void;
  onSave(): void;
}

/** The bar, and what it shows. */
export interface PlayerBar {
  readonly element: HTMLElement;
  show(animation: Animation, frames: readonly Scene[], isLoading: boolean): void;
}

const makeButton = (icon: string, label: string, onClick: () => void): HTMLButtonElement => {
  const button = el('button', { type: 'button', class: 'plain', 'aria-label': label, title: label });
  button.append(makeIcon(icon));
  button.addEventListener('click', onClick);
  return button;
};

/** Builds it. */
export const makePlayerBar = (
  { store, actions, texts: { animate, find, locale } }: PanelContext,
  { onSeek, onSave }: BarEvents,
): PlayerBar => {
  const play = makeButton('play', animate.play, () =>
    actions.changeAnimation({ isPlaying: !store.read().animation?.isPlaying }),
  );
  const date = el('strong', { class: 'film-date' });
  const note = el('p', { class: 'muted film-note', role: 'status' });
  const dates = el('input', {
    type: 'range',
    class: 'film-dates',
    min: '0',
    step: '1',
    'aria-label': animate.date,
  });
  dates.addEventListener('input', () => onSeek(Number(dates.value)));
  const speed = el(
    'select',
    { 'aria-label': animate.speed, title: animate.speed },
    ...SPEEDS.map((one) =>
      el('option', { value: String(one) }, animate.perSecond(formatNumber(one, locale))),
    ),
  );
  speed.addEventListener('change', () => actions.changeAnimation({ framesPerSecond: Number(speed.value) }));
  const clouds = el(
    'select',
    { 'aria-label': animate.clouds, title: animate.clouds },
    ...CLOUDS.map((percent) =>
      el(
        'option',
        { value: String(percent) },
        percent === 100 ? find.anyClouds : `≤ ${formatPercent(percent, locale)}`,
      ),
    ),
  );
  clouds.addEventListener('change', () => actions.changeAnimation({ maxCloudPercent: Number(clouds.value) }));
  const loop = makeButton('loop', animate.loop, () =>
    actions.changeAnimation({ isLooping: !store.read().animation?.isLooping }),
  );
  const save = el('button', { type: 'button', class: 'secondary' }, makeIcon('download'), animate.save);
  save.addEventListener('click', onSave);
  const close = makeButton('close', animate.close, actions.leaveAnimation);
  const element = el(
    'section',
    { id: 'player', 'aria-label': animate.bar },
    play,
    el('div', { class: 'film-line' }, date, dates, note),
    el(
      'div',
      { class: 'film-options' },
      el('span', { class: 'film-clouds' }, makeIcon('cloud'), clouds),
      speed,
      loop,
      save,
    ),
    close,
  );
  return {
    element,
    show({ isPlaying, viewId, framesPerSecond, maxCloudPercent, isLooping }, frames, isLoading) {
      const index = frames.findIndex((frame) => frame.viewId === viewId);
      const frame = frames[index];
      const [icon, label] = isPlaying
        ? (['pause', animate.pause] as const)
        : (['play', animate.play] as const);
      if (play.getAttribute('aria-label') !== label) {
        play.setAttribute('aria-label', label);
        play.title = label;
        play.replaceChildren(makeIcon(icon));
      }
      const text = frame === undefined ? '' : formatDate(frame.date, locale);
      date.textContent = text;
      dates.max = String(Math.max(0, frames.length - 1));
      dates.value = String(Math.max(0, index));
      dates.setAttribute('aria-valuetext', animate.frame(text, index + 1, frames.length));
      speed.value = String(framesPerSecond);
      // An address may hold another limit than those that are offered.
      if (!CLOUDS.includes(maxCloudPercent) && clouds.options.length === CLOUDS.length) {
        clouds.append(
          el('option', { value: String(maxCloudPercent) }, `≤ ${formatPercent(maxCloudPercent, locale)}`),
        );
      }
      clouds.value = String(maxCloudPercent);
      loop.setAttribute('aria-pressed', String(isLooping));
      const isEmpty = frames.length === 0;
      dates.hidden = isEmpty;
      date.hidden = isEmpty;
      note.textContent = isEmpty ? (isLoading ? animate.loading : animate.none) : '';
      note.hidden = !isEmpty;
      play.disabled = frames.length < 2;
      save.disabled = isEmpty;
    },
  };
};
