/** The page of a saved picture: title, days and sensors above the map, legend and sources below it. */
import type { Texts } from '../texts/en.ts';
import { formatDate } from '../texts/format.ts';
import type { Units } from '../texts/format-measures.ts';
import type { MapFacts } from './describe-map.ts';
import { drawLegend } from './draw-legend.ts';
import type { MapPicture } from './draw-map.ts';
import { drawNorth, drawScaleBar } from './map-marks.ts';
import type { PageSheet } from './page-sheet.ts';
import type { Sheet, Spot } from './sheet.ts';
import { FAINT, RULE, rectangle, shortenText, wrapText } from './sheet.ts';

/** What is on the page. */
export interface PicturePage {
  readonly title: string;
  readonly facts: MapFacts;
  readonly map: MapPicture;
  readonly mapWidthPx: number;
  readonly mapHeightPx: number;
  readonly sources: readonly string[];
  /** The day that it is, `YYYY-MM-DD`. */
  readonly today: string;
  readonly units: Units;
  readonly texts: Texts;
}

const MARGIN_PX = 24;
const HEAD_PX = 72;
const TITLE = { sizePx: 22, isBold: true } as const;
const SUBTITLE = { sizePx: 13, color: FAINT } as const;
const SMALL = { sizePx: 10, color: FAINT } as const;
const SMALL_LINE_PX = 14;

/** A map in its frame, with scale and north. */
export const drawFramedMap = (
  sheet: PageSheet,
  [x, y]: Spot,
  {
    map,
    mapWidthPx: width,
    mapHeightPx: height,
    units,
    texts,
  }: Pick<PicturePage, 'map' | 'mapWidthPx' | 'mapHeightPx' | 'units' | 'texts'>,
): void => {
  sheet.image(map.canvas, [x, y], width, height);
  sheet.path(rectangle([x, y], width, height), { stroke: RULE });
  drawNorth(sheet, [x + width - 32, y + 32], map.bearing, texts.readout.north);
  if (map.metresPerPx !== null)
    drawScaleBar(sheet, [x + 12, y + height - 12], {
      metresPerPx: map.metresPerPx,
      units,
      locale: texts.locale,
    });
};

/** Small lines of text, one below the other; answers where the next one begins. */
export const drawSmallLines = (
  sheet: Sheet,
  [x, y]: Spot,
  lines: readonly string[],
  widthPx: number,
): number => {
  let top = y;
  for (const line of lines.flatMap((text) => wrapText(sheet, text, SMALL, widthPx))) {
    sheet.text(line, [x, top + 10], SMALL);
    top += SMALL_LINE_PX;
  }
  return top;
};

/** Whom to name and when it was made, as lines. */
export const toSourceLines = ({
  sources,
  today,
  texts,
}: Pick<PicturePage, 'sources' | 'today' | 'texts'>): readonly string[] => [
  `${texts.report.sources}: ${sources.join(' · ')}`,
  texts.report.made(formatDate(today, texts.locale)),
];

/** Draws the page and answers how high it is. */
const draw = (sheet: PageSheet, page: PicturePage): number => {
  const { title, facts, mapWidthPx: width, mapHeightPx, texts } = page;
  sheet.text(shortenText(sheet, title, TITLE, width), [MARGIN_PX, 40], TITLE);
  sheet.text(shortenText(sheet, facts.subtitle, SUBTITLE, width), [MARGIN_PX, 60], SUBTITLE);
  drawFramedMap(sheet, [MARGIN_PX, HEAD_PX], page);
  let y = HEAD_PX + mapHeightPx + 12;
  for (const legend of facts.legends)
    y += drawLegend(sheet, [MARGIN_PX, y], { legend, widthPx: width, locale: texts.locale }) + 8;
  const scenes = facts.scenes.length === 0 ? [] : [`${texts.clear.sources}: ${facts.scenes.join(' · ')}`];
  return drawSmallLines(sheet, [MARGIN_PX, y], [...scenes, ...toSourceLines(page)], width) + MARGIN_PX / 2;
};

/** A sheet on which nothing is drawn. */
const makeDrySheet = (measure: Sheet['measure']): PageSheet => ({
  widthPx: 0,
  heightPx: 0,
  measure,
  text: () => {},
  path: () => {},
  image: () => {},
  finish: () => Promise.reject(new Error('Nothing is drawn on this sheet.')),
});

/** Draws the page on a sheet of the size that it needs. */
export const drawPicturePage = (
  page: PicturePage,
  makeSheet: (widthPx: number, heightPx: number) => PageSheet,
  measure: Sheet['measure'],
): PageSheet => {
  const heightPx = Math.ceil(draw(makeDrySheet(measure), page));
  const sheet = makeSheet(page.mapWidthPx + 2 * MARGIN_PX, heightPx);
  draw(sheet, page);
  return sheet;
};
