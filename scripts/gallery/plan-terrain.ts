import type { GallerySheet } from './sheet.ts';

/** Mountains, and the foothills whose survey is bad. */
const mountains = '11/331/707';
const badSurvey = '12/659/1416';

const ofTerrain = (tile: string, query: string): string =>
  `/api/render/terrain/${tile}${query === '' ? '' : `?${query}`}`;

/** Relief of the demo world's elevation model. */
export const terrainSheet: GallerySheet = {
  name: 'terrain',
  title: 'Terrain',
  text: '[Hillshade, slope and aspect](terrain.md) of the elevation model `demo`. Around the forest it has the defects of a bad survey: whole metres, spikes and voids.',
  columns: 4,
  pictures: [
    { title: 'Hillshade', address: ofTerrain(mountains, '') },
    { title: 'Light from the east, low', address: ofTerrain(mountains, 'AZIMUTH=90&ALTITUDE=20') },
    {
      title: 'Three ranges of shades in colours',
      address: ofTerrain(mountains, 'THRESHOLDS=110,190&COLORS=31456b,8aa37b,f3e9c6'),
    },
    { title: 'Slope, 0 to 45°', address: ofTerrain(mountains, 'format=slope&SLOPE_RANGE=0,45') },
    {
      title: 'Slopes above 25° only',
      address: ofTerrain(mountains, 'format=slope&COLORMAP=inferno&SLOPE_RANGE=25,50&MIN_SLOPE=25'),
    },
    { title: 'Aspect: north is red, then clockwise', address: ofTerrain(mountains, 'format=aspect') },
    { title: 'A bad survey', address: ofTerrain(badSurvey, '') },
    { title: 'The same with FILTERING', address: ofTerrain(badSurvey, 'FILTERING=TRUE') },
  ],
};
