export { encodeNetcdf, type NetcdfVariable } from './encode-netcdf.ts';
export { openNetcdf } from './open-netcdf.ts';
