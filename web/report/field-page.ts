/** The report of a field on one page: the map with its outline, key numbers, the curve, the weather, and the sources. */
import { nameWeatherSource } from '../panels/area/series/describe-row.ts';
import type { Outline } from '../scenes/footprint.ts';
import { wordsOfIndex } from '../scenes/titles.ts';
import { areaM2 } from '../shapes/geodesic.ts';
import { formatDate, formatNumber } from '../texts/format.ts';
import { formatArea } from '../texts/format-measures.ts';
import type { ChartPane } from './draw-chart.ts';
import { drawChart } from './draw-chart.ts';
import { drawLegend } from './draw-legend.ts';
import type { PageSheet } from './page-sheet.ts';
import type { PicturePage } from './picture-page.ts';
import { drawFramedMap, drawSmallLines, toSourceLines } from './picture-page.ts';
import type { FieldFacts } from './read-field.ts';
import type { Sheet } from './sheet.ts';
import { FAINT, RULE, shortenText } from './sheet.ts';

/** A4 at 96 pixels an inch. */
export const [PAGE_WIDTH_PX, PAGE_HEIGHT_PX] = [794, 1123];
/** The size of the map on the page. */
export const [FIELD_MAP_WIDTH_PX, FIELD_MAP_HEIGHT_PX] = [450, 330];
const MARGIN_PX = 44;
const WIDTH_PX = PAGE_WIDTH_PX - 2 * MARGIN_PX;
/** The colours that the charts of the viewer have on a light page. */
const [CURVE, HEAT, HEAT_SOFT, RAIN] = ['#256b41', '#b3261e', '#f4dedd', '#4a86b5'];
/** Heights of a chart of weather, of the gap below charts, and of the lines below all of them. */
const [WEATHER_PX, GAP_PX, FOOT_PX] = [112, 10, 84];
const TITLE = { sizePx: 26, isBold: true } as const;
const SUBTITLE = { sizePx: 13, color: FAINT } as const;
const SMALL = { sizePx: 11, color: FAINT } as const;
const VALUE = { sizePx: 17, isBold: true } as const;

/** What is on the page. */
export interface FieldPage extends Omit<PicturePage, 'mapWidthPx' | 'mapHeightPx'> {
  readonly outline: Outline;
  readonly field: FieldFacts;
}

interface KeyNumber {
  readonly label: string;
  readonly value: string;
  readonly note?: string;
}

/** With two digits behind the point, as indices are compared. */
const formatIndex = (value: number, locale: string, isSigned = false): string =>
  new Intl.NumberFormat(locale, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    signDisplay: isSigned ? 'exceptZero' : 'negative',
  })
    .format(value)
    .replace('-', '−');

/** The numbers next to the map; those that are not known are left out. */
const listKeyNumbers = ({ outline, field, units, texts }: FieldPage): readonly KeyNumber[] => {
  const { report, series, area, locale } = texts;
  const { index, last, before, season, meanC, rainMm } = field;
  const toDay = (day: string | null): string => (day === null ? '…' : formatDate(day, locale));
  return [
    { label: area.size, value: formatArea(areaM2(outline), units, locale) },
    ...(last === null
      ? []
      : [{ label: report.last(index), value: formatIndex(last.value, locale), note: toDay(last.day) }]),
    ...(last === null || before === null
      ? []
      : [
          {
            label: report.change,
            value: formatIndex(last.value - before.value, locale, true),
            note: report.since(toDay(before.day)),
          },
        ]),
    ...(season === null
      ? []
      : [
          {
            label: report.peak,
            value: formatIndex(season.peak.value, locale),
            note: toDay(season.peak.day),
          },
          { label: report.season, value: `${toDay(season.start)} – ${toDay(season.end)}` },
        ]),
    ...(rainMm === null
      ? []
      : [{ label: series.layerNames.rain.title, value: `${formatNumber(rainMm, locale)} mm` }]),
    ...(meanC === null
      ? []
      : [
          {
            label: series.layerNames.temperature.title,
            value: `${formatNumber(meanC, locale)} °C`,
            note: report.mean,
          },
        ]),
  ];
};

const drawNumbers = (sheet: Sheet, page: FieldPage, x: number, y: number): void => {
  const width = PAGE_WIDTH_PX - MARGIN_PX - x;
  let top = y;
  for (const { label, value, note } of listKeyNumbers(page)) {
    sheet.text(shortenText(sheet, label, SMALL, width), [x, top + 10], SMALL);
    // A season of two dates is longer than a number.
    const style = sheet.measure(value, VALUE) > width ? { ...VALUE, sizePx: 12 } : VALUE;
    sheet.text(shortenText(sheet, value, style, width), [x, top + 29], style);
    if (note !== undefined) {
      const start = sheet.measure(value, style) + 8;
      sheet.text(shortenText(sheet, note, SMALL, width - start), [x + start, top + 29], SMALL);
    }
    top += 46;
  }
};

