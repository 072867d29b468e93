import type { GalleryPicture, GallerySheet, Square } from './sheet.ts';
import { toSquare } from './sheet.ts';

const bends = { lon: -122.4025, lat: 48.2216, sideM: 5000 };
const town = { lon: -122.3598, lat: 48.1899, sideM: 8200 };
const townAndFields = { ...town, sideM: 13_000 };
const flood = { lon: -122.358, lat: 48.19, sideM: 17_000 };

const flown = 'NAIP/wa/2023/1m/rgbir/48122/m_4812262_nw_10_1_20230712';
const farm = { lon: -122.3422, lat: 48.0899, sideM: 800 };

const cbers4 = (camera: string): string => `CBERS4${camera}/CBERS_4_${camera}_20180709_252_046_L4`;

const show = (title: string, [viewId, bands]: readonly [string, string], square: Square): GalleryPicture => ({
  title,
  address: toSquare({ viewId, bands, query: 'STRETCH=natural' }, square),
});

/** Every sensor in natural colour. */
export const sensorSheets: readonly GallerySheet[] = [
  {
    name: 'sensors-1',
    title: 'Sentinel-2 and Landsat',
    text: '[Natural colour](pictures.md#natural-colour): reflectance between fixed bounds, the same on every date.',
    columns: 4,
    pictures: [
      show('Sentinel-2 L1C', ['S2/10/U/EU/2026/6/21/1', 'B04,B03,B02'], bends),
      show('Sentinel-2 L2A', ['S2L2A/10/U/EU/2026/9/16/0', 'B04,B03,B02'], bends),
      show('Landsat 9', ['L9/LC90460262026126LGN00', 'B4,B3,B2'], {
        lon: -122.0836,
        lat: 48.2887,
        sideM: 6400,
      }),
      show('Landsat 8, Collection 2', ['L8/LC80460262025195LGN00', 'B4,B3,B2'], town),
      show('Landsat 8, Collection 1', ['L8/LC80460262019218LGN00', 'B4,B3,B2'], {
        lon: -122.5045,
        lat: 48.1177,
        sideM: 6400,
      }),
      show(
        'Landsat 7, with the gaps of its scan line corrector',
        ['L7/LE70460262008204EDC00', 'B3,B2,B1'],
        town,
      ),
      show('Landsat 5 TM', ['L5TM/LT50460261995216PAC01', 'B3,B2,B1'], town),
      show('Landsat 4 TM', ['L4TM/LT40460261990192XXX03', 'B3,B2,B1'], town),
    ],
  },
  {
    name: 'sensors-2',
    title: 'MSS, MODIS, NAIP, CBERS-4 and Sentinel-1',
    text: 'Sensors without a blue band show near infrared as red, as is customary.',
    columns: 4,
    pictures: [
      show('Landsat 5 MSS', ['L5MSS/LM50460261986173AAA03', 'B4,B2,B1'], townAndFields),
      show('Landsat 4 MSS', ['L4MSS/LM40460261983231AAA03', 'B4,B2,B1'], townAndFields),
      show('MODIS MCD43A4', ['MODIS/09/04/2025225/2025234094223', 'B01,B04,B03'], {
        lon: -122.26,
        lat: 48.255,
        sideM: 106_000,
      }),
      show('Sentinel-2 L2A of the same ground, coarse', ['S2L2A/10/U/EU/2025/7/17/1', 'B04,B03,B02'], {
        lon: -122.26,
        lat: 48.255,
        sideM: 106_000,
      }),
      show('NAIP, three bands', ['NAIP/wa/2015/1m/rgb/48122/m_4812254_nw_10_1_20150820', 'R,G,B'], {
        lon: -122.3598,
        lat: 48.1899,
        sideM: 500,
      }),
      show('NAIP, four bands', [flown, 'R,G,B'], farm),
      show('NAIP, near infrared as red', [flown, 'N,R,G'], farm),
      show('CBERS-4 MUX', [cbers4('MUX'), 'BAND7,BAND6,BAND5'], { ...town, sideM: 7800 }),
      show('CBERS-4 AWFI', [cbers4('AWFI'), 'BAND15,BAND14,BAND13'], { ...town, sideM: 33_000 }),
      show('CBERS-4 PAN10M', [cbers4('PAN10M'), 'BAND4,BAND3,BAND2'], { ...town, sideM: 4600 }),
      show('CBERS-4 PAN5M', [cbers4('PAN5M'), 'BAND1'], { ...town, sideM: 2600 }),
      show(
        'Sentinel-1 VV, the flood of December 2025',
        ['S1/S1A_IW_GRDH_1SDV_20251211T141948_20251211T141951_062268_075965_626B', 'VV'],
        flood,
      ),
    ],
  },
];
