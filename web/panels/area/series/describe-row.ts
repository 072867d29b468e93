/** A series in words: a day of it, for the line above the chart and for screen readers, and who measured it. */
import type { SeriesLayer } from '../../../state/series-state.ts';
import type { Texts } from '../../../texts/en.ts';
import { formatDate, formatNumber, formatPercent } from '../../../texts/format.ts';
import type { ChartData } from './chart-data.ts';

/** What is known of a day, in words. */
export const describeRow = (
  data: ChartData,
  row: number,
  texts: Texts,
  layers: readonly SeriesLayer[],
): readonly string[] => {
  const { locale, series: words } = texts;
  const [scene, weather, soil] = [
    data.scenes[row] ?? null,
    data.weather[row] ?? null,
    data.soil[row] ?? null,
  ];
  const values = data.indices.flatMap(({ name, points, line }) => {
    const point = points[row] ?? null;
    const smooth = line[row] ?? null;
    if (point !== null) return [`${name} ${formatNumber(point, locale)}`];
    return smooth === null ? [] : [`${name} ≈ ${formatNumber(smooth, locale)}`];
  });
  const temperature =
    weather === null
      ? []
      : [`${formatNumber(weather.minC, locale)} … ${formatNumber(weather.maxC, locale)} °C`];
  const rain =
    weather === null || weather.rainMm === null ? [] : [`${formatNumber(weather.rainMm, locale)} mm`];
  const sums = (
    [
      ['growth', data.growth],
      ['balance', data.balance],
    ] as const
  ).flatMap(([layer, column]) => {
    const sum = column[row] ?? null;
    if (sum === null || !layers.includes(layer)) return [];
    const { title, unit } = words.layerNames[layer];
    return [`${title} ${formatNumber(sum, locale)} ${unit}`];
  });
  return [
    formatDate(data.days[row] ?? '', locale),
    ...values,
    ...(scene === null || scene.cloudPercent === null
      ? []
      : [texts.find.cloud(formatPercent(scene.cloudPercent, locale))]),
    ...temperature,
    ...rain,
    ...sums,
    ...(soil === null ? [] : [`${formatNumber(soil.surface, locale)} m³/m³`]),
    ...(weather?.isForecast ? [words.forecast] : []),
  ];
};

/** Who has measured the weather; some ask to be named. */
export const nameWeatherSource = (source: string | null, words: Texts['series']): string => {
  if (source === null) return '';
  return source.startsWith('open-meteo') ? words.openMeteo : words.source(source);
};
