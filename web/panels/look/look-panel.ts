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
import { makeOptions } from './options.ts';
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

/** Builds the panel. */
export const makeLookPanel: MakePanel = (context) => {
  const { store, actions, texts } = context;
  const copy = el('button', { type: 'button', class: 'secondary' }, makeIcon('copy'), texts.look.copyTileUrl);
  copy.addEventListener(
    'click',
    () => void actions.copyTileUrl((text) => navigator.clipboard.writeText(text)),
  );
  const controls = el(
    'div',
    { class: 'look' },
    makeSceneHead(context),
    makeCompositionChoice(context),
    makeIndexList(context),
    makeExpressionEditor(context),
    makeColormapChoice(context),
    makeOpacity(context, { id: 'opacity', label: texts.look.opacity }),
    makeContrast(context),
    makeTerrainSection(context),
    makeOptions(context),
    copy,
  );
  const nothing = el('div', { class: 'state' }, el('p', { class: 'muted' }, texts.look.nothing));
  store.watch(
    ({ shown }) => shown === null,
    (isNothing) => {
      nothing.hidden = !isNothing;
      controls.hidden = isNothing;
    },
  );
  return el('div', {}, nothing, controls);
};
