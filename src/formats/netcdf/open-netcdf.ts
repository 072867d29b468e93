import { badInput, sourceBroken, tooLarge } from '../../errors.ts';
import type { ByteSource } from '../../sources/index.ts';
import type { ArrayFile, ArrayPart, ArrayVariable } from '../array-file.ts';
import { isReadable } from '../array-file.ts';
import type { HeaderVariable, NetcdfHeader } from './netcdf-header.ts';
import { parseNetcdfHeader } from './netcdf-header.ts';
import { TEXT_TYPE } from './netcdf-types.ts';

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

/** A writer that streams leaves the count open; then the length of the file tells. */
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
