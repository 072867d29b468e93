/** Look: how the shown scene is drawn. */
import { el } from '../dom.ts';
import { makeIcon } from '../icon.ts';
import type { MakePanel, PanelContext } from '../panel-context.ts';
import { makeColormapChoice } from './colormap-choice.ts';
import { makeCompositionChoice } from './composition-choice.ts';
import { makeContrast } from './contrast.ts';
import { makeExpressionEditor } from './expression-editor.ts';
import { makeIndexList } from './index-list.ts';
import { makeOpacity } from './opacity.tsx';
import { makeOptions } from './options.tsx';
import { makeSceneHead } from './scene-head.tsx';
import { makeStretchChoice } from './stretch-choice.tsx';
import { makeTerrainSection } from './terrain.ts';

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
