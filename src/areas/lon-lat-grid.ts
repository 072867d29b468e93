import type { Grid } from '../geo/index.ts';

/** A grid whose pixel positions are longitudes and latitudes. */
export const LON_LAT_GRID: Grid = { epsg: 4326, transform: [0, 1, 0, 0, 0, 1], width: 1, height: 1 };
