/** The chosen area: how large it is, and what can be done with it. */
import { openFieldReport } from '../../report/open-report.ts';
import { areaM2, perimeterM } from '../../shapes/geodesic.ts';
import { toFileName, toGeoJson } from '../../shapes/geojson-file.ts';
import { toOutlineText } from '../../shapes/shape-text.ts';
import { formatArea, formatLength } from '../../texts/format-measures.ts';
import { el } from '../dom.ts';
import { makeIcon } from '../icon.ts';
import type { PanelContext } from '../panel-context.ts';
import { saveGeoJson } from '../save-file.ts';
import { isEditable } from './draw.ts';
import { makeShapeCard } from './shape-card.ts';

const makeClip = ({ store, actions, texts }: PanelContext): HTMLElement => {
  const input = el('input', { type: 'checkbox' });
  input.addEventListener('change', () => {
    input.disabled = true;
    void actions.clipToArea(input.checked).finally(() => {
      input.disabled = false;
      input.checked = store.read().picture.clip !== null;
      // A control that was disabled for a moment loses the keyboard.
      if (document.activeElement === document.body) input.focus();
    });
  });
  store.watch(
    ({ picture }) => picture.clip !== null,
    (isClipped) => {
      input.checked = isClipped;
    },
  );
  return el('label', { class: 'check' }, input, texts.area.clip);
};

/** Builds the card; it is hidden while there is no area. */
export const makeAreaCard = (context: PanelContext): HTMLElement => {
  const { store, actions, texts, preferences } = context;
  const words = texts.area;
  const search = el('button', { type: 'button', class: 'secondary' }, makeIcon('find'), words.search);
  search.addEventListener('click', () => void actions.searchArea());
  const report = el(
    'button',
    { type: 'button', class: 'secondary' },
    makeIcon('save'),
    texts.report.field,
    '…',
  );
  report.addEventListener('click', () => {
    const { area } = store.read();
    if (area !== null) openFieldReport(context, area);
  });
  const notEditable = el('p', { class: 'muted small' }, words.notEditable);
  const tooLong = el('p', { class: 'muted small' }, words.tooLong);
  const { element, title, buttons, showFacts } = makeShapeCard(
    'area',
    [
      {
        icon: 'edit',
        title: words.edit,
        run: () => actions.setTool(store.read().drawing.tool === 'edit-area' ? null : 'edit-area'),
      },
      { icon: 'fit', title: words.fit, run: () => actions.fitShape('area') },
      {
        icon: 'save',
        title: words.save,
        run() {
          const { area } = store.read();
          if (area !== null) saveGeoJson(toFileName(area.name, 'area'), toGeoJson(area.outline, area.name));
        },
      },
      {
        icon: 'remove',
        title: words.remove,
        run() {
          actions.setTool(null);
          actions.setArea(null);
        },
      },
    ],
    notEditable,
    tooLong,
    makeClip(context),
    search,
    report,
  );
  const [edit] = buttons;
  store.watch(
    ({ drawing }) => drawing.tool === 'edit-area',
    (isOn) => edit?.setAttribute('aria-pressed', String(isOn)),
  );
  store.watch(
    ({ area }) => area,
    (area) => {
      element.hidden = area === null;
      if (area === null) return;
      const { outline, name } = area;
      title.textContent = name ?? words.drawnArea;
      showFacts([
        [words.size, formatArea(areaM2(outline), preferences.units, texts.locale)],
        [words.perimeter, formatLength(perimeterM(outline), preferences.units, texts.locale)],
      ]);
      const canEdit = isEditable(area);
      if (edit !== undefined) edit.disabled = !canEdit;
      notEditable.hidden = canEdit;
      tooLong.hidden = toOutlineText(outline) !== null;
    },
  );
  return element;
};
