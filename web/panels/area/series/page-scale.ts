/** How much larger than on a desk everything is drawn: sizes in `rem` grow on large screens, those of charts with them. */
export const readPageScale = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
