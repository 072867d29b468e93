import { existsSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCog } from '../../src/formats/cog/index.ts';
import { toFootprint } from '../../src/live/testing/mgrs-tiles.ts';
import { EPSG, makeBand, TRANSFORM } from '../tiles/make-band.ts';

/** The bands that are shown. */
export const BANDS = ['B04', 'B03', 'B02'] as const;

/** Side of the scenes: a quarter of a Sentinel-2 tile, with blocks of the size that Earth Search's files have. */
export const SIDE_M = 27_450;
const BLOCK_PX = 1024;
const STRIP_PX = 512;

/** Scenes that a mosaic is made of at a time. */
const PARTS = 5;
/** Width of what one scene shows before the next one begins: a tile of zoom 13 has all five. */
const STRIPE_M = 450;

/** Classes of Sentinel-2. */
const [VEGETATION, CLOUD] = [4, 9];

/** What a scene looks like: whole and clear; only a fifth of the ground; whole, with holes that the next ones fill. */
type Sky = { readonly kind: 'clear' } | { readonly kind: 'part' | 'cloudy'; readonly part: number };

interface BenchScene {
  readonly day: string;
  readonly sky: Sky;
}

const parts = Array.from({ length: PARTS }, (_, part) => part);
const toDay = (first: number, part: number): string => `2026-06-${String(first - part).padStart(2, '0')}`;

/** Days of the scenes, the newest of each kind first. */
const SCENES: readonly BenchScene[] = [
  { day: '2026-06-01', sky: { kind: 'clear' } },
  ...parts.map((part): BenchScene => ({ day: toDay(15, part), sky: { kind: 'part', part } })),
  ...parts.map((part): BenchScene => ({ day: toDay(25, part), sky: { kind: 'cloudy', part } })),
];

/** Periods of the address that have the scenes of one kind. */
export const PERIODS = {
  clear: '2026-06-01',
  part: '2026-06-11..2026-06-15',
  cloudy: '2026-06-21..2026-06-25',
};

const toId = (day: string): string => `S2B_36UVA_${day.replaceAll('-', '')}_0_L2A`;

/** The view id of the scene of a day. */
export const toViewId = (day: string): string => `S2L2A/36/U/VA/${day.split('-').map(Number).join('/')}/0`;

/**
 * Makes the scenes. Files with equal pixels are links to one: services cannot know that, and decode each of them.
 */
export async function makeScenes(folder: string): Promise<void> {
  for (const { day, sky } of SCENES) {
    const scene = join(folder, toId(day));
    mkdirSync(scene, { recursive: true });
    for (const [serial, band] of BANDS.entries()) {
      const part = sky.kind === 'part' ? sky.part : null;
      const made = join(folder, `${band}-${part ?? 'whole'}.tif`);
      if (!existsSync(made))
        await write(made, { type: 'uint16', pixelM: 10 }, (rows) => makeRows(serial, part, rows));
      linkSync(made, join(scene, `${band}.tif`));
    }
    const holes = sky.kind === 'cloudy' ? sky.part : null;
    const made = join(folder, `SCL-${holes ?? 'clear'}.tif`);
    if (!existsSync(made))
      await write(made, { type: 'uint8', pixelM: 20 }, (rows) => makeClasses(holes, rows));
    linkSync(made, join(scene, 'SCL.tif'));
    writeFileSync(join(scene, `${toId(day)}.json`), JSON.stringify(toItem(day, '.')));
  }
}

/** The items of all scenes with whole paths, for another service. */
export const listItems = (folder: string) => SCENES.map(({ day }) => toItem(day, join(folder, toId(day))));

interface Rows {
  readonly firstRow: number;
  readonly rows: number;
  readonly sizePx: number;
}

async function write(
  path: string,
  { type, pixelM }: { readonly type: 'uint8' | 'uint16'; readonly pixelM: number },
  make: (rows: Rows) => Uint8Array | Uint16Array,
): Promise<void> {
  const sizePx = Math.floor(SIDE_M / pixelM);
  const cog = await createCog(path, {
    width: sizePx,
    height: sizePx,
    bandCount: 1,
    type,
    epsg: EPSG,
    transform: [TRANSFORM[0], pixelM, 0, TRANSFORM[3], 0, -pixelM],
    nodata: 0,
    compression: 'deflate',
    predictor: type === 'uint8' ? 1 : 2,
    blockSize: BLOCK_PX,
    overviewMethod: type === 'uint8' ? 'nearest' : 'average',
    isDurable: false,
  });
  for (let firstRow = 0; firstRow < sizePx; firstRow += STRIP_PX) {
    const rows = Math.min(STRIP_PX, sizePx - firstRow);
    await cog.writeRows([make({ firstRow, rows, sizePx })], rows);
  }
  await cog.finish();
}

/** Which of five stripes some ground lies in: slanted and winding, as the edges of clouds and orbits are. */
function stripeAt(eastM: number, southM: number): number {
  const bentM = eastM + 0.4 * southM + 120 * Math.sin(southM / 310) + 60 * Math.sin(southM / 47);
  return Math.floor(bentM / STRIPE_M) % PARTS;
}

function makeRows(serial: number, part: number | null, rows: Rows): Uint16Array {
  const pixels = makeBand(serial, rows);
  if (part === null) return pixels;
  for (let i = 0; i < pixels.length; i += 1) {
    const row = Math.floor(i / rows.sizePx);
    if (stripeAt(10 * (i - row * rows.sizePx), 10 * (rows.firstRow + row)) !== part) pixels[i] = 0;
  }
  return pixels;
}

/** Each scene shows what the newer ones show, and a fifth more. */
function makeClasses(holes: number | null, { firstRow, rows, sizePx }: Rows): Uint8Array {
  const classes = new Uint8Array(sizePx * rows).fill(VEGETATION);
  if (holes === null) return classes;
  for (let i = 0; i < classes.length; i += 1) {
    const row = Math.floor(i / sizePx);
    if (stripeAt(20 * (i - row * sizePx), 20 * (firstRow + row)) > holes) classes[i] = CLOUD;
  }
  return classes;
}

const [WEST, NORTH] = [TRANSFORM[0], TRANSFORM[3]];
const geometry = toFootprint(EPSG, 33, [WEST, NORTH - SIDE_M, WEST + SIDE_M, NORTH]);

const toItem = (day: string, folder: string) => ({
  type: 'Feature',
  stac_version: '1.0.0',
  id: toId(day),
  collection: 'bench',
  bbox: [31, 50, 32.5, 51],
  properties: {
    datetime: `${day}T08:50:12Z`,
    'eo:cloud_cover': 10,
    'earthsearch:boa_offset_applied': true,
    's2:processing_baseline': '05.11',
  },
  geometry,
  links: [],
  assets: Object.fromEntries(
    [...BANDS, 'SCL'].map((band) => [
      band,
      { href: `${folder}/${band}.tif`, type: 'image/tiff; application=geotiff; profile=cloud-optimized' },
    ]),
  ),
});
