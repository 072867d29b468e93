/**
 * The columns of documents: what their fields hold is learned from all of them, before the first is written. Parquet needs
 * one type for each field.
 */
import type { SchemaElement } from 'hyparquet';
import { badInput, internal } from '../errors.ts';
import { ELEMENTS } from '../write/parquet-types.ts';

/** Values of one type. */
type Kind = 'text' | 'number' | 'integer' | 'boolean' | 'timestamp' | 'bytes' | 'list' | 'struct';

/** What a field of documents holds. */
interface Shape {
  /** Null as long as only nulls were seen. */
  kind: Kind | null;
  /** The elements of a list. */
  of: Shape | null;
  /** The fields of a structure, in the order in which they were seen. */
  readonly fields: Map<string, Shape>;
}

/** A document: JSON, with `Date` for times and `Uint8Array` for bytes. */
export type Document = Readonly<Record<string, unknown>>;

/** The shape of documents. */
export interface DocumentShape {
  /** Learns from a document. */
  note(document: Document): void;
  /** The names of its columns. */
  readonly columns: readonly string[];
  /** The schema of a file. */
  toSchema(): SchemaElement[];
  /** A document as the writer takes it; a field that was never noted throws `documents-changed`. */
  toRow(document: Document): Readonly<Record<string, unknown>>;
}

/** Numbers that JSON cannot express: STAC writes them as texts, Parquet as numbers. */
const WORDS: ReadonlyMap<unknown, number> = new Map([
  ['nan', Number.NaN],
  ['inf', Infinity],
  ['-inf', -Infinity],
]);

const makeShape = (): Shape => ({ kind: null, of: null, fields: new Map() });

/** Builds an empty one. */
export function makeDocumentShape(): DocumentShape {
  const root: Shape = { ...makeShape(), kind: 'struct' };
  const written = (): [string, Shape][] => [...root.fields].filter(([, shape]) => isWritten(shape));
  return {
    note: (document) => note(root, document, ''),
    get columns() {
      return written().map(([name]) => name);
    },
    toSchema: () => [
      { name: 'schema', num_children: written().length },
      ...written().flatMap(([name, shape]) => toElements(name, shape)),
    ],
    toRow: (document) => toStored(root, document, '') as Readonly<Record<string, unknown>>,
  };
}

/** Parquet cannot hold a structure without fields. */
const isWritten = ({ kind, of, fields }: Shape): boolean =>
  kind === 'struct'
    ? [...fields.values()].some(isWritten)
    : kind === 'list'
      ? of === null || isWritten(of)
      : true;

function kindOf(value: unknown): Kind {
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Date) return 'timestamp';
  if (Array.isArray(value)) return 'list';
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'number':
      return Number.isSafeInteger(value) ? 'integer' : 'number';
    case 'boolean':
      return 'boolean';
    default:
      return 'struct';
  }
}

function note(shape: Shape, value: unknown, path: string): void {
  if (value === null || value === undefined) return;
  const kind = kindOf(value);
  shape.kind = shape.kind === null || shape.kind === kind ? kind : joinKinds(shape.kind, kind, value, path);
  if (kind === 'list') {
    shape.of ??= makeShape();
    for (const one of value as readonly unknown[]) note(shape.of, one, path);
  } else if (kind === 'struct') {
    for (const [name, one] of Object.entries(value)) {
      let field = shape.fields.get(name);
      if (field === undefined) {
        field = makeShape();
        shape.fields.set(name, field);
      }
      note(field, one, `${path}.${name}`);
    }
  }
}

function joinKinds(known: Kind, kind: Kind, value: unknown, path: string): Kind {
  const isNumber = (one: Kind): boolean => one === 'integer' || one === 'number';
  if (isNumber(known) && (isNumber(kind) || WORDS.has(value))) return 'number';
  // A text that was such a word so far.
  if (known === 'text' && isNumber(kind)) return 'number';
  throw internal('mixed-types', `The field ${path.slice(1)} holds values of the types ${known} and ${kind}.`);
}

const LIST = { repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' } as const;

function toElements(name: string, { kind, of, fields }: Shape): SchemaElement[] {
  if (kind === 'list')
    return [
      { name, ...LIST, logical_type: { type: 'LIST' } },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      ...toElements('element', of ?? makeShape()),
    ];
  if (kind === 'struct') {
    const written = [...fields].filter(([, shape]) => isWritten(shape));
    return [
      { name, repetition_type: 'OPTIONAL', num_children: written.length },
      ...written.flatMap(([field, shape]) => toElements(field, shape)),
    ];
  }
  // A field without a value is a text.
  const element = kind === 'bytes' ? ELEMENTS.geometry : ELEMENTS[kind ?? 'text'];
  return [{ name, repetition_type: 'OPTIONAL', ...element }];
}

function toStored({ kind, of, fields }: Shape, value: unknown, path: string): unknown {
  if (value === null || value === undefined) return null;
  switch (kind) {
    case 'list':
      return (value as readonly unknown[]).map((one) => (of === null ? null : toStored(of, one, path)));
    case 'struct': {
      const stored: Record<string, unknown> = {};
      for (const [name, one] of Object.entries(value)) {
        const field = fields.get(name);
        if (field === undefined) throw changed(`${path}.${name}`);
        stored[name] = toStored(field, one, `${path}.${name}`);
      }
      return stored;
    }
    case 'integer':
      if (!Number.isSafeInteger(value)) throw changed(path);
      return BigInt(value as number);
    case 'number': {
      const number = WORDS.get(value) ?? value;
      if (typeof number !== 'number') throw changed(path);
      return number;
    }
    case 'timestamp':
      if (!(value instanceof Date)) throw changed(path);
      return BigInt(value.getTime());
    default:
      if (kindOf(value) !== kind) throw changed(path);
      return value;
  }
}

const changed = (path: string) =>
  badInput(
    'documents-changed',
    `What is written has changed meanwhile: the field ${path.slice(1)} is new, or has a value of another type. Write it again.`,
  );
