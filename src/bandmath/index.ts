export { type BandCombination, parseBands } from './parse-bands.ts';
