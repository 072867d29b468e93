import { badInput, notAllowed } from '../../../src/errors.ts';
import { completeItem } from '../../../src/ingest/stac/complete-item.ts';
import { isOwnItem, toStacItem } from '../../../src/ingest/stac/export.ts';
import { parseItem } from '../../../src/ingest/stac/item.ts';
import { fromOwnItem } from '../../../src/ingest/stac/own-item.ts';
import type { ItemContext } from '../../../src/ingest/stac/plan-item.ts';
import { planItem } from '../../../src/ingest/stac/plan-item.ts';
import type { StacFilters } from '../../../src/ingest/stac/source/source.ts';
import { isWanted } from '../../../src/ingest/stac/source/source.ts';
import {
  earthSearchItem,
  landsatItem,
  modisItem,
  naipItem,
  sentinel1Item,
} from '../../../src/ingest/stac/testing/make-items.ts';
import type { FuzzTarget } from '../target.ts';
import { longWords } from './long-words.ts';

const toHref = (path: string): string => {
  if (!path.startsWith('/data/')) throw notAllowed('path-not-allowed', 'A file outside of the data.');
  return path;
};
const locations: readonly ItemContext['location'][] = [
  { kind: 'url', url: 'https://stac.example/items/1' },
  { kind: 'folder', folder: '/data/items' },
];
const toContext = (location: ItemContext['location']): ItemContext => ({
  location,
  rules: { isAllowedHref: (href) => !href.includes('forbidden'), toHref },
  findScene: async () => null,
  probe: false,
});
const filters: StacFilters = {
  bbox: [170, -80, -170, 80],
  date: { from: '2020-01-01', to: '2023-01-01' },
  maxCloudPercent: 50,
  limit: 1,
  collections: [],
};

const ITEMS = [earthSearchItem(3), naipItem(1), landsatItem('L1TP'), landsatItem('L2SP'), modisItem()];

async function toScene(value: unknown, context: ItemContext) {
  const item = parseItem(value);
  isWanted(item, filters);
  if (isOwnItem(value)) return fromOwnItem(value, context.rules);
  return (await completeItem(await planItem(item, context), { doors: null, context })).scene;
}

/** Items of others, and those that Swath wrote itself. */
async function readSeeds(): Promise<readonly Uint8Array[]> {
  const own = [];
  for (const item of ITEMS) own.push(toStacItem(await toScene(item, toContext(locations[0]!))));
  return [...ITEMS, sentinel1Item(), ...own].map((item) => Buffer.from(JSON.stringify(item)));
}

function parseJson(input: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(input).toString());
  } catch {
    throw badInput('no-json', 'The input is not JSON.');
  }
}

/** STAC items: what they become, without their files, and whether that survives being written as an item. */
export const stacItem: FuzzTarget = {
  name: 'stac-item',
  maxBytes: 256 * 1024,
  tokens: [
    ...longWords.map((word) => `"${word}"`),
    ...['{', '}', '[', ']', ',', ':', '""', '"\\u0000"', '"\\ud800"', 'null', 'true', '{}', '[]', '[[[]]]'],
    ...['0', '-1', '1e999', '1e308', '-0', '1e-320', '9007199254740993', '"nan"', '"-inf"', '"EPSG:999999"'],
    ...['"../../../etc"', '"file:///etc/passwd"', '"https://[::1"', '"s3://"', '"https://x/a.tif?sig=1"'],
    ...[
      '"naip"',
      '"sentinel-2-l2a"',
      '"landsat-c2-l2"',
      '"sentinel-1-grd"',
      '"modis-43A4-061"',
      '"proj:wkt2"',
    ],
    ...['"proj:shape"', '"proj:transform"', '"proj:bbox"', '"proj:projjson"', '"raster:bands"', '"bands"'],
    ...['"swath:view_id"', '"swath:asset"', '"__proto__"', '"constructor"', '"MultiPolygon"', '"alternate"'],
  ],
  readSeeds,
  async run(input) {
    const value = parseJson(input);
    const scene = await toScene(value, toContext(locations[input.length % locations.length]!));
    const stored = JSON.stringify(scene, refuseUnkept);
    const again = fromOwnItem(JSON.parse(JSON.stringify(toStacItem(scene))), { isAllowedHref: () => true });
    if (sorted(again) !== sorted(JSON.parse(stored)))
      throw new Error(`A scene came back as another: ${stored}`);
  },
};

/** A number that JSON has no word for would be lost in the store; only "no data" may be NaN, which it writes its own way. */
function refuseUnkept(name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value) && name !== 'nodata') {
    throw new Error(`A store could not keep ${name}: ${value}`);
  }
  return value;
}

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
