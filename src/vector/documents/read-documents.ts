import type { AsyncBuffer, RowGroup } from 'hyparquet';
import { throwIfCancelled } from '../../async/index.ts';
import { unsupported } from '../errors.ts';
import { RowFault } from '../geometry/clean-geometry.ts';
import { parseWkb } from '../geometry/wkb.ts';
import { findShapeColumn, isRead } from '../read/geo-columns.ts';
import { groupTooLarge, MAX_GROUP_BYTES, openParquet, tried } from '../read/open-parquet.ts';
import type { ColumnEntries } from '../read/parquet-column.ts';
import { readEntries } from '../read/parquet-column.ts';
import type { TreeLeaf, TreeNode } from './document-tree.ts';
import { readTree } from './document-tree.ts';

/** The footer of a million items of fifteen files, in row groups of 4,096, has 8 MB. */
const MAX_FOOTER_BYTES = 64 * 2 ** 20;
/** Entries of a row group: each takes a byte or two, whatever its page claims. */
const MAX_GROUP_ENTRIES = 256 * 2 ** 20;
/** Values of one document, nulls included. */
const MAX_DOCUMENT_ENTRIES = 1_000_000;

/** A document that was read; `fault` says why its geometry cannot be used. */
export interface FoundDocument {
  readonly document: Readonly<Record<string, unknown>>;
  readonly fault: string | null;
}

interface ReadDocumentsOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the rows of GeoParquet as documents: JSON values, with fields that are null left out. The column of shapes becomes a
 * GeoJSON geometry. Memory is bounded by one row group, whose size is limited.
 */
export async function* readDocuments(
  path: string,
  { signal }: ReadDocumentsOptions = {},
): AsyncGenerator<FoundDocument> {
  await using opened = await openParquet(path, MAX_FOOTER_BYTES);
  const { file, metadata } = opened;
  const { root, leaves, shape } = await tried(async () => ({
    ...readTree(metadata.schema),
    shape: findShapeColumn(metadata),
  }));
  if (shape.toLonLat !== null)
    throw unsupported(
      'shape-crs',
      'The geometries of the file are not in longitude and latitude (EPSG:4326).',
    );
  for (const group of metadata.row_groups) {
    throwIfCancelled(signal);
    const columns = await tried(() => readGroup(file, group, leaves));
    const rows = Number(group.num_rows);
    for (let row = 0; row < rows; row++) {
      const document = await tried(async () => assemble(root, columns));
      const { [shape.name]: bytes, ...others } = document;
      yield toFound(bytes, others);
    }
  }
}

function toFound(bytes: unknown, others: Readonly<Record<string, unknown>>): FoundDocument {
  if (!(bytes instanceof Uint8Array)) return { document: { ...others, geometry: null }, fault: null };
  try {
    return { document: { ...others, geometry: parseWkb(bytes).geometry }, fault: null };
  } catch (error) {
    if (!(error instanceof RowFault)) throw error;
    return { document: { ...others, geometry: null }, fault: error.message };
  }
}

/** A leaf while documents are assembled: where in its entries the next document begins. */
interface Cursor extends Pick<ColumnEntries, 'values' | 'definitions' | 'repetitions'> {
  readonly leaf: TreeLeaf;
  /** False for types that are not read: their entries count, their values do not. */
  readonly isRead: boolean;
  readonly entries: number;
  at: number;
  valueAt: number;
}

