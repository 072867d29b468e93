/** Kinds of products that items describe, each with its own way to name a scene. */
export type ItemKind = 'sentinel-2' | 'landsat' | 'sentinel-1' | 'modis' | 'naip' | 'cbers-4';

/** Items that become scenes. */
export interface AcceptedItems {
  readonly kind: ItemKind;
  /** Datasets their scenes can be of; where there are several, the name of the scene tells which. */
  readonly datasets: readonly string[];
  /** Collections of public catalogs: Earth Search, Planetary Computer, USGS, CBERS on AWS, and what stactools writes. */
  readonly collections: readonly string[];
  /** What tells them where a catalog calls its collection otherwise, or an item names none. */
  readonly telltale:
    | { readonly property: string; readonly values?: readonly string[] }
    | { readonly id: RegExp };
}

const LANDSAT = 'landsat4mss landsat4tm landsat5mss landsat5tm landsat7 landsat8 landsat9'.split(' ');

/** The first that fits counts. */
export const acceptedItems: readonly AcceptedItems[] = [
  {
    kind: 'sentinel-2',
    datasets: ['sentinel2'],
    collections: ['sentinel-2-l1c', 'sentinel-s2-l1c'],
    telltale: { property: 's2:product_type', values: ['S2MSI1C'] },
  },
  {
    kind: 'sentinel-2',
    datasets: ['sentinel2l2a'],
    collections: [
      'sentinel-2-l2a',
      'sentinel-2-c1-l2a',
      'sentinel-2-pre-c1-l2a',
      'sentinel-s2-l2a',
      'sentinel-s2-l2a-cogs',
    ],
    telltale: { property: 's2:product_type', values: ['S2MSI2A'] },
  },
  {
    kind: 'landsat',
    datasets: LANDSAT,
    collections: ['landsat-c2-l1', 'landsat-c2-l2', 'landsat-c2l1', 'landsat-c2l2-sr'],
    telltale: { property: 'landsat:scene_id' },
  },
  {
    kind: 'sentinel-1',
    datasets: ['sentinel1'],
    collections: ['sentinel-1-grd', 'sentinel1-grd'],
    telltale: { id: /^S1[A-D]_(?:IW|EW|S[1-6])_GRD[FHM]_/ },
  },
  {
    kind: 'modis',
    datasets: ['modis'],
    collections: ['modis-43A4-061', 'modis-43A4-006'],
    telltale: { id: /^MCD43A4\.A\d{7}\.h\d{2}v\d{2}\./ },
  },
  { kind: 'naip', datasets: ['naip'], collections: ['naip'], telltale: { property: 'naip:state' } },
  {
    kind: 'cbers-4',
    datasets: ['cbers4mux', 'cbers4awfi', 'cbers4pan10m', 'cbers4pan5m'],
    collections: ['CBERS4MUX', 'CBERS4AWFI', 'CBERS4PAN10M', 'CBERS4PAN5M', 'CBERS4-MUX', 'CBERS4-AWFI'],
    telltale: { id: /^CBERS_4_(?:MUX|AWFI|PAN10M|PAN5M)_\d{8}_/ },
  },
];

/** Items of public catalogs that do not, and why; asked before all others. */
export const refusedItems: readonly { readonly collection: RegExp; readonly reason: string }[] = [
  {
    collection: /^(?:cop-dem-|nasadem|alos-dem|3dep)/,
    reason: 'It is an elevation model and no scene; terrain has its own settings.',
  },
  {
    collection: /^landsat-c2l2(?:-st|alb-)/,
    reason:
      'It is one part of a product whose scene comes with another item: landsat-c2l2-sr, or landsat-c2-l2 with both parts.',
  },
  {
    collection: /^modis-(?!43A4-)/,
    reason: 'Of the MODIS products only MCD43A4 (modis-43A4) is a dataset here.',
  },
  {
    collection: /^sentinel-?1-(?:rtc|slc)/,
    reason: 'Of the Sentinel-1 products only ground range detected (GRD) is a dataset here.',
  },
];
