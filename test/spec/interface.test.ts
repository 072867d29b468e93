/** Sections 4.2 to 4.13 of the interface, row by row, against one running service. */
import './4-2-tile-colors.ts';
import './4-2-tile-effects.ts';
import './4-2-tile-resampling.ts';
import './4-2-tile-classes.ts';
import './4-2-tile.ts';
import './4-3-bounds.ts';
import './4-4-preview.ts';
import './4-5-virtual-band.ts';
import './4-5-functions.ts';
import './4-6-colors.ts';
import './4-7-palette.ts';
import './4-8-colormaps.ts';
import './4-9-areas.ts';
import './4-10-pansharpening.ts';
import './4-11-point.ts';
import './4-12-intensity.ts';
import './4-13-parse-vb.ts';
