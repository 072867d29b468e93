/** What an attribute of a file of arrays says: a text, or numbers. */
export type ArrayAttribute = string | readonly number[];

/** One array of numbers of a file, the last dimension varying fastest. */
export interface ArrayVariable {
  readonly name: string;
  readonly dimensions: readonly string[];
  readonly sizes: readonly number[];
  readonly attributes: ReadonlyMap<string, ArrayAttribute>;
}

/** A part of an array: the first index and the number of indices of each dimension. */
export interface ArrayPart {
  readonly start: readonly number[];
  readonly count: readonly number[];
}

/** An opened file of arrays with names: NetCDF, HDF5, Zarr. */
export interface ArrayFile {
  readonly attributes: ReadonlyMap<string, ArrayAttribute>;
  /** Only arrays of numbers. */
  readonly variables: readonly ArrayVariable[];
  /** Numbers as they are stored, before any scale, offset or fill value; at most `MAX_PART_VALUES` at once. */
  read(variable: ArrayVariable, part: ArrayPart): Promise<Float64Array>;
  close(): Promise<void>;
}

/** Values that one read may ask for: 64 MB as doubles. */
export const MAX_PART_VALUES = 2 ** 23;
/** Variables of a file; those of climate data sets have some dozens. */
export const MAX_VARIABLES = 4096;
/** Dimensions of a variable. */
export const MAX_DIMENSIONS = 16;

/** Whether a part lies in an array and is small enough to be read at once. */
export function isReadable(sizes: readonly number[], { start, count }: ArrayPart): boolean {
  const isInside = sizes.every((size, i) => {
    const [from, length] = [start[i], count[i]];
    if (from === undefined || length === undefined) return false;
    return (
      Number.isInteger(from) && Number.isInteger(length) && from >= 0 && length >= 1 && from + length <= size
    );
  });
  return isInside && count.reduce((product, length) => product * length, 1) <= MAX_PART_VALUES;
}
