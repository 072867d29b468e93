import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { AbsolutePath, AsyncReadable, RangeQuery, Array as ZarrArray } from 'zarrita';
import { open as openNode, root } from 'zarrita';
import { isSwathError } from '../../errors.ts';
import { isGone } from '../../files/index.ts';
import type { ArrayAttribute, ArrayFile, ArrayPart, ArrayVariable } from '../array-file.ts';
import { isReadable, MAX_DIMENSIONS, MAX_VARIABLES } from '../array-file.ts';
import { badInput, sourceBroken, tooLarge } from '../errors.ts';
import { boundCodecs, checkCodecs, MAX_CHUNK_BYTES } from './codecs.ts';

type AnyArray = ZarrArray<'float64' | 'int32' | 'uint8' | 'int64'>;

/** Types of numbers, with their bytes. */
const NUMBER_BYTES: ReadonlyMap<string, number> = new Map([
  ...(['int8', 'uint8'] as const).map((name): [string, number] => [name, 1]),
  ...(['int16', 'uint16', 'float16'] as const).map((name): [string, number] => [name, 2]),
  ...(['int32', 'uint32', 'float32'] as const).map((name): [string, number] => [name, 4]),
  ...(['int64', 'uint64', 'float64'] as const).map((name): [string, number] => [name, 8]),
]);
/** Chunks that one read may touch; a store with more of them than this for 64 MB is made to waste time. */
const MAX_CHUNKS_PER_READ = 2 ** 16;

/** Opens a folder of Zarr arrays, version 2 or 3: the arrays directly in it. */
export async function openZarr(folder: string): Promise<ArrayFile> {
  boundCodecs();
  const store = makeZarrFolder(folder);
  const arrays = new Map<ArrayVariable, AnyArray>();
  const attributes = await guard('the folder', async () => {
    const group = await openNode(root(store), { kind: 'group' });
    return toAttributes(group.attrs);
  });
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .toSorted();
  if (names.length > MAX_VARIABLES)
    throw tooLarge('zarr-variables', `The Zarr folder has more than ${MAX_VARIABLES} arrays.`);
  for (const name of names) {
    await guard(name, async () => {
      await checkCodecs(store, name);
      const node = await openNode(root(store).resolve(name));
      if (node.kind !== 'array' || !NUMBER_BYTES.has(node.dtype)) return;
      const array = node as unknown as AnyArray;
      if (!isLengths(array.shape) || !isLengths(array.chunks) || array.shape.length !== array.chunks.length)
        throw new Error('its sizes make no sense');
      arrays.set(toVariable(name, array), array);
    });
  }
  return {
    attributes,
    variables: [...arrays.keys()],
    async read(variable, part) {
      const array = arrays.get(variable);
      if (array === undefined || !isReadable(variable.sizes, part))
        throw badInput('bad-part', `The part of "${variable.name}" that is asked for does not exist.`);
      return guard(variable.name, () => readPart(array, part));
    },
    async close() {},
  };
}

/** A stored chunk or a document of metadata. */
const MAX_FILE_BYTES = 2 ** 28;

/** The files below a folder, as zarrita reads them; links that lead out of the folder are refused. */
function makeZarrFolder(folder: string): AsyncReadable {
  const withFile = async <T>(
    key: AbsolutePath,
    use: (file: FileHandle) => Promise<T>,
  ): Promise<T | undefined> => {
    const path = join(folder, key);
    let file: FileHandle;
    try {
      const [root, real] = await Promise.all([realpath(folder), realpath(path)]);
      if (!real.startsWith(root + sep))
        throw sourceBroken('zarr-link', 'A file of the Zarr folder is a link that leads out of it.');
      file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch (error) {
      // A chunk that is absent holds the fill value.
      if (isGone(error)) return undefined;
      throw error;
    }
    try {
      return await use(file);
    } finally {
      await file.close();
    }
  };
  return {
    get: (key) => withFile(key, (file) => readRange(file, { offset: 0, length: null })),
    getRange: (key, range) =>
      withFile(key, async (file) => {
        const { size } = await file.stat();
        return readRange(file, toOffsets(range, size));
      }),
  };
}

const toOffsets = (range: RangeQuery, size: number) =>
  'suffixLength' in range
    ? { offset: size - range.suffixLength, length: range.suffixLength }
    : { offset: range.offset, length: range.length };

/** Compared with the file before anything is allocated. */
async function readRange(
  file: FileHandle,
  { offset, length }: { readonly offset: number; readonly length: number | null },
): Promise<Uint8Array> {
  const stats = await file.stat();
  if (!stats.isFile()) throw sourceBroken('zarr-file', 'A file of the Zarr folder is not a plain file.');
  const wanted = length ?? stats.size;
  if (!(offset >= 0 && wanted >= 0 && offset + wanted <= stats.size))
    throw sourceBroken('zarr-truncated', 'A file of the Zarr folder is cut off.');
  if (wanted > MAX_FILE_BYTES)
    throw tooLarge('zarr-file', `A file of the Zarr folder has more than ${MAX_FILE_BYTES} bytes.`);
  const bytes = new Uint8Array(wanted);
  for (let done = 0; done < wanted; ) {
    const { bytesRead } = await file.read(bytes, done, wanted - done, offset + done);
    if (bytesRead === 0) throw sourceBroken('zarr-truncated', 'A file of the Zarr folder became shorter.');
    done += bytesRead;
  }
  return bytes;
}

/** Metadata of others are whatever their JSON says. */
const isLengths = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length <= MAX_DIMENSIONS &&
  value.every((length) => Number.isSafeInteger(length) && length >= 1);

/** Whatever zarrita throws at an array of others is their damage. */
async function guard<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isSwathError(error)) throw error;
    throw sourceBroken(
      'zarr-damaged',
      `The Zarr array "${name.slice(0, 80)}" is damaged, or of a kind that is not known.`,
      {
        cause: error,
      },
    );
  }
}

