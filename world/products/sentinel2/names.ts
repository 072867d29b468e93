import { DAY_MS } from '../../setting.ts';
import type { Sentinel2Plan } from './plan.ts';

/** The tile's name in the military grid, apart. */
export const tile = { zone: 10, latitudeBand: 'U', square: 'EU', name: '10UEU' } as const;

/** The station that made the products. */
const STATION = 'VGS1';
/** A satellite begins to record over the Arctic, this long before it reaches the tile. */
const DATATAKE_LEAD_MS = 363_000;
/** A datastrip begins a little before the tile. */
const STRIP_LEAD_MS = 12_000;
/** Products are made some hours after the recording. */
const L1C_DELAY_MS = 3 * 3_600_000 + 47_000;
const L2A_DELAY_MS = 5 * 3_600_000 + 31_000;
/** Orbits of a cycle of ten days, after which a satellite sees the same again. */
const CYCLE_ORBITS = 143;
const ORBIT_MS = (10 * DAY_MS) / CYCLE_ORBITS;

/** An orbit of each satellite that passed this tile as number 13 of its cycle, and how its two ways of counting differ. */
const ORBITS: Readonly<Record<Sentinel2Plan['satellite'], { number: number; atMs: number; shift: number }>> =
  {
    S2A: { number: 26_036, atMs: Date.UTC(2020, 5, 16, 19, 15), shift: 2 },
    S2B: { number: 17_199, atMs: Date.UTC(2020, 5, 21, 19, 15), shift: -27 },
    S2C: { number: 1_553, atMs: Date.UTC(2024, 11, 22, 19, 15), shift: -111 },
  };

/** What a product and its parts are called. */
export interface ProductNames {
  /** `S2A_MSIL1C_20250621T190921_N0511_R013_T10UEU_20250621T224247`. */
  readonly product: string;
  readonly datatake: string;
  /** `S2A_OPER_MSI_L1C_TL_VGS1_20250621T224247_A052345_T10UEU_N05.11`. */
  readonly granule: string;
  readonly datastrip: string;
  /** The granule's folder in a SAFE: `L1C_T10UEU_A052345_20250621T191512`. */
  readonly granuleFolder: string;
  /** Begins the names of a SAFE's images: `T10UEU_20250621T190921`. */
  readonly image: string;
  readonly relativeOrbit: number;
  readonly datatakeAtMs: number;
  readonly madeAtMs: number;
}

/** `20250621T190921`. */
const toStamp = (atMs: number): string => new Date(atMs).toISOString().slice(0, 19).replace(/[-:]/g, '');

/** Names a product of a level as its provider does. */
export function nameProduct(plan: Sentinel2Plan, level: 'L1C' | 'L2A'): ProductNames {
  const { satellite, atMs, baseline } = plan;
  const known = ORBITS[satellite];
  const orbit = known.number + Math.round((atMs - known.atMs) / ORBIT_MS);
  const relativeOrbit = ((((orbit + known.shift) % CYCLE_ORBITS) + CYCLE_ORBITS) % CYCLE_ORBITS) + 1;
  const datatakeAtMs = atMs - DATATAKE_LEAD_MS;
  const madeAtMs = atMs + (level === 'L1C' ? L1C_DELAY_MS : L2A_DELAY_MS);
  const [start, strip, made] = [datatakeAtMs, atMs - STRIP_LEAD_MS, madeAtMs].map(toStamp);
  const orbitDigits = String(Math.max(0, orbit)).padStart(6, '0');
  const relative = String(relativeOrbit).padStart(3, '0');
  const short = baseline.replace('.', '');
  return {
    product: `${satellite}_MSI${level}_${start}_N${short}_R${relative}_T${tile.name}_${made}`,
    datatake: `G${satellite}_${start}_${orbitDigits}_N${baseline}`,
    granule: `${satellite}_OPER_MSI_${level}_TL_${STATION}_${made}_A${orbitDigits}_T${tile.name}_N${baseline}`,
    datastrip: `${satellite}_OPER_MSI_${level}_DS_${STATION}_${made}_S${strip}_N${baseline}`,
    granuleFolder: `${level}_T${tile.name}_A${orbitDigits}_${strip}`,
    image: `T${tile.name}_${start}`,
    relativeOrbit,
    datatakeAtMs,
    madeAtMs,
  };
}

/** Where a tile lies in the bucket: `tiles/10/U/EU/2025/6/21/0`. */
export function toTilePath({ atMs, sequence }: Sentinel2Plan): string {
  const at = new Date(atMs);
  const day = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()];
  return ['tiles', tile.zone, tile.latitudeBand, tile.square, ...day, sequence].join('/');
}

/** Where a product lies in the bucket: `products/2025/6/21/S2A_MSIL1C_…`. */
export function toProductPath({ atMs }: Sentinel2Plan, { product }: ProductNames): string {
  const at = new Date(atMs);
  return `products/${at.getUTCFullYear()}/${at.getUTCMonth() + 1}/${at.getUTCDate()}/${product}`;
}
