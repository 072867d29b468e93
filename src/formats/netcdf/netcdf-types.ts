/** How the numbers of a type are stored. */
export interface NetcdfType {
  readonly bytes: number;
  readonly get: (view: DataView, offset: number) => number;
}

/** Types by number (NetCDF classic format specification, Unidata); 2 is text, those above 6 are of CDF-5 only. */
export const netcdfTypes: ReadonlyMap<number, NetcdfType> = new Map([
  [1, { bytes: 1, get: (view: DataView, offset: number) => view.getInt8(offset) }],
  [2, { bytes: 1, get: (view: DataView, offset: number) => view.getUint8(offset) }],
  [3, { bytes: 2, get: (view: DataView, offset: number) => view.getInt16(offset) }],
  [4, { bytes: 4, get: (view: DataView, offset: number) => view.getInt32(offset) }],
  [5, { bytes: 4, get: (view: DataView, offset: number) => view.getFloat32(offset) }],
  [6, { bytes: 8, get: (view: DataView, offset: number) => view.getFloat64(offset) }],
  [7, { bytes: 1, get: (view: DataView, offset: number) => view.getUint8(offset) }],
  [8, { bytes: 2, get: (view: DataView, offset: number) => view.getUint16(offset) }],
  [9, { bytes: 4, get: (view: DataView, offset: number) => view.getUint32(offset) }],
  [10, { bytes: 8, get: (view: DataView, offset: number) => Number(view.getBigInt64(offset)) }],
  [11, { bytes: 8, get: (view: DataView, offset: number) => Number(view.getBigUint64(offset)) }],
]);

/** The number of the type of texts. */
export const TEXT_TYPE = 2;
