import type { GalleryPicture, GallerySheet, Square } from './sheet.ts';
import { toSquare } from './sheet.ts';

const fire = { lon: -121.8853, lat: 48.1044, sideM: 11_500 };
const town = { lon: -122.3598, lat: 48.1899, sideM: 8200 };
const world = { lon: -122.26, lat: 48.255, sideM: 106_000 };
const bends = { lon: -122.4025, lat: 48.2216, sideM: 5000 };

const scenes: readonly (readonly [title: string, viewId: string, bands: string, square: Square])[] = [
  ['A burn scar', 'S2L2A/10/U/EU/2026/8/17/1', 'B04,B03,B02', fire],
  ['A town', 'L8/LC80460262025195LGN00', 'B4,B3,B2', town],
  ['Clouds', 'S2L2A/10/U/EU/2025/7/17/1', 'B04,B03,B02', world],
  ['November', 'S2L2A/10/U/EU/2024/11/8/0', 'B04,B03,B02', bends],
];

const show = (stretch: 'auto' | 'natural'): readonly GalleryPicture[] =>
  scenes.map(([title, viewId, bands, square]) => ({
    title: `${title}, ${stretch}`,
    address: toSquare({ viewId, bands, query: `STRETCH=${stretch}` }, square),
  }));

/** The contrast of the scene, and below it natural colour. */
export const naturalSheet: GallerySheet = {
  name: 'natural',
  title: 'Natural colour',
  text: 'Above, automatic contrast: the default of the interface. Below, [natural colour](pictures.md#natural-colour).',
  columns: 4,
  pictures: [...show('auto'), ...show('natural')],
};
