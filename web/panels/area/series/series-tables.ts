/** The series as tables: a row a scene, or a row a day. */
import type { MeasuredScene } from '../../../state/series-state.ts';
import { formatDate, formatPercent } from '../../../texts/format.ts';
import { el } from '../../dom.ts';
import type { PanelContext } from '../../panel-context.ts';
import type { SeriesDay } from './to-csv.ts';

/** The same number of digits in all rows, so that the points of a column line up. */
const makeNumbers = (locale: string, digits: number): ((value: number | null | undefined) => string) => {
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return (value) => (value === null || value === undefined ? '–' : format.format(value).replace('-', '−'));
};

const makeHead = (titles: readonly string[]): HTMLElement =>
  el(
    'thead',
    {},
    el(
      'tr',
      {},
      ...titles.map((title, i) => el('th', { scope: 'col', class: i === 0 ? '' : 'number' }, title)),
    ),
  );

/** The table of scenes, which marks the one on the map. */
export interface ScenesTable {
  readonly element: HTMLElement;
  mark(viewId: string | null): void;
}

/** Scenes, newest first; the date of each is a button that shows it. */
export const makeScenesTable = (
  scenes: readonly MeasuredScene[],
  { texts }: PanelContext,
  onScene: (scene: MeasuredScene) => void,
): ScenesTable => {
  const { locale, series: words } = texts;
  const names = Object.keys(scenes[0]?.values ?? {});
  const toText = makeNumbers(locale, 3);
  const rows = scenes.toReversed().map((scene) => {
    const date = formatDate(scene.date, locale);
    const show = el('button', { type: 'button', class: 'link', 'aria-label': words.showScene(date) }, date);
    show.addEventListener('click', () => onScene(scene));
    const cloud = scene.cloudPercent === null ? '–' : formatPercent(scene.cloudPercent, locale);
    const notes = el('td', { class: 'muted' });
    const element = el(
      'tr',
      {},
      el('th', { scope: 'row' }, show),
      el('td', { class: 'number' }, cloud),
      ...names.map((name) => el('td', { class: 'number' }, toText(scene.values[name]?.average))),
      notes,
    );
    return { element, scene, show, notes };
  });
  const head = makeHead([words.date, words.cloud, ...names]);
  head.querySelector('tr')?.append(el('th', { scope: 'col' }, words.notes));
  return {
    element: el(
      'table',
      { class: 'plain-table' },
      head,
      el('tbody', {}, ...rows.map(({ element }) => element)),
    ),
    // In the rows that are there: the table stays where it was scrolled to, and its button focused.
    mark(viewId) {
      for (const { scene, show, notes } of rows) {
        const isShown = scene.viewId === viewId;
        if (isShown) show.setAttribute('aria-current', 'true');
        else show.removeAttribute('aria-current');
        notes.textContent = [...(isShown ? [words.shown] : []), ...scene.notes].join('; ');
      }
    },
  };
};

/** Days, newest first. */
export const makeDaysTable = (days: readonly SeriesDay[], { texts }: PanelContext): HTMLElement => {
  const { locale, series: words } = texts;
  const [toTenths, toThousandths] = [makeNumbers(locale, 1), makeNumbers(locale, 3)];
  const { temperature, rain, soil } = words.layerNames;
  const rows = days
    .toReversed()
    .map(({ day, weather, soil: moisture }) =>
      el(
        'tr',
        {},
        el('th', { scope: 'row' }, formatDate(day, locale)),
        ...[
          ...[weather?.minC, weather?.maxC, weather?.rainMm].map(toTenths),
          ...[moisture?.surface, moisture?.rootZone].map(toThousandths),
        ].map((text) => el('td', { class: 'number' }, text)),
        el('td', { class: 'muted' }, weather?.isForecast ? words.forecast : ''),
      ),
    );
  const head = makeHead([
    words.date,
    `${words.min} ${temperature.unit}`,
    `${words.max} ${temperature.unit}`,
    `${rain.title} mm`,
    `${soil.title}, ${words.surface}`,
    words.rootZone,
  ]);
  head.querySelector('tr')?.append(el('th', { scope: 'col' }, words.notes));
  return el('table', { class: 'plain-table' }, head, el('tbody', {}, ...rows));
};
