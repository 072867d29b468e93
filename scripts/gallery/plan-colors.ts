import type { GalleryReferences } from './references.ts';
import type { GallerySheet } from './sheet.ts';
import { toSquare } from './sheet.ts';

const bends = { lon: -122.4025, lat: 48.2216, sideM: 5000 };
const volcano = { lon: -121.705, lat: 48.498, sideM: 24_000 };
const lake = { lon: -122.0836, lat: 48.2887, sideM: 6400 };

const summer = 'S2L2A/10/U/EU/2026/6/21/1';
const cloudy = 'S2L2A/10/U/EU/2026/8/28/0';
const landsat9 = 'L9/LC90460262026126LGN00';

const ofFields = (bands: string, query = ''): string => toSquare({ viewId: summer, bands, query }, bends);

/** Colours of one band or index. */
export const planColorSheet = ({ classes }: GalleryReferences): GallerySheet => ({
  name: 'colors',
  title: 'Colours of one band or index',
  text: 'An index and a band of classes have default colours; `COLORMAP`, `COLORS` and `PALETTE` set others. [How to](colors.md).',
  columns: 4,
  pictures: [
    { title: 'NDVI in its own range colours', address: ofFields('NDVI') },
    { title: 'NDWI in its own range colours', address: ofFields('NDWI') },
    {
      title: 'NDSI in its own range colours: snow on the volcano, clouds next to it',
      address: toSquare({ viewId: 'S2L2A/10/U/EU/2025/7/17/1', bands: 'NDSI' }, volcano),
    },
    { title: 'NDVI with a named colormap', address: ofFields('NDVI', 'COLORMAP=viridis&MIN_MAX=0,1') },
    {
      title: 'A named colormap, reversed, over the contrast of the scene',
      address: ofFields('B11', 'COLORMAP=YlGnBu_r'),
    },
    {
      title: 'A named colormap in six steps',
      address: ofFields('NDVI', 'COLORMAP=RdYlGn&MIN_MAX=0,1&COLORS_LIMIT=6'),
    },
    { title: 'A custom colormap', address: ofFields('NDVI', `COLORMAP=${classes}`) },
    {
      title: 'Range colours',
      address: ofFields('NDVI', 'COLORS=1f4e9e,d9c38f,9ccc65,1b5e20&THRESHOLDS=0.05,0.5,0.75'),
    },
    {
      title: 'Classes of Sentinel-2 L2A in their own palette',
      address: toSquare({ viewId: cloudy, bands: 'SCL' }, bends),
    },
    {
      title: 'A palette: vegetation, soil and clouds, nothing else',
      address: toSquare(
        {
          viewId: cloudy,
          bands: 'SCL',
          query: `PALETTE=${encodeURIComponent('{"4":"#3f9b3f","5":"#d9c38f","9":"#ffffff"}')}`,
        },
        bends,
      ),
    },
    {
      title: 'Bits of a quality band of Landsat 9 in their own palette: water and clouds',
      address: toSquare({ viewId: landsat9, bands: 'BQA' }, lake),
    },
    { title: 'A colorbar', address: '/api/render/colorbar/RdYlGn?MIN_MAX=-0.2,1' },
  ],
});
