import type { GalleryPicture, GallerySheet } from './sheet.ts';
import { toBounds } from './sheet.ts';

const ground = toBounds({ lon: -122.4025, lat: 48.2216, sideM: 5000 });

const show = (title: string, bands: string, query: string, verb = ''): GalleryPicture => ({
  title,
  address: `/api/mosaic/${verb}S2L2A/2025-10..2026-05/${bands}/${ground}?${query}`,
});

/** A cloudy half-year, put together in several ways. */
export const mosaicSheet: GallerySheet = {
  name: 'mosaics',
  title: 'Mosaics',
  text: 'A cloudy half-year, October to May, of which most scenes show clouds. [mosaics.md](mosaics.md) explains the parameters.',
  columns: 4,
  pictures: [
    show('The mean of all scenes, clouds and all', 'B04,B03,B02', 'selection=mean&mask=none&STRETCH=natural'),
    show('The newest scene without clouds', 'B04,B03,B02', 'selection=newest&dilate=60&STRETCH=natural'),
    show('The median', 'B04,B03,B02', 'selection=median&dilate=60&STRETCH=natural'),
    show('The greenest day of each pixel', 'B04,B03,B02', 'selection=highest&by=NDVI&STRETCH=natural'),
    show('Where those pixels come from', 'B04,B03,B02', 'selection=highest&by=NDVI', 'sources/'),
    show('NDVI of the median', 'NDVI', 'selection=median'),
    show('How much NDVI changes', 'NDVI', 'selection=stddev&COLORMAP=viridis&MIN_MAX=0,0.3'),
    show('How many scenes show the ground', 'NDVI', 'selection=count&COLORMAP=viridis&MIN_MAX=0,16'),
  ],
};
