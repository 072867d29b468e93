export { encodeNetcdf } from './encode-netcdf.ts';
export type { NetcdfVariable } from './netcdf-file.ts';
