import { DEMO_SCENE } from '../../support/demo-data.ts';

/** An order of a small file. */
export interface SmallOrder {
  readonly name: string;
  readonly type: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Some hundred metres in the middle of the small demo. */
const bbox = [-122.41, 48.22, -122.4, 48.225];
const viewId = DEMO_SCENE.viewId;

const [west, south, east, north] = bbox as [number, number, number, number];
const statistics = {
  sensors: ['sentinel2l2a'],
  date_start: '2000-01-01',
  date_end: '2030-01-01',
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  },
};

/** Files and statistics of all kinds, each made in a fraction of a second. */
export const SMALL_ORDERS: readonly SmallOrder[] = [
  { name: 'index', type: 'bandmath', params: { view_id: viewId, bm_type: 'NDVI', bbox } },
  { name: 'two indices', type: 'bandmath', params: { view_id: viewId, bm_type: 'NDVI,B04', bbox } },
  { name: 'bands', type: 'lbe', params: { view_id: viewId, bands: ['B04', 'B03'], bbox } },
  { name: 'archive', type: 'lbe', params: { view_id: viewId, bands: ['B04', 'B11'], merge: false, bbox } },
  { name: 'picture', type: 'jpeg', params: { view_id: viewId, bm_type: 'B04,B03,B02', bbox } },
  {
    name: 'PNG',
    type: 'jpeg',
    params: { view_id: viewId, bm_type: 'NDVI', colormap: 'viridis', format: 'png', bbox },
  },
  {
    name: 'mosaic',
    type: 'bandmath',
    params: { mosaic: { sensors: 'S2L2A', period: '2026-06', selection: 'median' }, bm_type: 'NDVI', bbox },
  },
  { name: 'statistics', type: 'mt_stats', params: { ...statistics, bm_type: 'NDVI' } },
  { name: 'statistics of two', type: 'mt_stats', params: { ...statistics, bm_type: ['NDVI', 'NDMI'] } },
];
