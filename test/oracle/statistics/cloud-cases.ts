import type { TaskAddress } from '../../support/ask-statistics.ts';

/** What is done about clouds, and what the address does if the order does not say. */
export interface CloudCase {
  readonly address: TaskAddress;
  readonly params: Readonly<Record<string, number | boolean>>;
  readonly masked: boolean;
  readonly level: number | null;
  readonly max: number | null;
}

const DOWNLOADS: TaskAddress = '/api';
const STATISTICS: TaskAddress = '/api/gdw/api';

/** The first two are defaults; the others name all that they want, which both addresses understand. */
export const plainCases: readonly CloudCase[] = [
  { address: DOWNLOADS, params: {}, masked: false, level: null, max: null },
  { address: STATISTICS, params: {}, masked: true, level: null, max: 0 },
  { address: STATISTICS, params: { max_cloud_cover_in_aoi: 100 }, masked: true, level: null, max: 100 },
  { address: DOWNLOADS, params: { max_cloud_cover_in_aoi: 30 }, masked: false, level: null, max: 30 },
];

const toLevelCase = (level: 1 | 2 | 3 | 4, masked: boolean): CloudCase => ({
  address: level % 2 === 0 ? DOWNLOADS : STATISTICS,
  params: { max_cloud_cover_in_aoi: 100, cloud_masking_level: level, exclude_cover_pixels: masked },
  masked,
  level,
  max: 100,
});

/** Every level of the scene classification, alone and with the mask of the scene. */
export const classCases: readonly CloudCase[] = ([1, 2, 3, 4] as const).flatMap((level) => [
  toLevelCase(level, false),
  toLevelCase(level, true),
]);
