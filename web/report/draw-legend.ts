/** What the colours of a map mean, on a page: a bar with numbers, or a row of classes. */
import type { Legend } from '../api/legend.ts';
import { colorAt } from '../api/legend.ts';
import { formatNumber } from '../texts/format.ts';
import type { Sheet, Spot } from './sheet.ts';
import { FAINT, INK, rectangle, shortenText } from './sheet.ts';

/** A legend with what it is of. */
export interface TitledLegend {
  readonly title: string;
  readonly legend: Legend;
}

const BAR_PX = 240;
/** As many as an eye tells apart in a bar of this width. */
const STEPS = 120;
const LINE_PX = 18;
const TEXT = { sizePx: 11, color: FAINT } as const;
const TITLE = { sizePx: 12, isBold: true } as const;

/** Draws it below `spot`, in a room of this width, and answers its height. */
export const drawLegend = (
  sheet: Sheet,
  [x, y]: Spot,
  {
    legend: { title, legend },
    widthPx,
    locale,
  }: { readonly legend: TitledLegend; readonly widthPx: number; readonly locale: string },
): number => {
  sheet.text(shortenText(sheet, title, TITLE, widthPx), [x, y + 12], TITLE);
  if (legend.kind === 'bar') {
    const { min, max } = legend;
    const width = Math.min(BAR_PX, widthPx);
    for (let i = 0; i < STEPS; i++) {
      const color = colorAt(legend, min + ((i + 0.5) / STEPS) * (max - min));
      // A little wider, so that no gap shows between two of them.
      const step = rectangle(
        [x + (i / STEPS) * width, y + 20],
        width / STEPS + (i === STEPS - 1 ? 0 : 0.5),
        10,
      );
      if (color !== undefined) sheet.path(step, { fill: color });
    }
    for (const [share, align] of [
      [0, 'left'],
      [0.5, 'center'],
      [1, 'right'],
    ] as const)
      sheet.text(formatNumber(min + share * (max - min), locale), [x + share * width, y + 43], {
        ...TEXT,
        align,
      });
    return 48;
  }
  let [left, top] = [x, y + 20];
  for (const { color, text } of legend.entries) {
    const shown = shortenText(sheet, text, TEXT, widthPx - LINE_PX);
    const width = LINE_PX + sheet.measure(shown, TEXT) + 14;
    if (left > x && left + width > x + widthPx) [left, top] = [x, top + LINE_PX];
    sheet.path(rectangle([left, top], 12, 12), { fill: color, stroke: INK, widthPx: 0.5 });
    sheet.text(shown, [left + LINE_PX, top + 10], TEXT);
    left += width;
  }
  return top - y + LINE_PX;
};