function toVariable(name: string, array: AnyArray): ArrayVariable {
  const attributes = new Map(toAttributes(array.attrs));
  const isStrings = (value: unknown): value is string[] =>
    Array.isArray(value) && value.every((one) => typeof one === 'string');
  // xarray names the dimensions in an attribute in version 2, and takes the fill value of the array as a gap there.
  const stated = array.attrs._ARRAY_DIMENSIONS;
  const fill = array.fillValue;
  if (isStrings(stated) && fill !== null && !attributes.has('_FillValue'))
    attributes.set('_FillValue', [Number(fill)]);
  const names = array.dimensionNames ?? (isStrings(stated) ? stated : []);
  const dimensions = array.shape.map((size, i) => names[i] ?? `size ${size}`);
  return { name, dimensions, sizes: array.shape, attributes };
}

function toAttributes(attributes: Readonly<Record<string, unknown>>): ReadonlyMap<string, ArrayAttribute> {
  const known = new Map<string, ArrayAttribute>();
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'string') known.set(name, value);
    else if (typeof value === 'number') known.set(name, [value]);
    else if (Array.isArray(value) && value.every((one) => typeof one === 'number')) known.set(name, value);
  }
  return known;
}

async function readPart(array: AnyArray, { start, count }: ArrayPart): Promise<Float64Array> {
  const { chunks } = array;
  const rank = chunks.length;
  const chunkLength = chunks.reduce((product, length) => product * length, 1);
  if (!(chunkLength >= 1 && chunkLength * NUMBER_BYTES.get(array.dtype)! <= MAX_CHUNK_BYTES))
    throw tooLarge('zarr-chunk', `Chunks of the Zarr folder have more than ${MAX_CHUNK_BYTES} bytes.`);
  const first = start.map((from, i) => Math.floor(from / chunks[i]!));
  const last = start.map((from, i) => Math.floor((from + count[i]! - 1) / chunks[i]!));
  const touched = first.reduce((product, from, i) => product * (last[i]! - from + 1), 1);
  if (touched > MAX_CHUNKS_PER_READ)
    throw tooLarge('zarr-chunks', 'The chunks of the Zarr folder are too small to be read in bounded time.');
  const values = new Float64Array(count.reduce((product, length) => product * length, 1));
  const position = [...first];
  for (let done = 0; done < touched; done++) {
    // One after the other, so that memory stays that of one chunk.
    const { data, stride } = await array.getChunk(position);
    if (data.length < chunkLength)
      throw sourceBroken('zarr-chunk', 'A chunk of the Zarr folder is shorter than its array says.');
    copyChunk({ values, start, count, chunks, position, data, stride });
    for (let i = rank - 1; i >= 0; i--) {
      position[i]! += 1;
      if (position[i]! <= last[i]!) break;
      position[i] = first[i]!;
    }
  }
  return values;
}

interface ChunkCopy extends ArrayPart {
  readonly values: Float64Array;
  readonly chunks: readonly number[];
  readonly position: readonly number[];
  readonly data: ArrayLike<number | bigint>;
  readonly stride: readonly number[];
}

function copyChunk({ values, start, count, chunks, position, data, stride }: ChunkCopy): void {
  const copy = (axis: number, from: number, to: number): void => {
    if (axis === chunks.length) {
      values[to] = Number(data[from]);
      return;
    }
    const origin = position[axis]! * chunks[axis]!;
    const low = Math.max(start[axis]!, origin);
    const high = Math.min(start[axis]! + count[axis]!, origin + chunks[axis]!);
    for (let i = low; i < high; i++)
      copy(
        axis + 1,
        from + (i - origin) * stride[axis]!,
        to * (count[axis + 1] ?? 1) + (i - start[axis]!) * (count[axis + 1] ?? 1),
      );
  };
  copy(0, 0, 0);
}