async function readGroup(
  file: AsyncBuffer,
  group: RowGroup,
  leaves: readonly TreeLeaf[],
): Promise<readonly Cursor[]> {
  let [bytesLeft, entriesLeft] = [MAX_GROUP_BYTES, MAX_GROUP_ENTRIES];
  const chunks = new Map(
    group.columns.map(({ meta_data }) => [meta_data?.path_in_schema.join('\n'), meta_data] as const),
  );
  const cursors: Cursor[] = [];
  for (const leaf of leaves) {
    const { path, definition, repetition } = leaf;
    // Types that are not read are not converted either.
    const { converted_type: _, logical_type: __, ...plain } = leaf.element;
    const element = isRead(leaf.element) ? leaf.element : plain;
    const chunk = chunks.get(path.join('\n'));
    if (chunk === undefined) throw new RangeError('a row group without a column');
    const entries = Number(chunk.num_values);
    const size = Number(chunk.total_compressed_size);
    if (!(entries >= 0 && entries <= entriesLeft) || size > bytesLeft) throw groupTooLarge();
    entriesLeft -= entries;
    const start = Number(chunk.dictionary_page_offset || chunk.data_page_offset);
    const bytes = new Uint8Array(await file.slice(start, start + size));
    const { unpackedBytes, ...read } = readEntries(bytes, {
      element,
      codec: chunk.codec,
      maxBytes: bytesLeft,
      entries,
      maxDefinition: definition,
      maxRepetition: repetition,
    });
    bytesLeft -= unpackedBytes;
    if (bytesLeft < 0) throw groupTooLarge();
    cursors.push({ ...read, leaf, isRead: isRead(leaf.element), entries, at: 0, valueAt: 0 });
  }
  return cursors;
}

/** Puts the next document together; columns that disagree about its lists throw. */
function assemble(root: TreeNode, columns: readonly Cursor[]): Record<string, unknown> {
  let left = MAX_DOCUMENT_ENTRIES;

  /** The level of the next entry of a leaf. */
  function levelOf({ definitions, leaf, at, entries }: Cursor): number {
    if (at >= entries) throw new RangeError('a column of too few values');
    return definitions === null ? leaf.definition : definitions[at]!;
  }

  const repetitionOf = ({ repetitions, at, entries }: Cursor): number =>
    at >= entries || repetitions === null ? 0 : repetitions[at]!;

  function take(cursor: Cursor): unknown {
    const isThere = levelOf(cursor) === cursor.leaf.definition;
    cursor.at += 1;
    left -= 1;
    if (left < 0) throw new RangeError('a document of too many values');
    const value = isThere ? cursor.values[cursor.valueAt++] : undefined;
    return cursor.isRead ? toJson(value) : undefined;
  }

  /** Passes over a part that is null or empty, which has one entry in each leaf. */
  function skip({ first, count }: TreeNode): void {
    for (let i = first; i < first + count; i++) take(columns[i]!);
  }

  function readEntriesOf(node: TreeNode, readOne: () => void): void {
    const [leaf, { repetition }] = [columns[node.first]!, node.entry!];
    do readOne();
    while (repetitionOf(leaf) === repetition);
  }

  /** The value of a part; undefined where it is null. */
  function read(node: TreeNode): unknown {
    const { kind, definition, entry, children, first, count } = node;
    if (kind === 'leaf') return take(columns[first]!);
    // A structure whose fields cannot be read at all.
    if (count === 0) return undefined;
    const level = levelOf(columns[first]!);
    if (level < definition) {
      skip(node);
      return undefined;
    }
    if (kind === 'struct') {
      const fields = children.map((child) => [child.name, read(child)] as const);
      return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
    }
    if (entry !== null && level < entry.definition) {
      skip(node);
      return kind === 'map' ? {} : [];
    }
    if (kind === 'map') {
      const pairs: [string, unknown][] = [];
      readEntriesOf(node, () => pairs.push([String(read(children[0]!)), read(children[1]!)]));
      return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
    }
    const list: unknown[] = [];
    readEntriesOf(node, () => list.push(read(children[0]!) ?? null));
    return list;
  }

  const document = read(root) as Record<string, unknown>;
  if (columns.some((cursor) => repetitionOf(cursor) !== 0))
    throw new RangeError('columns that disagree about a list');
  return document;
}

/** A value as JSON has it; bytes stay, because only the caller knows what they are. */
function toJson(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (typeof value === 'number' && !Number.isFinite(value))
    return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  return value ?? undefined;
}
