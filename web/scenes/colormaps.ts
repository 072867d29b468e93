/** Colormaps that the viewer offers for one band or index; the server knows many more. */
import type { ViewerSensor } from './bands.ts';

/** A choice of colours: the server's name for it, and ours. */
interface ColormapChoice {
  readonly name: string;
  readonly title: string;
}

/** A few that differ: one for the eye, one for heat, one from bad to good, and none. */
export const COLORMAPS: readonly ColormapChoice[] = [
  { name: 'gray', title: 'Grey' },
  { name: 'viridis', title: 'Viridis' },
  { name: 'inferno', title: 'Inferno' },
  { name: 'RdYlGn', title: 'Red to green' },
];

/** True where a colormap can be chosen: for one band or index that measures something. Classes and bits have their own. */
export const isColorable = ({ bands }: ViewerSensor, shown: string): boolean =>
  !shown.includes(',') && bands.find(({ name }) => name === shown)?.isClasses !== true;

/** The colormap to request, or `null` for the picture's own colours. */
export const planColormap = (sensor: ViewerSensor, shown: string, wanted: string | null): string | null =>
  isColorable(sensor, shown) && COLORMAPS.some(({ name }) => name === wanted) ? wanted : null;
