/** Numbers of a variable; their kind is the kind they are stored as. */
export type NetcdfValues = Int16Array | Int32Array | Float32Array | Float64Array;

/** A text, or a number of a certain kind: a fill value must have the kind of its variable. */
export type NetcdfAttribute = string | { readonly float32: number } | { readonly float64: number };

/** One variable over some of the file's dimensions, the last one varying fastest. */
export interface NetcdfVariable {
  readonly dimensions: readonly string[];
  readonly attributes: Readonly<Record<string, NetcdfAttribute>>;
  readonly values: NetcdfValues;
}

/** All of a NetCDF file. */
export interface NetcdfFile {
  readonly dimensions: Readonly<Record<string, number>>;
  readonly attributes: Readonly<Record<string, NetcdfAttribute>>;
  readonly variables: Readonly<Record<string, NetcdfVariable>>;
}
