/** Management zones of the area: an order, and what has come of it. */
import { indicesOf } from '../../../actions/plan-series.ts';
import { wordsOfIndex } from '../../../scenes/titles.ts';
import type { Zones } from '../../../state/zones-state.ts';
import { PATCH_SIZES_M2, ZONE_COUNTS } from '../../../state/zones-state.ts';
import { formatDate, formatNumber, formatPercent } from '../../../texts/format.ts';
import { el } from '../../dom.ts';
import { makeIcon } from '../../icon.ts';
import type { PanelContext } from '../../panel-context.ts';
import { saveGeoJson } from '../../save-file.ts';
import { formatArea } from './format-area.ts';
import { toZonesGeoJson } from './to-geojson.ts';

const makeField = (id: string, label: string, control: HTMLElement): HTMLElement =>
  el('div', {}, el('label', { for: id }, label), control);

const makeOrder = ({ store, actions, texts, preferences }: PanelContext): HTMLElement => {
  const { zones: words, locale } = texts;
  const index = el('select', { id: 'zones-index' });
  const count = el(
    'select',
    { id: 'zones-count' },
    ...ZONE_COUNTS.map((one) => el('option', { value: String(one) }, String(one))),
  );
  const patch = el(
    'select',
    { id: 'zones-patch' },
    ...PATCH_SIZES_M2.map((one) =>
      el(
        'option',
        { value: String(one) },
        one === 0 ? words.anyPatch : formatArea(one, preferences.units, locale),
      ),
    ),
  );
  index.addEventListener('change', () => actions.chooseZones({ index: index.value }));
  count.addEventListener('change', () => actions.chooseZones({ count: Number(count.value) }));
  patch.addEventListener('change', () => actions.chooseZones({ minPatchM2: Number(patch.value) }));
  const show = (): void => {
    const { choice } = store.read().zones;
    index.value = choice.index;
    count.value = String(choice.count);
    patch.value = String(choice.minPatchM2);
  };
  store.watch(
    ({ shown }) => shown?.sensor ?? null,
    (sensor) => {
      index.replaceChildren(
        ...(sensor === null ? [] : indicesOf(sensor)).map((one) =>
          el('option', { value: one.name }, `${one.name} ${wordsOfIndex(one, texts).title}`),
        ),
      );
      show();
    },
  );
  store.watch(({ zones }) => zones.choice, show);
  return el(
    'div',
    { class: 'measure' },
    makeField('zones-index', words.index, index),
    el(
      'div',
      { class: 'pair' },
      makeField('zones-count', words.count, count),
      makeField('zones-patch', words.patch, patch),
    ),
  );
};

const makeTable = (made: Zones, { texts, preferences }: PanelContext): HTMLElement => {
  const { zones: words, locale } = texts;
  const total = made.zones.reduce((sum, { areaM2 }) => sum + areaM2, 0);
  const rows = made.zones.map(({ number, color, mean, areaM2 }) => {
    const swatch = el('span', { class: 'swatch' });
    // As a property: an attribute would be refused by the page's content policy.
    swatch.style.backgroundColor = color;
    return el(
      'tr',
      {},
      el('th', { scope: 'row' }, swatch, words.zone(number)),
      el('td', { class: 'number' }, mean === null ? '–' : formatNumber(mean, locale)),
      el('td', { class: 'number' }, formatArea(areaM2, preferences.units, locale)),
      el('td', { class: 'number' }, formatPercent((100 * areaM2) / total, locale)),
    );
  });
  return el(
    'table',
    { class: 'plain-table' },
    el('caption', {}, words.caption(made.choice.index, formatDate(made.date, locale))),
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        ...[words.title, words.mean, words.area, words.share].map((text, i) =>
          el('th', { scope: 'col', class: i === 0 ? '' : 'number' }, text),
        ),
      ),
    ),
    el('tbody', {}, ...rows),
    el(
      'tfoot',
      {},
      el(
        'tr',
        {},
        el('th', { scope: 'row' }, words.total),
        el('td', {}),
        el('td', { class: 'number' }, formatArea(total, preferences.units, locale)),
        el('td', {}),
      ),
    ),
  );
};

const makeResult = (context: PanelContext): HTMLElement => {
  const { store, actions, texts } = context;
  const host = el('div', { class: 'measure', 'aria-live': 'polite' });
  const showMade = (made: Zones): void => {
    if (made.zones.length === 0) {
      host.replaceChildren(el('p', { class: 'muted' }, texts.zones.none));
      return;
    }
    const save = el('button', { type: 'button', class: 'secondary' }, makeIcon('download'), texts.zones.save);
    save.addEventListener('click', () =>
      saveGeoJson(`zones-${made.choice.index}-${made.date}.geojson`, JSON.stringify(toZonesGeoJson(made))),
    );
    const { count } = made.choice;
    const fewer = el('p', { class: 'muted small' }, texts.zones.fewer(made.zones.length, count));
    fewer.hidden = made.zones.length >= count;
    host.replaceChildren(makeTable(made, context), fewer, save);
  };
  store.watch(
    ({ zones }) => zones.made,
    (made) => {
      host.setAttribute('aria-busy', String(made.kind === 'loading'));
      if (made.kind === 'ready') return showMade(made.value);
      if (made.kind === 'loading') {
        const progress = el('progress', { 'aria-label': texts.zones.making });
        return host.replaceChildren(el('p', { class: 'muted' }, texts.zones.making), progress);
      }
      if (made.kind !== 'failed') return host.replaceChildren();
      const retry = el('button', { type: 'button', class: 'link' }, texts.frame.tryAgain);
      retry.addEventListener('click', () => actions.showZones(true));
      host.replaceChildren(el('p', { class: 'refusal', role: 'alert' }, made.text), retry);
    },
  );
  return host;
};

/** Builds the section. */
export const makeZonesSection = (context: PanelContext): HTMLElement => {
  const { store, actions, texts } = context;
  const { zones: words } = texts;
  const scene = el('p', { class: 'muted small' });
  const make = el('button', { type: 'button', class: 'primary' });
  const remove = el('button', { type: 'button', class: 'secondary' }, words.remove);
  make.addEventListener('click', () => actions.showZones(true));
  remove.addEventListener('click', () => actions.showZones(false));
  store.watch(
    ({ shown }) => shown,
    (shown) => {
      make.disabled = shown === null || indicesOf(shown.sensor).length === 0;
      if (shown === null) scene.textContent = texts.look.nothing;
      else if (make.disabled) scene.textContent = words.noIndices(shown.sensor.title);
      else scene.textContent = words.ofScene(formatDate(shown.date, texts.locale), shown.sensor.title);
    },
  );
  store.watch(
    ({ zones, shown }) => {
      if (!zones.isOn) return 'off';
      return zones.made.kind === 'ready' && zones.made.value.viewId === shown?.viewId ? 'same' : 'other';
    },
    (kind) => {
      make.textContent = kind === 'off' ? words.make : words.makeAgain;
      make.className = kind === 'same' ? 'secondary' : 'primary';
      remove.hidden = kind === 'off';
    },
  );
  return el(
    'section',
    { class: 'measure', 'aria-labelledby': 'zones-heading' },
    el('h3', { id: 'zones-heading' }, words.heading),
    el('p', { class: 'muted small' }, words.hint),
    makeOrder(context),
    scene,
    el('div', { class: 'buttons' }, make, remove),
    makeResult(context),
  );
};
