import { randomUUID } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import * as h5wasm from 'h5wasm';
import type { WireError } from '../../errors.ts';
import { isSwathError, toWire } from '../../errors.ts';
import type { ArrayAttribute, ArrayPart, ArrayVariable } from '../array-file.ts';
import { isReadable, MAX_DIMENSIONS, MAX_VARIABLES } from '../array-file.ts';
import { badInput, sourceBroken, tooLarge } from '../errors.ts';

/** A request to the thread. */
export type Hdf5Request =
  | { readonly id: number; readonly kind: 'open'; readonly path: string }
  | { readonly id: number; readonly kind: 'read'; readonly name: string; readonly part: ArrayPart };

/** What a file holds. */
interface Hdf5Contents {
  readonly attributes: ReadonlyMap<string, ArrayAttribute>;
  readonly variables: readonly ArrayVariable[];
}

/** An answer of the thread. */
export type Hdf5Answer =
  | { readonly id: number; readonly contents: Hdf5Contents }
  | { readonly id: number; readonly values: Float64Array }
  | { readonly id: number; readonly error: WireError };

/** Groups inside groups; those below are left out. */
const MAX_DEPTH = 4;
/**
 * Groups, links and attributes that are visited. Data sets have some dozens, some hundreds at most. The library needs
 * 0.1 to 0.3 ms for each, and knows objects only by their paths: in a small file that links to itself there is no end of
 * paths.
 */
const MAX_GROUPS = 512;
const MAX_LINKS = 8_192;
const MAX_ATTRIBUTES = 8_192;
/** A block of a variable, which the library decodes at once; writers use some megabytes at most. */
const MAX_CHUNK_BYTES = 2 ** 28;
/** HDF5 numbers of the classes of integers and floats. */
const NUMBERS: ReadonlySet<number> = new Set([0, 1]);
/** The one file that the library sees; links to other files cannot know its name, and so cannot lead back to it. */
const PATH = `/${randomUUID()}`;

const { FS, activate_throwing_error_handler } = await h5wasm.ready;
// Without it the library only prints its errors to the standard error stream.
activate_throwing_error_handler();

interface Opened {
  readonly file: h5wasm.File;
  readonly descriptor: number;
  readonly contents: Hdf5Contents;
}

let opened: Opened | null = null;

parentPort?.on('message', (request: Hdf5Request) => {
  const answer = toAnswer(request);
  parentPort?.postMessage(answer, 'values' in answer ? [answer.values.buffer as ArrayBuffer] : []);
});

function toAnswer(request: Hdf5Request): Hdf5Answer {
  const { id } = request;
  try {
    if (request.kind === 'read') return { id, values: readValues(request) };
    closeFile();
    opened = openFile(request.path);
    return { id, contents: opened.contents };
  } catch (error) {
    const known = isSwathError(error)
      ? error
      : sourceBroken(
          'hdf5-damaged',
          'The HDF5 or NetCDF 4 file is damaged, or of a kind that is not known.',
          {
            cause: error,
          },
        );
    return { id, error: toWire(known) };
  }
}

function closeFile(): void {
  if (opened === null) return;
  const { file, descriptor } = opened;
  opened = null;
  file.close();
  closeSync(descriptor);
}

/**
 * Opens a file that the library reads in ranges. The library has a file system of its own with this file only: links of
 * a hostile file to others of this machine lead nowhere.
 */
