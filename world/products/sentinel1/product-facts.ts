import { DAY_MS } from '../../setting.ts';
import type { RadarPass, Sentinel1Plan } from './plan.ts';

/** When and on which orbit a product was taken, and what it is called. */
export interface ProductFacts {
  readonly startMs: number;
  readonly stopMs: number;
  readonly lineMs: number;
  readonly ascendingNodeMs: number;
  readonly absoluteOrbit: number;
  readonly relativeOrbit: number;
  readonly cycle: number;
  readonly dataTake: number;
  /** `S1A_IW_GRDH_1SDV_20180716T004042_20180716T004107_022812_02792A_FD5B`. */
  readonly name: string;
}

/** Speed of the beam over the ground. */
const METRES_PER_MS = 6.67;
/** 175 orbits in twelve days. */
const ORBIT_MS = (12 * DAY_MS) / 175;
/** When orbit 39156 of Sentinel-1A crossed the equator northwards. */
const KNOWN_ORBIT = 39_156;
const KNOWN_NODE_MS = Date.UTC(2021, 7, 9, 17, 27, 46, 470);

/** Reckons the facts of a product. */
export function toProductFacts({ atMs }: Sentinel1Plan, { height, spacingM }: RadarPass): ProductFacts {
  const lineMs = spacingM / METRES_PER_MS;
  const stopMs = atMs + (height - 1) * lineMs;
  const orbits = Math.floor((atMs - KNOWN_NODE_MS) / ORBIT_MS);
  const absoluteOrbit = KNOWN_ORBIT + orbits;
  // some eight recordings an orbit
  const dataTake = Math.round(absoluteOrbit * 7.7349);
  const second = (ms: number) => `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}`;
  const take = dataTake.toString(16).toUpperCase().padStart(6, '0');
  const start = `S1A_IW_GRDH_1SDV_${second(atMs)}_${second(stopMs)}_${String(absoluteOrbit).padStart(6, '0')}_${take}`;
  return {
    startMs: atMs,
    stopMs,
    lineMs,
    absoluteOrbit,
    dataTake,
    ascendingNodeMs: KNOWN_NODE_MS + orbits * ORBIT_MS,
    relativeOrbit: ((absoluteOrbit - 73) % 175) + 1,
    cycle: Math.floor((absoluteOrbit - 73) / 175) + 15,
    // ESA takes the checksum over the manifest; the name must be known before there is one
    name: `${start}_${toChecksum(start)}`,
  };
}

/** `s1a-iw-grd-vv-20180716t004042-20180716t004107-022812-02792a-001`: what the files of a polarisation are called. */
export function toImageName({ name }: ProductFacts, polarisation: 'VV' | 'VH'): string {
  const [, , , , start, stop, orbit, take] = name.toLowerCase().split('_');
  const number = polarisation === 'VV' ? '001' : '002';
  return `s1a-iw-grd-${polarisation.toLowerCase()}-${start}-${stop}-${orbit}-${take}-${number}`;
}

/** CRC-16 with the polynomial of CCITT, in four digits. */
function toChecksum(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, 'latin1')) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

/** A number as the annotations write it: `6.628682e+02`. */
export function toFloatText(value: number, digits = 6): string {
  const [mantissa = '', exponent = '0'] = value.toExponential(digits).split('e');
  const size = String(Math.abs(Number(exponent))).padStart(2, '0');
  return `${mantissa}e${Number(exponent) < 0 ? '-' : '+'}${size}`;
}

/** A list with its count, as the tables have it. */
export const toListXml = (name: string, values: readonly (number | string)[]): string =>
  `<${name} count="${values.length}">${values.join(' ')}</${name}>`;

/** Milliseconds since 1970 as `2021-08-09T17:39:53.153776`. */
export function toTimeText(atMs: number): string {
  const wholeMs = Math.floor(atMs);
  const micros = String(Math.floor((atMs - wholeMs) * 1_000)).padStart(3, '0');
  return `${new Date(wholeMs).toISOString().slice(0, -1)}${micros}`;
}
