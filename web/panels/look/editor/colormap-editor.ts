/** The editor of own colormaps. Loaded when it is opened. */

import { makeLatest } from '../../../actions/latest.ts';
import { readJointRange } from '../../../api/joint-range.ts';
import type { ViewerColormap } from '../../../scenes/knowledge.ts';
import type { ColormapDraft, OwnColormap } from '../../../scenes/own-colormap.ts';
import { toSpan } from '../../../scenes/own-colormap.ts';
import type { Contrast } from '../../../scenes/picture.ts';
import { bandsOfPicture } from '../../../scenes/picture.ts';
import { el } from '../../dom.ts';
import { makeIcon } from '../../icon.ts';
import type { PanelContext } from '../../panel-context.ts';
import { makeRadios } from '../../radios.ts';
import {
  addStop,
  addStopInGap,
  canRemove,
  colorStop,
  fromNamed,
  isPinned,
  moveStop,
  removeStop,
  setAbsolute,
  setDiscrete,
} from './draft.ts';
import { makeStopStrip } from './stop-strip.ts';

/** What people begin with when nothing is chosen. */
const FIRST = 'viridis';

interface EditorParts {
  /** Closes the editor. */
  onClose(): void;
}

/** The colours on the map: own ones to change, named ones to start from. */
const toFirstDraft = (
  { store, texts }: PanelContext,
  colormaps: readonly ViewerColormap[],
): { readonly draft: ColormapDraft; readonly edited: OwnColormap | null } => {
  const { picture, ownColormaps } = store.read();
  const base = picture.colormap?.replace(/_r$/, '') ?? FIRST;
  const edited = ownColormaps.find(({ id }) => id === base) ?? null;
  if (edited !== null) return { draft: edited.isSaved ? edited : { ...edited, name: '' }, edited };
  const named = colormaps.find(({ name }) => name === base) ?? colormaps.find(({ name }) => name === FIRST);
  const grey: ViewerColormap = { name: '', isDiscrete: false, colors: ['#000000', '#ffffff', '#ffffff'] };
  const shown = named ?? grey;
  const isReversed = picture.colormap?.endsWith('_r') ?? false;
  const colors = isReversed ? shown.colors.toReversed() : shown.colors;
  return { draft: fromNamed({ ...shown, colors }, texts.look.ownColours), edited: null };
};

