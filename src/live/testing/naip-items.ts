import { makeProjection } from '../../proj/index.ts';
import { GROUNDS, reflectanceOf } from './ground.ts';
import type { FilePlace, MadeItem, MakeFile } from './made-item.ts';
import { COG_TYPE, toExtensions, toFilePath, toHead } from './made-item.ts';
import { toFootprint } from './mgrs-tiles.ts';
import { makePicture } from './sentinel2-scene.ts';
import { makeVirtualCog, paintSquares } from './virtual-cog.ts';

/** An aerial image: a quarter of a quad. */
export interface NaipChoice {
  /** Lower case: `al`. */
  readonly state: string;
  /** Latitude, longitude and number: `3008501`. */
  readonly quad: string;
  readonly quarter: 'ne' | 'nw' | 'se' | 'sw';
  readonly day: string;
}

/** Sides of aerial images in pixels of 60 cm. */
const AERIAL = { width: 10_240, height: 12_288, pixelM: 0.6 } as const;

/** NAIP as the Planetary Computer has it: one file of four bands. */
export function makeNaip({ state, quad, quarter, day }: NaipChoice, place: FilePlace): MadeItem {
  // Quads are an eighth of a degree wide, eight in a row from the north-west of their degree.
  const number = Number(quad.slice(5)) - 1;
  const lat =
    Number(quad.slice(0, 2)) + 1 - (Math.floor(number / 8) + (quarter[0] === 'n' ? 0.25 : 0.75)) / 8;
  const lon = -(Number(quad.slice(2, 5)) + 1) + ((number % 8) + (quarter[1] === 'w' ? 0.25 : 0.75)) / 8;
  const zone = Math.floor((lon + 180) / 6) + 1;
  const epsg = 26_900 + zone;
  const [x, y] = makeProjection(4326, epsg).forward(lon, lat);
  const snap = (value: number): number => Math.round(value / 0.6) * 0.6;
  const west = snap(x - (AERIAL.width * AERIAL.pixelM) / 2);
  const north = snap(y + (AERIAL.height * AERIAL.pixelM) / 2);
  const box = [
    west,
    north - AERIAL.height * AERIAL.pixelM,
    west + AERIAL.width * AERIAL.pixelM,
    north,
  ] as const;
  const year = day.slice(0, 4);
  const scene = `m_${quad}_${quarter}_${zone}_060_${day.replaceAll('-', '')}`;
  const host = 'naipeuwest.blob.core.windows.net';
  const path = `naip/v002/${state}/${year}/${state}_060cm_${year}/${quad.slice(0, 5)}/${scene}`;
  const bands = ['red', 'green', 'blue', 'nir'] as const;
  return {
    head: toHead({
      stac_extensions: toExtensions('eo/v1.0.0', 'projection/v1.0.0'),
      id: `${state}_${scene}`,
      collection: 'naip',
      geometry: toFootprint(epsg, zone * 6 - 183, box),
      properties: {
        gsd: 0.6,
        datetime: `${day}T16:00:00Z`,
        'naip:year': year,
        'naip:state': state,
        'proj:bbox': [...box],
        'proj:epsg': epsg,
        'proj:shape': [AERIAL.height, AERIAL.width],
        'proj:transform': [0.6, 0, west, 0, -0.6, north, 0, 0, 1],
      },
    }),
    links: [],
    assets: () => ({
      image: {
        href: place.toHttps(host, `${path}.tif`),
        type: COG_TYPE,
        roles: ['data'],
        title: 'RGBIR COG tile',
        'eo:bands': [
          { name: 'Red', common_name: 'red' },
          { name: 'Green', common_name: 'green' },
          { name: 'Blue', common_name: 'blue' },
          { name: 'NIR', common_name: 'nir', description: 'near-infrared' },
        ],
      },
      thumbnail: { href: place.toHttps(host, `${path}.200.jpg`), type: 'image/jpeg', roles: ['thumbnail'] },
    }),
    files: () =>
      new Map<string, MakeFile>([
        [
          toFilePath(host, `${path}.tif`),
          () =>
            makeVirtualCog(
              {
                width: AERIAL.width,
                height: AERIAL.height,
                bandCount: 4,
                type: 'uint8',
                epsg,
                transform: [west, AERIAL.pixelM, 0, north, 0, -AERIAL.pixelM],
                nodata: null,
                compression: 'deflate',
                level: 1,
                predictor: 2,
                photometric: 'rgb',
              },
              paintSquares({
                squarePx: 128,
                cornerPx: 0,
                values: bands.map((meaning) => [...naipValues(meaning, day), 0]),
              }),
            ),
        ],
        [toFilePath(host, `${path}.200.jpg`), makePicture],
      ]),
  };
}

/** Bytes of the kinds of ground in a band of an aerial image. */
export const naipValues = (meaning: 'red' | 'green' | 'blue' | 'nir', day: string): readonly number[] =>
  GROUNDS.map((ground) => Math.min(255, Math.round(reflectanceOf(ground, meaning, day) * 500)));
