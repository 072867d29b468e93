/** Look: how the shown scene is drawn. */
import { formatDate } from '../../texts/format.ts';
import { el } from '../dom.ts';
import { makeIcon } from '../icon.ts';
import type { MakePanel, PanelContext } from '../panel-context.ts';
import { makeColormapChoice } from './colormap-choice.ts';
import { makeCompositionChoice } from './composition-choice.ts';
import { makeContrast } from './contrast.ts';
import { makeExpressionEditor } from './expression-editor.ts';
import { makeIndexList } from './index-list.ts';
import { makeOpacity } from './opacity.ts';
import { makeOptions } from './options.tsx';
import { makeStretchChoice } from './stretch-choice.ts';
import { makeTerrainSection } from './terrain.ts';

/** Which scene it is, with the ones next to it in the list. */
const makeSceneHead = ({ store, actions, texts }: PanelContext): HTMLElement => {
  const date = el('h3', {});
  const sensor = el('p', { class: 'muted' });
  const [newer, older] = (
    [
      ['newer', texts.settings.shortcutList.previous, -1],
      ['older', texts.settings.shortcutList.next, 1],
    ] as const
  ).map(([icon, label, step]) => {
    const button = el('button', { type: 'button', class: 'plain', 'aria-label': label }, makeIcon(icon));
    button.addEventListener('click', () => actions.stepScene(step));
    return button;
  }) as [HTMLButtonElement, HTMLButtonElement];
  const show = (): void => {
    const { shown, results } = store.read();
    date.textContent = shown === null ? '' : formatDate(shown.date, texts.locale);
    sensor.textContent = shown?.sensor.title ?? '';
    const index = results.scenes.findIndex(({ viewId }) => viewId === shown?.viewId);
    newer.disabled = index <= 0;
    older.disabled = index < 0 || index === results.scenes.length - 1;
  };
  store.watch(({ shown }) => shown, show);
  // A list that grew has scenes next to the shown one that it had not before.
  store.watch(({ results }) => results.scenes, show);
  return el('div', { class: 'scene-head' }, newer, el('div', {}, date, sensor), older);
};

/** Pictures of two scenes are chosen under Compare; what both share stays here. */
const makeTwo = ({ actions, texts: { look, compare, settings } }: PanelContext): HTMLElement => {
  const leave = el('button', { type: 'button', class: 'secondary' }, compare.modes.single);
  leave.addEventListener('click', actions.leaveComparison);
  const open = el('button', { type: 'button', class: 'secondary' }, settings.shortcutList.compare);
  open.addEventListener('click', () => actions.openPanel('compare'));
  return el(
    'div',
    { class: 'of-both' },
    el('p', { role: 'status' }, look.twoScenes),
    el('div', { class: 'pair' }, leave, open),
  );
};

/** Builds the panel. */
export const makeLookPanel: MakePanel = (context) => {
  const { store, actions, texts } = context;
  const copy = el('button', { type: 'button', class: 'secondary' }, makeIcon('copy'), texts.look.copyTileUrl);
  copy.addEventListener(
    'click',
    () => void actions.copyTileUrl((text) => navigator.clipboard.writeText(text)),
  );
  const values = el('button', { type: 'button', class: 'secondary' }, texts.values.inMiddle);
  values.addEventListener('click', actions.takeMiddle);
  const two = makeTwo(context);
  const opacity = makeOpacity(context, { id: 'opacity', label: texts.look.opacity });
  const terrain = makeTerrainSection(context);
  for (const shared of [opacity, terrain]) shared.classList.add('of-both');
  const controls = el(
    'div',
    { class: 'look' },
    two,
    makeSceneHead(context),
    makeCompositionChoice(context),
    makeIndexList(context),
    makeExpressionEditor(context),
    makeColormapChoice(context),
    opacity,
    makeStretchChoice(context),
    makeContrast(context),
    terrain,
    makeOptions(context),
    copy,
    values,
  );
  const nothing = el('div', { class: 'state' }, el('p', { class: 'muted' }, texts.look.nothing));
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
      two.hidden = !isOn;
      controls.classList.toggle('is-comparing', isOn);
    },
  );
  return el('div', {}, nothing, controls);
};
