import { DAY_MS } from '../../setting/calendar.ts';
import type { Mission } from './missions.ts';

/** Path and row of the world reference system (WRS-2) that the world lies in. */
export const wrs = { path: 46, row: 26 } as const;

/** What a product is called, and when it was processed. */
export interface ProductName {
  readonly sceneId: string;
  readonly productId: string;
  readonly tier: 'T1' | 'T2';
  /** `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly processedAt: string;
}

/** Days from a picture to its product. */
const PROCESSING_DAYS = 9;

function toProcessedAt({ reprocessed }: Mission, collection: 1 | 2, atMs: number): string {
  const soon = new Date(atMs + PROCESSING_DAYS * DAY_MS).toISOString().slice(0, 10);
  const day = collection === 2 && reprocessed !== null && reprocessed > soon ? reprocessed : soon;
  return `${day}T11:17:36Z`;
}

/** `LXSPPPRRRYYYYDDDGSIVV` and `LXSS_LLLL_PPPRRR_YYYYMMDD_yyyymmdd_CC_TX`. */
export function toProductName(mission: Mission, collection: 1 | 2, atMs: number): ProductName {
  const { letter, satellite, station, version } = mission;
  const pathRow = `${String(wrs.path).padStart(3, '0')}${String(wrs.row).padStart(3, '0')}`;
  const acquiredOn = new Date(atMs).toISOString().slice(0, 10);
  const year = acquiredOn.slice(0, 4);
  const dayOfYear = Math.floor((atMs - Date.UTC(Number(year), 0, 1)) / DAY_MS) + 1;
  const processedAt = toProcessedAt(mission, collection, atMs);
  const toDigits = (day: string) => day.slice(0, 10).replaceAll('-', '');
  // few scenes of the oldest instrument lie as exactly as those of the first tier
  const tier = letter === 'M' ? 'T2' : 'T1';
  return {
    sceneId: `L${letter}${satellite}${pathRow}${year}${String(dayOfYear).padStart(3, '0')}${station}${version}`,
    productId: [
      `L${letter}0${satellite}`,
      'L1TP',
      pathRow,
      toDigits(acquiredOn),
      toDigits(processedAt),
      `0${collection}`,
      tier,
    ].join('_'),
    tier,
    processedAt,
  };
}
