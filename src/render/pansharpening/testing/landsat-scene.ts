import type { Asset, Scene } from '../../../catalog/index.ts';
import { toScene } from '../../../catalog/index.ts';
import { sensorByAbbreviation } from '../../../sensors/index.ts';
import type { TestImage } from '../../pixels/testing/compute-plan.ts';

/** Nine kilometres of Landsat: the panchromatic grid begins half of its pixels inside of the others', as in real ones. */
const BAND: Asset = {
  href: 'scenes/test/B4.tif',
  bandIndex: 0,
  epsg: 32631,
  transform: [500_000, 30, 0, 4_700_000, 0, -30],
  width: 300,
  height: 300,
  type: 'uint16',
  nodata: 0,
  scale: 1,
  offset: 0,
  overviews: [],
};
const PAN: Asset = {
  ...BAND,
  href: 'scenes/test/B8.tif',
  transform: [500_007.5, 15, 0, 4_699_992.5, 0, -15],
  width: 599,
  height: 599,
};

/** In the middle of the scene; four tiles of the next zoom level are this one with 512 pixels. */
export const MIDDLE = { z: 13, x: 4165, y: 3027 } as const;

/** A scene of Landsat 8 or 7. */
export function makeLandsat(abbreviation: 'L8' | 'L7', more: Partial<Asset> = {}): Scene {
  const names = ['B1', 'B2', 'B3', 'B4', 'B5'].concat(abbreviation === 'L8' ? ['B10'] : []);
  const bands = names.map((band) => [band, { ...BAND, href: `scenes/test/${band}.tif`, ...more }] as const);
  const viewId = abbreviation === 'L8' ? 'L8/LC81970302019218LGN00' : 'L7/LE71970302008204EDC00';
  const dataset = abbreviation === 'L8' ? 'landsat8' : 'landsat7';
  const assets = { ...Object.fromEntries(bands), B8: { ...PAN, ...more } };
  return toScene({
    viewId,
    dataset,
    assets,
    sceneId: viewId.slice(3),
    provenance: 'test',
    fields: {},
    acquiredAt: '2019-08-06T10:30:00.000Z',
    coveragePercent: 100,
    cloudPercent: 0,
    sunElevationDeg: 65,
    sunAzimuthDeg: 135,
    footprint: {
      type: 'Polygon',
      coordinates: [
        [
          [3, 42.3],
          [3.2, 42.3],
          [3.2, 42.5],
          [3, 42.5],
          [3, 42.3],
        ],
      ],
    },
  });
}

/** The sensor of such a scene. */
export function landsat(abbreviation: string) {
  const sensor = sensorByAbbreviation(abbreviation);
  if (sensor === null) throw new Error(`no sensor ${abbreviation}`);
  return sensor;
}

/** An image of a formula of metres from the scene's corner. */
export function paint({ width, height, transform }: Asset, value: (x: number, y: number) => number) {
  const pixels = new Uint16Array(width * height);
  for (let row = 0; row < height; row++) {
    for (let col = 0; col < width; col++) {
      const x = transform[0] + (col + 0.5) * transform[1] - 500_000;
      const y = 4_700_000 - transform[3] - (row + 0.5) * transform[5];
      pixels[row * width + col] = value(x, y);
    }
  }
  return { pixels, width, height };
}

/** Hills, fields and, for the panchromatic band only, stripes of 30 m. */
export function paintScene({ assets }: Scene): Readonly<Record<string, TestImage>> {
  const field = (x: number, y: number): number =>
    ((Math.floor(x / 400) * 7 + Math.floor(y / 300) * 13) % 11) / 11;
  const hill = (x: number, y: number): number => Math.sin(x / 700) * Math.cos(y / 500);
  return Object.fromEntries(
    Object.entries(assets).map(([band, asset], i) => {
      const stripes = (x: number, y: number): number =>
        band === 'B8' ? 900 * Math.sign(Math.sin((2 * Math.PI * (x + 0.3 * y)) / 47)) : 0;
      return [
        band,
        paint(
          asset,
          (x, y) => 9_000 + 300 * i + 1_500 * field(x + 90 * i, y) + 700 * hill(x, y) + stripes(x, y),
        ),
      ];
    }),
  );
}
