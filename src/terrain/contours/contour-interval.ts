/**
 * Default intervals in metres by zoom level, from 0 up, of tiles with 256 pixels a side. They follow the practice of
 * topographic maps (10 m at 1:25 000, 20 m at 1:50 000, 50 m at 1:100 000, 100 m at 1:200 000): on a slope of 10° the
 * lines are about 6 pixels apart, 1.5 to 2 mm on a screen. Below zoom 10 a pixel is 300 m and more: slopes between
 * pixels are gentler, and the interval grows more slowly than the pixel.
 */
const INTERVALS_M: readonly number[] = [
  ...[2000, 2000, 2000, 2000, 1000, 1000, 1000, 500, 500, 200],
  ...[200, 100, 50, 20, 10, 5],
];

/** The default contour interval of a zoom level; beyond the last one of the table it stays the same. */
export function contourIntervalM(zoom: number): number {
  const last = INTERVALS_M.length - 1;
  return INTERVALS_M[Math.max(0, Math.min(last, Math.floor(zoom)))]!;
}
