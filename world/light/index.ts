export { backscatter } from './backscatter.ts';
export { addNoise, expose } from './expose.ts';
export { toPalette } from './spectra.ts';
export { earthSunDistanceAu, sunAt } from './sun.ts';
