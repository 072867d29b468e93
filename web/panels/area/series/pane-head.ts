/** The titles of panes, and what stands in for a pane that has nothing to draw. */
import type { SeriesLayer, SeriesState } from '../../../state/series-state.ts';
import type { Texts } from '../../../texts/en.ts';
import { el } from '../../dom.ts';

/** A colour of the chart and what it is. */
export const makeSwatch = (slot: string, text: string): HTMLElement =>
  el('span', { class: 'series-key' }, el('span', { class: `series-swatch ${slot}` }), text);

/** Who has measured the weather; some ask to be named. */
export const nameWeatherSource = (source: string | null, words: Texts['series']): string => {
  if (source === null) return '';
  return source.startsWith('open-meteo') ? words.openMeteo : words.source(source);
};

/** The part of a series that a layer is drawn from. */
export const partOf = (layer: SeriesLayer): 'soil' | 'weather' => (layer === 'soil' ? 'soil' : 'weather');

/** Why a layer is not drawn; `null` if it is. */
export const excuseOf = (layer: SeriesLayer, series: SeriesState, words: Texts['series']): string | null => {
  const part = series[partOf(layer)];
  switch (part.kind) {
    case 'loading':
      return words.loadingWeather;
    case 'failed':
      return part.text;
    case 'cancelled':
      return words.cancelled;
    case 'idle':
      return '';
    case 'ready': {
      const days = 'days' in part.value ? part.value.days : part.value;
      if (days.length > 0) return null;
      return layer === 'soil' ? words.noSoil : words.noWeather;
    }
  }
};

/** The title of a layer, with its unit, its colours and its source. */
export const makePaneHead = (
  layer: SeriesLayer,
  series: SeriesState,
  words: Texts['series'],
): HTMLElement => {
  const { title, unit } = words.layerNames[layer];
  const source = series.weather.kind === 'ready' ? series.weather.value.source : null;
  const hasKeys = layer === 'soil' && series.soil.kind === 'ready' && series.soil.value.length > 0;
  return el(
    'p',
    { class: 'pane-head' },
    el('strong', {}, title),
    el('span', {}, unit),
    ...(hasKeys ? [makeSwatch('series-soil', words.surface), makeSwatch('series-root', words.rootZone)] : []),
    ...(layer === 'temperature' ? [el('span', {}, nameWeatherSource(source, words))] : []),
  );
};
