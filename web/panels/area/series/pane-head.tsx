/** The titles of panes, and what stands in for a pane that has nothing to draw. */
import type { FunctionComponent } from 'preact';
import type { SeriesLayer, SeriesState } from '../../../state/series-state.ts';
import type { Texts } from '../../../texts/en.ts';
import { formatDate } from '../../../texts/format.ts';
import { usePanel } from '../../kit/panel.tsx';
import type { ChartData } from './chart-data.ts';
import { nameWeatherSource } from './describe-row.ts';

/** A colour of the chart and what it is. */
export const SeriesKey: FunctionComponent<{ readonly slot: string; readonly text: string }> = ({
  slot,
  text,
}) => (
  <span class="series-key">
    <span class={`series-swatch ${slot}`} />
    {text}
  </span>
);

/** The colours of the first pane and what they are. */
export const keysOf = (
  { indices, spread, normal }: ChartData,
  words: Texts['series'],
): readonly { readonly slot: string; readonly text: string }[] => {
  const [from = 0, to = 0] = [normal?.years[0], normal?.years.at(-1)];
  return [
    ...indices.map(({ name }, i) => ({ slot: `series-${i + 1}`, text: name })),
    ...(spread === null ? [] : [{ slot: 'series-spread', text: words.spread }]),
    ...(normal === null ? [] : [{ slot: 'series-normal', text: words.normal(String(from), String(to)) }]),
  ];
};

/** From when on degrees and water are added up. */
const toSince = ({ sumsFrom }: ChartData, { series, locale }: Texts): string =>
  series.since(
    sumsFrom === null
      ? new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(0)
      : formatDate(sumsFrom, locale),
  );

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

interface HeadProps {
  readonly layer: SeriesLayer;
  readonly series: SeriesState;
  /** What is drawn, if anything is. */
  readonly data?: ChartData;
}

/** The title of a layer, with its unit, its colours and its source. */
export const PaneHead: FunctionComponent<HeadProps> = ({ layer, series, data }) => {
  const { texts } = usePanel();
  const { series: words } = texts;
  const { title, unit } = words.layerNames[layer];
  const source = series.weather.kind === 'ready' ? series.weather.value.source : null;
  const hasKeys = layer === 'soil' && series.soil.kind === 'ready' && series.soil.value.length > 0;
  return (
    <p class="pane-head">
      <strong>{title}</strong>
      <span>{unit}</span>
      {hasKeys && (
        <>
          <SeriesKey slot="series-soil" text={words.surface} />
          <SeriesKey slot="series-root" text={words.rootZone} />
        </>
      )}
      {data !== undefined && (layer === 'growth' || layer === 'balance') && (
        <span>{toSince(data, texts)}</span>
      )}
      {layer === 'temperature' && <span>{nameWeatherSource(source, words)}</span>}
    </p>
  );
};
