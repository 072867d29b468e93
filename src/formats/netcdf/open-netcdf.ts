import type { ByteSource } from '../../sources/index.ts';
import type { ArrayAttribute, ArrayFile, ArrayPart, ArrayVariable } from '../array-file.ts';
import { isReadable, MAX_DIMENSIONS, MAX_VARIABLES } from '../array-file.ts';
import { badInput, sourceBroken, tooLarge } from '../errors.ts';

/** Most headers fit in the first read; a longer one is read again with twice the length. */
const FIRST_BYTES = 2 ** 16;
const MAX_HEADER_BYTES = 2 ** 24;

const truncated = (what: string) =>
  sourceBroken('netcdf-truncated', `The NetCDF file is cut off: it ends before ${what}.`);

/** Where the numbers of a variable lie. */
interface Layout {
  readonly header: HeaderVariable;
  /** Bytes from one record to the next; 0 for a variable without records. */
  readonly recordBytes: number;
}

/** Opens a NetCDF classic file (CDF-1, CDF-2 or CDF-5); the source stays the caller's to close. */
export async function openNetcdf(source: ByteSource): Promise<ArrayFile> {
  const header = await readHeader(source);
  const recordBytes = toRecordBytes(header);
  const records = countRecords(header, recordBytes, source.size);
  const layouts = new Map<ArrayVariable, Layout>();
  for (const variable of header.variables) {
    if (variable.typeNumber === TEXT_TYPE) continue;
    const sizes = variable.dimensionIds.map((id, i) => {
      const { size } = header.dimensions[id]!;
      if (size === 0 && i > 0)
        throw sourceBroken('netcdf-damaged', 'The NetCDF file is damaged: records lie in records.');
      return size === 0 ? records : size;
    });
    const array: ArrayVariable = {
      name: variable.name,
      dimensions: variable.dimensionIds.map((id) => header.dimensions[id]!.name),
      sizes,
      attributes: variable.attributes,
    };
    layouts.set(array, { header: variable, recordBytes: isRecord(header, variable) ? recordBytes : 0 });
  }
  return {
    attributes: header.attributes,
    variables: [...layouts.keys()],
    async read(variable, part) {
      const layout = layouts.get(variable);
      if (layout === undefined || !isReadable(variable.sizes, part))
        throw badInput('bad-part', `The part of "${variable.name}" that is asked for does not exist.`);
      return readPart(source, { sizes: variable.sizes, part, layout });
    },
    async close() {},
  };
}

async function readHeader(source: ByteSource): Promise<NetcdfHeader> {
  for (let length = FIRST_BYTES; ; length *= 2) {
    const header = parseNetcdfHeader(await source.read(0, Math.min(length, source.size)));
    if (header !== null) return header;
    if (length >= source.size) throw truncated('its header does');
    if (length >= MAX_HEADER_BYTES)
      throw tooLarge(
        'netcdf-header',
        `The header of the NetCDF file takes more than ${MAX_HEADER_BYTES} bytes.`,
      );
  }
}

const isRecord = ({ dimensions }: NetcdfHeader, { dimensionIds }: HeaderVariable): boolean =>
  dimensionIds.length > 0 && dimensions[dimensionIds[0]!]!.size === 0;

/** Bytes of one record: those of all variables that grow, each padded to four bytes unless it is the only one. */
function toRecordBytes(header: NetcdfHeader): number {
  const ofRecords = header.variables.filter((variable) => isRecord(header, variable));
  const lengths = ofRecords.map(({ dimensionIds, type }) =>
    dimensionIds.slice(1).reduce((product, id) => product * header.dimensions[id]!.size, type.bytes),
  );
  if (lengths.length === 1) return lengths[0]!;
  return lengths.reduce((sum, length) => sum + Math.ceil(length / 4) * 4, 0);
}

/** Number of records. A writer that streams leaves it open: then it follows from the length of the file. */
function countRecords(header: NetcdfHeader, recordBytes: number, size: number): number {
  if (header.records !== null) return header.records;
  const begins = header.variables.filter((variable) => isRecord(header, variable)).map(({ begin }) => begin);
  if (begins.length === 0 || recordBytes === 0) return 0;
  return Math.max(0, Math.floor((size - Math.min(...begins)) / recordBytes));
}

interface PartPlan {
  readonly sizes: readonly number[];
  readonly part: ArrayPart;
  readonly layout: Layout;
}

async function readPart(source: ByteSource, { sizes, part, layout }: PartPlan): Promise<Float64Array> {
  const { type, begin, name } = layout.header;
  const { start, count } = part;
  const rank = sizes.length;
  const strides = new Array<number>(rank);
  for (let i = rank - 1, stride = type.bytes; i >= 0; i--) {
    strides[i] = i === 0 && layout.recordBytes > 0 ? layout.recordBytes : stride;
    stride *= sizes[i]!;
  }
  // Trailing dimensions that are read whole lie in one run with the dimension before them.
  let runFrom = rank;
  let runBytes = type.bytes;
  while (runFrom > 0 && runBytes === strides[runFrom - 1]) {
    runFrom -= 1;
    runBytes *= count[runFrom]!;
    if (count[runFrom] !== sizes[runFrom]) break;
  }
  const total = count.reduce((product, length) => product * length, 1);
  const values = new Float64Array(total);
  const index = start.slice(0, runFrom);
  for (let done = 0; done < total; ) {
    let offset = begin;
    for (let i = 0; i < rank; i++) offset += (i < runFrom ? index[i]! : start[i]!) * strides[i]!;
    if (offset + runBytes > source.size) throw truncated(`the numbers of "${name}" do`);
    const bytes = await source.read(offset, runBytes);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < runBytes; at += type.bytes) values[done++] = type.get(view, at);
    for (let i = runFrom - 1; i >= 0; i--) {
      index[i]! += 1;
      if (index[i]! < start[i]! + count[i]!) break;
      index[i] = start[i]!;
    }
  }
  return values;
}

/** How the numbers of a type are stored. */
interface NetcdfType {
  readonly bytes: number;
  readonly get: (view: DataView, offset: number) => number;
}

/** Types by number (NetCDF classic format specification, Unidata); 2 is text, those above 6 are of CDF-5 only. */
const netcdfTypes: ReadonlyMap<number, NetcdfType> = new Map([
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
const TEXT_TYPE = 2;

/** A variable as the header describes it. */
interface HeaderVariable {
  readonly name: string;
  /** Indices into the dimensions. */
  readonly dimensionIds: readonly number[];
  readonly attributes: ReadonlyMap<string, ArrayAttribute>;
  readonly typeNumber: number;
  readonly type: NetcdfType;
  readonly begin: number;
}

/** The header of a NetCDF classic file. */
interface NetcdfHeader {
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
function parseNetcdfHeader(bytes: Uint8Array): NetcdfHeader | null {
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

  /** Skips `length` bytes; returns where they start. */
  #advance(length: number): number {
    const start = this.#at;
    if (start + length > this.#bytes.length) throw TOO_SHORT;
    this.#at = start + length;
    return start;
  }
}
