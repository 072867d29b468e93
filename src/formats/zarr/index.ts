export { openZarr } from './open-zarr.ts';
