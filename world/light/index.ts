export { addNoise } from './add-noise.ts';
export { backscatter } from './backscatter.ts';
export { expose } from './expose.ts';
export { toPalette } from './palette.ts';
export { earthSunDistanceAu, sunAt } from './sun.ts';
