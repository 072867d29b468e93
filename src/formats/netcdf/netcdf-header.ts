import { sourceBroken } from '../../errors.ts';
import type { ArrayAttribute } from '../array-file.ts';
import { MAX_DIMENSIONS, MAX_VARIABLES } from '../array-file.ts';
import type { NetcdfType } from './netcdf-types.ts';
import { netcdfTypes, TEXT_TYPE } from './netcdf-types.ts';

/** A variable as the header describes it. */
export interface HeaderVariable {
  readonly name: string;
  /** Indices into the dimensions. */
  readonly dimensionIds: readonly number[];
  readonly attributes: ReadonlyMap<string, ArrayAttribute>;
  readonly typeNumber: number;
  readonly type: NetcdfType;
  readonly begin: number;
}

/** The header of a NetCDF classic file. */
export interface NetcdfHeader {
  /** Null when a writer that streams has not filled it in. */
  readonly records: number | null;
  /** Size 0 is the dimension that grows. */
  readonly dimensions: readonly { readonly name: string; readonly size: number }[];
  readonly attributes: ReadonlyMap<string, ArrayAttribute>;
  readonly variables: readonly HeaderVariable[];
}

/** Numbers of an attribute; the longest known are lists of some thousand. */
const MAX_ATTRIBUTE_VALUES = 2 ** 20;
/** CDF-1, CDF-2 (offsets of 64 bits) and CDF-5 (all counts of 64 bits). */
const VERSIONS: ReadonlySet<number> = new Set([1, 2, 5]);
const TAG = { dimension: 0x0a, variable: 0x0b, attribute: 0x0c } as const;

const damaged = (what: string) => sourceBroken('netcdf-damaged', `The NetCDF file is damaged: ${what}.`);

/** Parses a header from the first bytes of a file; null when it is longer than they are. */
export function parseNetcdfHeader(bytes: Uint8Array): NetcdfHeader | null {
  try {
    return new HeaderReader(bytes).read();
  } catch (error) {
    if (error === TOO_SHORT) return null;
    throw error;
  }
}

/** Thrown where the bytes end; more of the file may hold the rest. */
const TOO_SHORT = new Error('the header goes on');

class HeaderReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 4;
  readonly #version: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < 4) throw damaged('it is too short');
    this.#version = bytes[3]!;
    if (!VERSIONS.has(this.#version)) throw damaged(`there is no version ${this.#version} of the format`);
  }

  read(): NetcdfHeader {
    const isStreamed = this.#version === 5 ? this.#peekBig() === -1n : this.#peekInt() === -1;
    if (isStreamed) this.#advance(this.#version === 5 ? 8 : 4);
    const records = isStreamed ? null : this.#count();
    const dimensions = this.#list(TAG.dimension, MAX_VARIABLES, () => ({
      name: this.#name(),
      size: this.#count(),
    }));
    const attributes = this.#attributes();
    const variables = this.#list(TAG.variable, MAX_VARIABLES, () => this.#variable(dimensions.length));
    return { records, dimensions, attributes, variables };
  }

  #variable(dimensionCount: number): HeaderVariable {
    const name = this.#name();
    const rank = this.#count();
    if (rank > MAX_DIMENSIONS) throw damaged(`a variable has ${rank} dimensions`);
    const dimensionIds = Array.from({ length: rank }, () => this.#count());
    if (dimensionIds.some((id) => id >= dimensionCount)) throw damaged('a variable has an unknown dimension');
    const attributes = this.#attributes();
    const [typeNumber, type] = this.#type();
    // The stated length of the data is wrong in large files by design; it follows from the dimensions.
    this.#count();
    const begin = this.#version === 1 ? this.#unsigned() : this.#unsignedBig();
    return { name, dimensionIds, attributes, typeNumber, type, begin };
  }

  #attributes(): ReadonlyMap<string, ArrayAttribute> {
    const pairs = this.#list(TAG.attribute, MAX_VARIABLES, (): readonly [string, ArrayAttribute] => {
      const name = this.#name();
      const [typeNumber, type] = this.#type();
      const count = this.#count();
      if (count > MAX_ATTRIBUTE_VALUES) throw damaged('an attribute is too long');
      const start = this.#advance(Math.ceil((count * type.bytes) / 4) * 4);
      if (typeNumber === TEXT_TYPE) return [name, this.#text(start, count)];
      return [name, Array.from({ length: count }, (_, i) => type.get(this.#view, start + i * type.bytes))];
    });
    return new Map(pairs);
  }

  #list<Item>(tag: number, max: number, read: () => Item): readonly Item[] {
    const found = this.#unsigned();
    const count = this.#count();
    if (found !== tag && !(found === 0 && count === 0)) throw damaged('its header makes no sense');
    if (count > max) throw damaged('its header lists too much');
    const items: Item[] = [];
    for (let i = 0; i < count; i++) items.push(read());
    return items;
  }

  #name(): string {
    const length = this.#count();
    if (length > 1024) throw damaged('a name is too long');
    return this.#text(this.#advance(Math.ceil(length / 4) * 4), length);
  }

  #text(start: number, length: number): string {
    const text = Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + start, length).toString('utf8');
    return text.replace(/\0+$/, '');
  }

  #type(): readonly [number, NetcdfType] {
    const number = this.#unsigned();
    const type = netcdfTypes.get(number);
    if (type === undefined || (number > 6 && this.#version !== 5))
      throw damaged(`there is no type ${number}`);
    return [number, type];
  }

  #count(): number {
    return this.#version === 5 ? this.#unsignedBig() : this.#unsigned();
  }

  #peekInt(): number {
    if (this.#bytes.length < this.#at + 4) throw TOO_SHORT;
    return this.#view.getInt32(this.#at);
  }

  #peekBig(): bigint {
    if (this.#bytes.length < this.#at + 8) throw TOO_SHORT;
    return this.#view.getBigInt64(this.#at);
  }

  #unsigned(): number {
    return this.#view.getUint32(this.#advance(4));
  }

  #unsignedBig(): number {
    const value = Number(this.#view.getBigUint64(this.#advance(8)));
    if (!Number.isSafeInteger(value)) throw damaged('a number in its header is too large');
    return value;
  }

  /** Moves on by so many bytes; returns where they start. */
  #advance(length: number): number {
    const start = this.#at;
    if (start + length > this.#bytes.length) throw TOO_SHORT;
    this.#at = start + length;
    return start;
  }
}
