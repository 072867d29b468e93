/** What is drawn over a map: a bar that says how long a kilometre is, and an arrow to the north. */
import type { Units } from '../texts/format-measures.ts';
import { formatLength } from '../texts/format-measures.ts';
import type { Sheet, Spot } from './sheet.ts';
import { INK, rectangle } from './sheet.ts';

const WHITE = '#ffffff';
const MILE_M = 1609.344;
const FOOT_M = 0.3048;

/** The longest of 1, 2, 3 and 5 times a power of ten that is not longer than `most`. */
export const toRoundNumber = (most: number): number => {
  const power = 10 ** Math.floor(Math.log10(most));
  const factor = [5, 3, 2, 1].find((one) => one * power <= most * (1 + 1e-9)) ?? 1;
  return factor * power;
};

/** A round length of at most `mostPx`, in metres. */
export const planScaleBar = (metresPerPx: number, mostPx: number, units: Units): number => {
  const mostM = metresPerPx * mostPx;
  if (units === 'metric') return toRoundNumber(mostM);
  const unitM = mostM < MILE_M ? FOOT_M : MILE_M;
  return toRoundNumber(mostM / unitM) * unitM;
};

interface ScaleBarOptions {
  readonly metresPerPx: number;
  readonly units: Units;
  readonly locale: string;
}

/** Draws the bar; `spot` is its lower left corner. */
export const drawScaleBar = (
  sheet: Sheet,
  [x, y]: Spot,
  { metresPerPx, units, locale }: ScaleBarOptions,
): void => {
  const lengthM = planScaleBar(metresPerPx, 140, units);
  const lengthPx = lengthM / metresPerPx;
  const style = { sizePx: 11, isBold: true } as const;
  const text = formatLength(lengthM, units, locale);
  const width = Math.max(lengthPx, sheet.measure(text, style)) + 16;
  sheet.path(rectangle([x, y - 30], width, 30), { fill: WHITE });
  sheet.text(text, [x + 8, y - 15], style);
  sheet.path(
    [
      [x + 8, y - 11],
      [x + 8, y - 6],
      [x + 8 + lengthPx, y - 6],
      [x + 8 + lengthPx, y - 11],
    ],
    { stroke: INK, widthPx: 1.5 },
  );
};

/** Draws the arrow, turned against the map; `spot` is the middle of its circle. */
export const drawNorth = (sheet: Sheet, [x, y]: Spot, bearing: number, letter: string): void => {
  const angle = (-bearing * Math.PI) / 180;
  const turn = (dx: number, dy: number): Spot => [
    x + dx * Math.cos(angle) - dy * Math.sin(angle),
    y + dx * Math.sin(angle) + dy * Math.cos(angle),
  ];
  const circle = Array.from({ length: 49 }, (_, i): Spot => {
    const at = (i / 24) * Math.PI;
    return [x + 20 * Math.cos(at), y + 20 * Math.sin(at)];
  });
  sheet.path(circle, { fill: WHITE });
  sheet.path([turn(0, -16), turn(6, 2), turn(0, -2), turn(-6, 2), turn(0, -16)], { fill: INK });
  const [letterX, letterY] = turn(0, 10);
  sheet.text(letter, [letterX, letterY + 4], { sizePx: 11, isBold: true, align: 'center' });
};
