import type { WireError } from '../../errors.ts';
import type { ArrayAttribute, ArrayPart } from '../array-file.ts';

/** What the thread is asked. */
export type Hdf5Request =
  | { readonly id: number; readonly kind: 'open'; readonly path: string }
  | { readonly id: number; readonly kind: 'read'; readonly name: string; readonly part: ArrayPart };

/** A variable as it crosses the thread boundary. */
export interface Hdf5Variable {
  readonly name: string;
  readonly dimensions: readonly string[];
  readonly sizes: readonly number[];
  readonly attributes: ReadonlyMap<string, ArrayAttribute>;
}

/** What a file holds. */
export interface Hdf5Contents {
  readonly attributes: ReadonlyMap<string, ArrayAttribute>;
  readonly variables: readonly Hdf5Variable[];
}

/** What the thread answers. */
export type Hdf5Answer =
  | { readonly id: number; readonly contents: Hdf5Contents }
  | { readonly id: number; readonly values: Float64Array }
  | { readonly id: number; readonly error: WireError };
