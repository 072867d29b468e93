/** Compare: two scenes next to each other, or all dates one after the other. */
import { COMPARE_MODES } from '../../state/comparison.ts';
import { el } from '../dom.ts';
import { makeIcon } from '../icon.ts';
import type { MakePanel, PanelContext } from '../panel-context.ts';
import { makeRadios } from '../radios.ts';
import { makeDifferenceChoice } from './difference-choice.ts';
import { makeSideChoice } from './side-choice.ts';

const SINGLE = 'single';

const makeModes = ({ store, actions, texts: { compare } }: PanelContext): HTMLElement => {
  const radios = makeRadios({
    name: 'compare-mode',
    legend: compare.mode,
    choices: [SINGLE, ...COMPARE_MODES].map((value) => ({
      value,
      title: compare.modes[value as keyof typeof compare.modes],
    })),
    onChoose(value) {
      const mode = COMPARE_MODES.find((one) => one === value);
      if (mode === undefined) return actions.leaveComparison();
      if (store.read().comparison === null) actions.startComparison(mode);
      else actions.changeComparison({ mode });
      // Without another scene nothing is compared: the segments say what is.
      radios.show(store.read().comparison?.mode ?? SINGLE);
    },
  });
  store.watch(
    ({ comparison }) => comparison?.mode ?? SINGLE,
    (mode) => radios.show(mode),
  );
  return radios.element;
};

const makeSides = (context: PanelContext): HTMLElement => {
  const { store, actions, texts } = context;
  const swap = el(
    'button',
    { type: 'button', class: 'secondary swap' },
    makeIcon('swap'),
    texts.compare.swap,
  );
  swap.addEventListener('click', actions.swapSides);
  const element = el(
    'div',
    { class: 'sides' },
    makeSideChoice('left', context),
    makeSideChoice('right', context),
    swap,
    makeDifferenceChoice(context),
  );
  store.watch(
    ({ comparison }) => comparison !== null,
    (isOn) => {
      element.hidden = !isOn;
    },
  );
  return element;
};

const makeFilmSection = ({ store, actions, texts: { animate } }: PanelContext): HTMLElement => {
  const button = el('button', { type: 'button', class: 'secondary' });
  button.addEventListener('click', () => {
    if (store.read().animation === null) actions.startAnimation();
    else actions.leaveAnimation();
  });
  store.watch(
    ({ animation }) => animation !== null,
    (isOn) => {
      button.replaceChildren(makeIcon(isOn ? 'close' : 'play'), isOn ? animate.close : animate.start);
    },
  );
  return el(
    'section',
    { class: 'film-section' },
    el('h3', {}, animate.title),
    el('p', { class: 'muted small' }, animate.hint),
    button,
  );
};

/** Builds the panel. */
export const makeComparePanel: MakePanel = (context) => {
  const { store, texts } = context;
  const hint = el('p', { class: 'muted small' }, texts.compare.hint);
  const controls = el(
    'div',
    { class: 'compare' },
    makeModes(context),
    hint,
    makeSides(context),
    makeFilmSection(context),
  );
  const nothing = el('div', { class: 'state' }, el('p', { class: 'muted' }, texts.compare.nothing));
  store.watch(
    ({ shown }) => shown === null,
    (isNothing) => {
      nothing.hidden = !isNothing;
      controls.hidden = isNothing;
    },
  );
  store.watch(
    ({ comparison }) => comparison !== null,
    (isOn) => {
      hint.hidden = isOn;
    },
  );
  return el('div', {}, nothing, controls);
};
