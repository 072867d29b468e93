export { encodeNetcdf, type NetcdfVariable } from './encode-netcdf.ts';
