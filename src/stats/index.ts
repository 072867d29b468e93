export { type ContrastRange, type CumulativeCut, cumulativeCut } from './cumulative-cut.ts';
