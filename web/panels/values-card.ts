/** The values of every band and index at a clicked point, in a card over the map. */
import { titleOfBand, wordsOfIndex } from '../scenes/titles.ts';
import type { NamedValue, Probe } from '../state/probe.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import { formatHeight, formatNumber } from '../texts/format.ts';
import { el } from './dom.ts';
import { findMapCanvas, hidePart } from './hide-part.ts';
import { makeIcon } from './icon.ts';
import type { PanelContext } from './panel-context.ts';
import { formatPoint } from './readout-text.ts';

interface Row extends NamedValue {
  readonly title: string;
}

const makeTable = (heading: string, rows: readonly Row[], { texts }: PanelContext): readonly Node[] => {
  if (rows.length === 0) return [];
  const body = rows.map(({ name, title, value }) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row', title }, name),
      el('td', { class: 'muted' }, title),
      el('td', { class: 'number' }, value === null ? texts.values.none : formatNumber(value, texts.locale)),
    ),
  );
  return [el('table', {}, el('caption', {}, heading), el('tbody', {}, ...body))];
};

const makeContent = (probe: Probe, { shown }: ViewerState, context: PanelContext): readonly Node[] => {
  const { texts } = context;
  if (probe.isLoading) return [el('p', { class: 'muted' }, texts.values.loading)];
  if (probe.failure !== null) return [el('p', {}, probe.failure)];
  const bandTitle = (name: string): string => {
    const band = shown?.sensor.bands.find((one) => one.name === name);
    return band === undefined ? '' : titleOfBand(band, texts);
  };
  const indexTitle = (name: string): string => {
    const index = shown?.sensor.indices.find((one) => one.name === name);
    return index === undefined ? '' : wordsOfIndex(index, texts).title;
  };
  const bands = probe.bands.map((row) => ({ ...row, title: bandTitle(row.name) }));
  const indices = probe.indices.map((row) => ({ ...row, title: indexTitle(row.name) }));
  return [
    ...makeTable(texts.values.bands, bands, context),
    ...makeTable(texts.values.indices, indices, context),
  ];
};

/** Fills `host`, which is hidden while nothing was clicked. */
export const makeValuesCard = (host: HTMLElement, context: PanelContext): void => {
  const { store, actions, texts, preferences } = context;
  const close = el('button', { type: 'button', class: 'plain', 'aria-label': texts.values.close });
  close.append(makeIcon('close'));
  close.addEventListener('click', actions.closeProbe);
  const location = el('p', { class: 'muted' });
  const elevation = el('p', { class: 'elevation' });
  const content = el('div', { class: 'values-content', tabindex: '0' });
  host.setAttribute('aria-label', texts.values.title);
  host.append(el('header', {}, el('h2', {}, texts.values.title), close), location, elevation, content);
  store.watch(
    ({ probe }) => probe,
    (probe, state) => {
      hidePart(host, probe === null, () => [findMapCanvas()]);
      if (probe === null) return;
      location.textContent = formatPoint(probe.point, texts);
      elevation.hidden = probe.elevationM === null;
      elevation.textContent =
        probe.elevationM === null
          ? ''
          : texts.terrain.elevation(formatHeight(probe.elevationM, preferences.units, texts.locale));
      content.setAttribute('aria-busy', String(probe.isLoading));
      content.replaceChildren(...makeContent(probe, state, context));
    },
  );
};
