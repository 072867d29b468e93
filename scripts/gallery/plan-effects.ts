import type { GalleryReferences } from './references.ts';
import type { GallerySheet } from './sheet.ts';
import { toSquare, toTile } from './sheet.ts';

const bends = { lon: -122.4025, lat: 48.2216, sideM: 5000 };
const within = { lon: -122.4035, lat: 48.2205, sideM: 3300 };
const lake = { lon: -122.0836, lat: 48.2887, sideM: 6400 };
const fire = { lon: -121.8853, lat: 48.1044, sideM: 11_500 };
const town = { lon: -122.3598, lat: 48.1899, sideM: 8200 };
/** Streets, and halls with bright roofs. */
const streets = '15/5245/11363';

const summer = 'S2L2A/10/U/EU/2026/6/21/1';
const landsat9 = 'L9/LC90460262026126LGN00';
const landsat8 = 'L8/LC80460262025195LGN00';
const NATURAL = 'STRETCH=natural';
const [beforeFire, afterFire] = ['S2L2A/10/U/EU/2026/8/2/1', 'S2L2A/10/U/EU/2026/8/17/1'] as const;

const ofFields = (bands: string, query = ''): string => toSquare({ viewId: summer, bands, query }, bends);
const ofArea = (bands: string, query: string): string => toSquare({ viewId: summer, bands, query }, within);
const ofClouds = (query = ''): string => toSquare({ viewId: landsat9, bands: 'B4,B3,B2', query }, lake);
const ofTown = (bands: string, query = ''): string => toSquare({ viewId: landsat8, bands, query }, town);
const ofStreets = (bands: string, query = ''): string => toTile({ viewId: landsat8, bands, query }, streets);

/** What is computed before it is shown. */
export const planComputedSheet = ({ area }: GalleryReferences): GallerySheet => ({
  name: 'computed',
  title: 'Computed',
  text: '[Band math](band-math.md), calibration, the fire of August 2026, and [classes of similar pixels](classes.md).',
  columns: 4,
  pictures: [
    { title: 'False colours: near infrared, red, green', address: ofFields('B08,B04,B03', NATURAL) },
    {
      title: 'A composite of three expressions',
      address: ofFields('(B08-B04)/(B08+B04),B08/B05-1,(B11-B08)/(B11+B08)', 'COMPOSITE=1'),
    },
    { title: 'ISTACK: NDVI, NDWI and NDSI', address: ofFields('ISTACK') },
    {
      title: 'Reflectance, 0 to 0.18 with a gamma of 1.4',
      address: ofFields('B04,B03,B02', 'CALIBRATE=1&MIN_MAX=0,0.18&GAMMA=1.4'),
    },
    {
      title: 'Before the fire, short-wave infrared as red',
      address: toSquare({ viewId: beforeFire, bands: 'B12,B8A,B04', query: NATURAL }, fire),
    },
    {
      title: 'After the fire',
      address: toSquare({ viewId: afterFire, bands: 'B12,B8A,B04', query: NATURAL }, fire),
    },
    {
      title: 'PR_FD: what changed since the scene before, where trees stood',
      address: toSquare({ viewId: afterFire, bands: 'PR_FD', query: 'COLORMAP=inferno' }, fire),
    },
    { title: 'Thermal infrared of Landsat 8, 265 to 325 K', address: ofTown('B10', NATURAL) },
    {
      title: 'Its temperature, 290 to 315 K',
      address: ofTown('B10', 'CALIBRATE=1&COLORMAP=inferno&MIN_MAX=290,315'),
    },
    { title: 'Five classes of NDVI', address: ofFields('NDVI', 'CLUSTERING=kmeans') },
    {
      title: 'Four classes of an area, fitted to it',
      address: ofArea('NDVI', `CLUSTERING=kmeans&CLUSTERS_NO=4&cropper_ref=${area}`),
    },
    {
      title: 'The same without patches below two hectares',
      address: ofArea('NDVI', `CLUSTERING=kmeans&CLUSTERS_NO=4&MIN_AREA=20000&cropper_ref=${area}`),
    },
  ],
});

/** What is cut out, painted over, sharpened or framed. */
export const planFramedSheet = ({ area, parts }: GalleryReferences): GallerySheet => ({
  name: 'framed',
  title: 'Cut out, painted over, sharpened, framed',
  text: '[Areas](pictures.md#areas), [clouds](clouds.md), [pansharpening](pansharpening.md) and other parameters of pictures.',
  columns: 4,
  pictures: [
    { title: 'An area', address: ofArea('B04,B03,B02', `${NATURAL}&cropper_ref=${area}`) },
    { title: 'An area of two parts, one with a hole', address: ofFields('NDVI', `cropper_ref=${parts}`) },
    { title: 'Clouds as they are', address: ofClouds(NATURAL) },
    { title: 'Clouds painted over', address: ofClouds(`${NATURAL}&MASKING=CLOUD&MASK_COLOR=d81b60`) },
    { title: 'Landsat 8, 30 m', address: ofStreets('B4,B3,B2', NATURAL) },
    { title: 'Sharpened to 15 m', address: ofStreets('B4,B3,B2', `${NATURAL}&PANSHARPENING=1`) },
    { title: 'NDVI, 30 m', address: ofStreets('NDVI') },
    { title: 'NDVI, sharpened', address: ofStreets('NDVI', 'PANSHARPENING=1') },
    {
      title: 'Bounds and picture in UTM: the scene is upright',
      address: toTile(
        { viewId: summer, bands: 'B04,B03,B02', query: `${NATURAL}&crs=EPSG:32610` },
        '12/541700;547080;32610/5343800;5338420;32610',
      ),
    },
    {
      title: 'A contrast of one’s own: near infrared from 0 to 8000',
      address: ofFields('B08', 'MIN_MAX=0,8000'),
    },
    {
      title: 'A preview, 512 pixels, with its watermark',
      address: `/api/render/S2L2A/preview/10/U/EU/2026/6/21/1/B04,B03,B02/14/48.2216/-122.4025?${NATURAL}`,
    },
    {
      title: 'A thumbnail: the whole scene',
      address: `/api/render/S2L2A/thumb/10/U/EU/2025/7/17/1.png?${NATURAL}`,
    },
  ],
});