/** The charts, which share a height. */
const toPanes = (
  { field, texts }: FieldPage,
  roomPx: number,
): readonly (ChartPane & { readonly heightPx: number })[] => {
  const { chart, index } = field;
  const { series, locale } = texts;
  const found = field.sensor.indices.find(({ name }) => name === index);
  const title = found === undefined ? index : `${index} · ${wordsOfIndex(found, texts).title}`;
  const [curve] = chart.indices;
  const hasWeather = chart.weather.some((day) => day !== null);
  const shared = { seconds: chart.seconds, locale };
  const { temperature, rain } = series.layerNames;
  return [
    {
      ...shared,
      title,
      heightPx: hasWeather ? roomPx - 2 * WEATHER_PX : roomPx,
      hasTimeAxis: !hasWeather,
      layers:
        curve === undefined
          ? []
          : [
              { kind: 'line', values: curve.line, color: CURVE },
              { kind: 'points', values: curve.points, color: CURVE },
            ],
    },
    ...(hasWeather
      ? ([
          {
            ...shared,
            title: `${temperature.title} (${temperature.unit})`,
            heightPx: WEATHER_PX,
            hasTimeAxis: false,
            layers: [
              {
                kind: 'band',
                low: chart.weather.map((day) => day?.minC ?? null),
                high: chart.weather.map((day) => day?.maxC ?? null),
                color: HEAT_SOFT ?? '',
              },
              {
                kind: 'line',
                values: chart.weather.map((day) => (day === null ? null : (day.minC + day.maxC) / 2)),
                color: HEAT,
              },
            ],
          },
          {
            ...shared,
            title: `${rain.title} (${rain.unit})`,
            heightPx: WEATHER_PX,
            hasTimeAxis: true,
            isFromZero: true,
            layers: [{ kind: 'bars', values: chart.weather.map((day) => day?.rainMm ?? null), color: RAIN }],
          },
        ] as const)
      : []),
  ];
};

/** Draws the page. */
export const drawFieldPage = (sheet: PageSheet, page: FieldPage): void => {
  const { title, facts, field, texts } = page;
  const { days } = field.chart;
  const period = [days[0], days.at(-1)].map((day) => formatDate(day ?? '', texts.locale)).join(' – ');
  sheet.text(shortenText(sheet, title, TITLE, WIDTH_PX), [MARGIN_PX, 62], TITLE);
  sheet.text(`${texts.report.field} · ${period} · ${field.sensor.title}`, [MARGIN_PX, 84], SUBTITLE);
  const mapTop = 104;
  drawFramedMap(sheet, [MARGIN_PX, mapTop], {
    ...page,
    mapWidthPx: FIELD_MAP_WIDTH_PX,
    mapHeightPx: FIELD_MAP_HEIGHT_PX,
  });
  drawNumbers(sheet, page, MARGIN_PX + FIELD_MAP_WIDTH_PX + 26, mapTop);
  let y = mapTop + FIELD_MAP_HEIGHT_PX + 8;
  y = drawSmallLines(sheet, [MARGIN_PX, y], [`${facts.title} · ${facts.subtitle}`], WIDTH_PX) + 4;
  for (const legend of facts.legends.slice(0, 2))
    y += drawLegend(sheet, [MARGIN_PX, y], { legend, widthPx: WIDTH_PX, locale: texts.locale }) + 4;
  y += 12;
  const roomPx = PAGE_HEIGHT_PX - y - FOOT_PX - 3 * GAP_PX;
  for (const { heightPx, ...pane } of toPanes(page, roomPx)) {
    drawChart(sheet, pane, { x: MARGIN_PX, y, widthPx: WIDTH_PX, heightPx });
    y += heightPx + GAP_PX;
  }
  const weather = nameWeatherSource(field.weatherSource, texts.series);
  const hasWeather = field.chart.weather.some((day) => day !== null);
  const notes = [texts.series.smoothed, hasWeather ? weather : texts.series.noWeather].filter(
    (note) => note !== '',
  );
  sheet.path(
    [
      [MARGIN_PX, y + 2],
      [MARGIN_PX + WIDTH_PX, y + 2],
    ],
    { stroke: RULE },
  );
  drawSmallLines(sheet, [MARGIN_PX, y + 8], [notes.join(' · '), ...toSourceLines(page)], WIDTH_PX);
};
