import { internal } from '../errors.ts';

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

/** Numbers of the parts of a header and of the types (NetCDF classic format specification, Unidata). */
const TAG = { dimension: 0x0a, variable: 0x0b, attribute: 0x0c } as const;
const TYPE = { text: 2, int16: 3, int32: 4, float32: 5, float64: 6 } as const;

/** A variable longer than this would need another header than the classic one. */
const MAX_BYTES = 2 ** 31 - 4;

/** Writes a NetCDF classic file (CDF-1): what GDAL, xarray and every other reader of NetCDF opens. */
export function encodeNetcdf(file: NetcdfFile): Uint8Array {
  const names = Object.keys(file.dimensions);
  const variables = Object.entries(file.variables).map(([name, variable]) => ({
    name,
    variable,
    values: toTyped(name, variable, file.dimensions),
  }));
  const lengths = variables.map(({ values }) => roundUp(values.data.byteLength));
  const writeHeader = (begins: readonly number[]): Uint8Array => {
    const bytes = makeBytes();
    bytes.ascii('CDF\u0001').int32(0);
    writeList(bytes, TAG.dimension, names, (name) => bytes.name(name).int32(file.dimensions[name] as number));
    writeAttributes(bytes, file.attributes);
    writeList(bytes, TAG.variable, variables, ({ name, variable, values }) => {
      const i = variables.findIndex((other) => other.name === name);
      bytes.name(name).int32(variable.dimensions.length);
      for (const dimension of variable.dimensions) bytes.int32(names.indexOf(dimension));
      writeAttributes(bytes, variable.attributes);
      bytes
        .int32(TYPE[values.type])
        .int32(lengths[i] as number)
        .int32(begins[i] as number);
    });
    return bytes.toBytes();
  };
  // The header says where the data begin; its own length does not depend on that.
  let offset = writeHeader(lengths.map(() => 0)).byteLength;
  const begins = lengths.map((length) => {
    const begin = offset;
    offset += length;
    return begin;
  });
  if (offset > MAX_BYTES)
    throw internal(
      'netcdf-too-large',
      `A NetCDF classic file ends at 2 GiB; this one needs ${offset} bytes.`,
    );
  const whole = new Uint8Array(offset);
  whole.set(writeHeader(begins));
  for (const [i, { values }] of variables.entries()) putBigEndian(whole, begins[i] as number, values);
  return whole;
}

const roundUp = (length: number): number => Math.ceil(length / 4) * 4;

/** Collects the parts of a NetCDF header: big-endian, texts padded to four bytes. */
function makeBytes() {
  const parts: Uint8Array[] = [];
  const number = (size: number, put: (view: DataView) => void) => {
    const part = new Uint8Array(size);
    put(new DataView(part.buffer));
    parts.push(part);
    return bytes;
  };
  const bytes = {
    int32: (value: number) => number(4, (view) => view.setInt32(0, value)),
    float32: (value: number) => number(4, (view) => view.setFloat32(0, value)),
    float64: (value: number) => number(8, (view) => view.setFloat64(0, value)),
    ascii(text: string) {
      parts.push(Buffer.from(text, 'latin1'));
      return bytes;
    },
    /** A text with its length before it. */
    text(value: string) {
      const encoded = Buffer.from(value, 'utf8');
      bytes.int32(encoded.length);
      parts.push(encoded, new Uint8Array((4 - (encoded.length % 4)) % 4));
      return bytes;
    },
    name: (value: string) => bytes.text(value),
    toBytes: (): Uint8Array => Buffer.concat(parts),
  };
  return bytes;
}

type Bytes = ReturnType<typeof makeBytes>;

function writeList<Item>(
  bytes: Bytes,
  tag: number,
  items: readonly Item[],
  write: (item: Item) => void,
): void {
  bytes.int32(items.length === 0 ? 0 : tag).int32(items.length);
  for (const item of items) write(item);
}

function writeAttributes(bytes: Bytes, attributes: NetcdfFile['attributes']): void {
  writeList(bytes, TAG.attribute, Object.entries(attributes), ([name, value]) => {
    bytes.name(name);
    if (typeof value === 'string') bytes.int32(TYPE.text).text(value);
    else if ('float32' in value) bytes.int32(TYPE.float32).int32(1).float32(value.float32);
    else bytes.int32(TYPE.float64).int32(1).float64(value.float64);
  });
}

interface TypedValues {
  readonly type: Exclude<keyof typeof TYPE, 'text'>;
  readonly data: NetcdfValues;
}

function toTyped(
  name: string,
  { values, dimensions }: NetcdfVariable,
  sizes: NetcdfFile['dimensions'],
): TypedValues {
  const length = dimensions.reduce((product, dimension) => {
    const size = sizes[dimension];
    if (size === undefined)
      throw internal('netcdf-dimension', `${name} has an unknown dimension ${dimension}.`);
    return product * size;
  }, 1);
  if (values.length !== length)
    throw internal(
      'netcdf-length',
      `${name} has ${values.length} values where its dimensions say ${length}.`,
    );
  if (values instanceof Float32Array) return { type: 'float32', data: values };
  if (values instanceof Float64Array) return { type: 'float64', data: values };
  return values instanceof Int16Array ? { type: 'int16', data: values } : { type: 'int32', data: values };
}

function putBigEndian(whole: Uint8Array, begin: number, { type, data }: TypedValues): void {
  const view = new DataView(whole.buffer, begin, data.byteLength);
  const put = {
    int16: (i: number, value: number) => view.setInt16(2 * i, value),
    int32: (i: number, value: number) => view.setInt32(4 * i, value),
    float32: (i: number, value: number) => view.setFloat32(4 * i, value),
    float64: (i: number, value: number) => view.setFloat64(8 * i, value),
  }[type];
  for (let i = 0; i < data.length; i++) put(i, data[i] as number);
}
