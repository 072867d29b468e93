import type { Cover } from '../ground/ground.ts';
import { covers } from '../ground/ground.ts';
import { power } from '../numbers/steady-math.ts';
import type { RadarRequest } from './exposure.ts';

/**
 * Echoes of level ground in C band at 39° from the vertical, in decibels, like- and cross-polarised: the typical size in
 * Sentinel-1 images of temperate land. Forests and towns are bright, smooth ground is dark; open water has its own
 * model.
 */
const decibels: Readonly<Record<Cover, readonly [like: number, cross: number]>> = {
  sea: [-14, -24],
  lake: [-14, -24],
  river: [-14, -24],
  beach: [-15, -25],
  marsh: [-10.5, -17.5],
  grass: [-12, -19],
  shrub: [-10.5, -16.8],
  'broadleaf-forest': [-8.6, -14.4],
  'conifer-forest': [-8, -13.8],
  rock: [-8.5, -17],
  snow: [-11.5, -19],
  'built-up': [-3.5, -12],
  road: [-14, -22],
  'bare-soil': [-12.5, -22],
  crop: [-11.3, -18.5],
  stubble: [-12.5, -20.5],
  burnt: [-10.8, -18.5],
  flood: [-14, -24],
};

const soaking: Partial<Record<Cover, number>> = {
  rock: 0.2,
  'built-up': 0,
  road: 0,
  'broadleaf-forest': 0.3,
  'conifer-forest': 0.3,
};

const fromDecibels = (value: number): number => power(10, value / 10);

/** Echo by cover, linear. Town walls and the street below them send horizontal waves back best. */
export function echoesBy(polarisation: RadarRequest['polarisation']): Float32Array {
  const isCross = polarisation === 'VH' || polarisation === 'HV';
  return Float32Array.from(covers, (cover) => {
    const bonus = polarisation === 'HH' && cover === 'built-up' ? 1.5 : 0;
    return fromDecibels(decibels[cover][isCross ? 1 : 0] + bonus);
  });
}

/** Share of a cover's echo that changes with the water of the soil: roofs do not soak, and crowns hide the ground. */
export const soakingBy = Float32Array.from(covers, (cover) => soaking[cover] ?? 1);

/** Echo of open sea at 39° under a wind: calm water is a mirror, ripples throw more back the harder it blows. */
export function seaEcho(polarisation: RadarRequest['polarisation'], windMs: number): number {
  const rippled = Math.min(-13, Math.max(-26, -23 + 1.35 * windMs));
  if (polarisation === 'VV') return fromDecibels(rippled);
  return fromDecibels(polarisation === 'HH' ? rippled - 3.5 : rippled - 10);
}