function openFile(path: string): Opened {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    mount(descriptor);
    const file = new h5wasm.File(PATH, 'r');
    // The library gives no number to a file that it cannot open.
    if (file.file_id < 0n) throw new Error('the library refuses the file');
    const variables: ArrayVariable[] = [];
    const seen = { groups: 0, links: 0, attributes: 0 };
    listVariables(file, { prefix: '', depth: 0, variables, seen });
    return { file, descriptor, contents: { attributes: toAttributes(file.attrs, seen), variables } };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

interface FileNode {
  usedBytes: number;
  stream_ops: Record<string, unknown>;
}

function mount(descriptor: number): void {
  const { size } = fstatSync(descriptor);
  const files = FS as unknown as {
    analyzePath(path: string): { readonly exists: boolean };
    unlink(path: string): void;
    createDataFile(...args: unknown[]): void;
    lookupPath(path: string): { readonly node: FileNode };
  };
  if (files.analyzePath(PATH).exists) files.unlink(PATH);
  files.createDataFile('/', PATH.slice(1), new Uint8Array(0), true, false, false);
  const { node } = files.lookupPath(PATH);
  node.usedBytes = size;
  node.stream_ops = {
    ...node.stream_ops,
    read: (_stream: unknown, memory: Uint8Array, offset: number, length: number, position: number): number =>
      length === 0 || position >= size
        ? 0
        : readSync(descriptor, memory, offset, Math.min(length, size - position), position),
  };
}

interface Walk {
  readonly prefix: string;
  readonly depth: number;
  readonly variables: ArrayVariable[];
  readonly seen: Seen;
}

/** Counts of what was visited so far. */
interface Seen {
  groups: number;
  links: number;
  attributes: number;
}

function countLink(seen: Seen): void {
  seen.links += 1;
  if (seen.links > MAX_LINKS)
    throw tooLarge('hdf5-links', `The file has more than ${MAX_LINKS} links to groups and variables.`);
}

function countGroup(seen: Seen): void {
  seen.groups += 1;
  if (seen.groups > MAX_GROUPS)
    throw tooLarge(
      'hdf5-groups',
      `The file has more than ${MAX_GROUPS} groups, or groups that contain each other.`,
    );
}

function listVariables(group: h5wasm.Group, { prefix, depth, variables, seen }: Walk): void {
  for (const key of group.keys()) {
    countLink(seen);
    const member = group.get(key);
    const name = `${prefix}${key}`;
    if (member instanceof h5wasm.Group) {
      countGroup(seen);
      if (depth < MAX_DEPTH) listVariables(member, { prefix: `${name}/`, depth: depth + 1, variables, seen });
    } else if (member instanceof h5wasm.Dataset) {
      const { shape } = member;
      if (shape === null || !NUMBERS.has(member.metadata.type) || shape.length > MAX_DIMENSIONS) continue;
      if (variables.length >= MAX_VARIABLES)
        throw tooLarge('hdf5-variables', `The file has more than ${MAX_VARIABLES} variables.`);
      variables.push({
        name,
        dimensions: toDimensions(member, name, shape),
        sizes: shape,
        attributes: toAttributes(member.attrs, seen),
      });
    }
  }
}

/** Names of the dimensions: of the scales that are attached to them, as NetCDF 4 writes them. */
function toDimensions(dataset: h5wasm.Dataset, name: string, shape: readonly number[]): readonly string[] {
  const isScale = dataset.attrs.CLASS?.value === 'DIMENSION_SCALE';
  return shape.map((size, i) => {
    if (isScale && shape.length === 1) return name;
    const [scale] = dataset.get_attached_scales(i);
    return scale === undefined ? `size ${size}` : scale.replace(/^\/+/, '');
  });
}

function toAttributes(
  attributes: Record<string, h5wasm.Attribute>,
  seen: Seen,
): ReadonlyMap<string, ArrayAttribute> {
  const known = new Map<string, ArrayAttribute>();
  for (const name of Object.keys(attributes)) {
    seen.attributes += 1;
    if (seen.attributes > MAX_ATTRIBUTES)
      throw tooLarge('hdf5-attributes', `The file has more than ${MAX_ATTRIBUTES} attributes.`);
    // Lists of references have no numbers, and reading them costs time.
    if (name === 'DIMENSION_LIST' || name === 'REFERENCE_LIST') continue;
    const value = toAttribute(attributes[name]?.value);
    if (value !== null) known.set(name, value);
  }
  return known;
}

function toAttribute(value: unknown): ArrayAttribute | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return [Number(value)];
  if (Array.isArray(value) && typeof value[0] === 'string') return value[0];
  if (ArrayBuffer.isView(value) && 'length' in value)
    return Array.from(value as unknown as ArrayLike<number | bigint>, Number);
  return null;
}

function readValues({ name, part }: Extract<Hdf5Request, { kind: 'read' }>): Float64Array {
  const dataset = opened?.file.get(name);
  if (!(dataset instanceof h5wasm.Dataset) || dataset.shape === null || !isReadable(dataset.shape, part))
    throw badInput('bad-part', `The part of "${name}" that is asked for does not exist.`);
  const { chunks, size } = dataset.metadata;
  const chunkBytes = chunks?.reduce((product, length) => product * length, size) ?? 0;
  if (chunkBytes > MAX_CHUNK_BYTES)
    throw tooLarge('hdf5-chunk', `"${name}" is stored in blocks of more than ${MAX_CHUNK_BYTES} bytes.`);
  const values =
    dataset.shape.length === 0
      ? dataset.value
      : dataset.slice(part.start.map((start, i) => [start, start + part.count[i]!]));
  const total = part.count.reduce((product, length) => product * length, 1);
  if (typeof values === 'number' || typeof values === 'bigint') return Float64Array.of(Number(values));
  if (!ArrayBuffer.isView(values) || !('length' in values) || values.length !== total)
    throw sourceBroken('hdf5-damaged', `The numbers of "${name}" cannot be read; the file is damaged.`);
  return Float64Array.from(values as unknown as ArrayLike<number | bigint>, Number);
}