/** Builds it for the colours that are on the map now. */
export const makeColormapEditor = (context: PanelContext, { onClose }: EditorParts): HTMLElement => {
  const { store, actions, api, texts } = context;
  const words = texts.look;
  const colormaps = store.read().knowledge?.colormaps ?? [];
  const first = toFirstDraft(context, colormaps);
  const { edited } = first;
  let draft = first.draft;
  let selected = 0;
  /** Values of the data, for positions that are values. */
  let contrast: Contrast = store.read().picture.contrast ?? { min: 0, max: 1 };
  let span: Contrast = { min: 0, max: 1 };

  const name = el('input', {
    id: 'colormap-name',
    type: 'text',
    maxlength: '60',
    autocomplete: 'off',
    required: true,
  });
  name.value = draft.name;
  const start = el(
    'select',
    { id: 'colormap-start' },
    el('option', { value: '' }, '–'),
    ...colormaps.map((one) => el('option', { value: one.name }, one.name)),
  );
  const color = el('input', { id: 'stop-color', type: 'color' });
  const position = el('input', { id: 'stop-position', type: 'number', step: 'any' });
  const remove = el(
    'button',
    { type: 'button', class: 'plain', 'aria-label': words.removeStop, title: words.removeStop },
    makeIcon('close'),
  );
  const add = el('button', { type: 'button', class: 'link' }, words.addStop);
  const refusal = el('p', { class: 'refusal small', role: 'alert' });
  const save = el('button', { type: 'submit', class: 'primary' }, words.saveColours);
  const cancel = el('button', { type: 'button', class: 'secondary' }, words.closeEditor);

  const toValues = (): Contrast => {
    if (!draft.isAbsolute) return { min: 0, max: 1 };
    const own = toSpan(draft);
    return { min: Math.min(own.min, contrast.min), max: Math.max(own.max, contrast.max) };
  };
  const show = (): void => {
    strip.show(draft, span, selected);
    const stop = draft.stops[selected];
    color.value = stop?.color ?? '#000000';
    // What is being typed is not replaced by what it means.
    if (document.activeElement !== position) position.value = String(stop?.position ?? 0);
    position.disabled = isPinned(draft, selected);
    remove.disabled = !canRemove(draft);
    kinds.show(draft.isDiscrete ? 'steps' : 'mixed');
    units.show(draft.isAbsolute ? 'values' : 'shares');
  };
  const change = (next: ColormapDraft, index = selected): void => {
    draft = next;
    selected = Math.min(Math.max(0, index), draft.stops.length - 1);
    refusal.textContent = '';
    show();
  };
  /** A change after which the strip runs between other values. */
  const changeSpan = (next: ColormapDraft, index = selected): void => {
    draft = next;
    span = toValues();
    change(next, index);
  };
  const removeAt = (index: number): void => {
    change(removeStop(draft, index), index);
    strip.focus(selected);
  };
  const addAt = (added: { readonly draft: ColormapDraft; readonly index: number }): void => {
    if (added.index < 0) return;
    change(added.draft, added.index);
    strip.focus(selected);
  };
  const strip = makeStopStrip({
    texts,
    onSelect: (index) => change(draft, index),
    onMove: (index, to) => change(moveStop(draft, index, to), index),
    onAdd: (at) => addAt(addStop(draft, at)),
    onRemove: removeAt,
  });
  const kinds = makeRadios({
    name: 'colormap-kind',
    legend: words.between,
    choices: [
      { value: 'mixed', title: words.mixed },
      { value: 'steps', title: words.steps },
    ],
    onChoose: (value) => changeSpan(setDiscrete(draft, value === 'steps')),
  });
  const units = makeRadios({
    name: 'colormap-units',
    legend: words.positions,
    choices: [
      { value: 'shares', title: words.shares },
      { value: 'values', title: words.valuesOfData },
    ],
    onChoose: (value) => changeSpan(setAbsolute(draft, value === 'values', contrast)),
  });
  start.addEventListener('change', () => {
    const named = colormaps.find((one) => one.name === start.value);
    if (named === undefined) return;
    const fresh = fromNamed(named, draft.name);
    changeSpan(draft.isAbsolute ? setAbsolute(fresh, true, contrast) : fresh, 0);
  });
  color.addEventListener('input', () => change(colorStop(draft, selected, color.value)));
  position.addEventListener('input', () => {
    if (position.value !== '') changeSpan(moveStop(draft, selected, Number(position.value)));
  });
  position.addEventListener('blur', show);
  remove.addEventListener('click', () => removeAt(selected));
  add.addEventListener('click', () => addAt(addStopInGap(draft)));
  cancel.addEventListener('click', onClose);

  const readContrast = async (signal: AbortSignal): Promise<void> => {
    const { shown, picture } = store.read();
    if (shown === null || picture.contrast !== null) return;
    const bands = bandsOfPicture(shown.sensor, picture);
    const { viewId } = shown;
    try {
      contrast = await readJointRange(
        api,
        { viewId, bands, of: 'picture', isCalibrated: picture.isCalibrated },
        signal,
      );
      if (draft.isAbsolute) changeSpan(draft);
    } catch {
      // Positions can be typed without it.
    }
  };
  void readContrast(makeLatest().start());

  const form = el(
    'form',
    { class: 'colormap-editor', 'aria-label': words.editColours },
    strip.element,
    el(
      'div',
      { class: 'stop-row' },
      el('label', { for: 'stop-color', class: 'unseen' }, words.stopColor),
      color,
      el('label', { for: 'stop-position', class: 'unseen' }, words.stopPosition),
      position,
      remove,
      add,
    ),
    kinds.element,
    units.element,
    el('div', { class: 'row' }, el('label', { for: 'colormap-start' }, words.startFrom), start),
    el('div', { class: 'row' }, el('label', { for: 'colormap-name' }, words.colormapName), name),
    refusal,
    el('div', { class: 'editor-end' }, save, cancel),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    save.disabled = true;
    const title = name.value.trim() || words.ownColours;
    void actions
      .saveColormap({ ...draft, name: title }, edited?.id ?? null)
      .then((reason) => {
        if (reason === null) onClose();
        else refusal.textContent = reason;
      })
      .finally(() => {
        save.disabled = false;
      });
  });
  if (edited?.isSaved) {
    const forget = el('button', { type: 'button', class: 'link' }, words.deleteColours);
    forget.title = words.deleteColoursHint;
    forget.addEventListener('click', () => {
      onClose();
      void actions.deleteColormap(edited.id);
    });
    form.lastElementChild?.append(forget);
  }
  span = toValues();
  show();
  return form;
};
