/** The columns of a Parquet file as a tree of lists, maps and structures, read from an untrusted schema. */
import type { SchemaElement } from 'hyparquet';
import { tooLarge } from '../errors.ts';

/** A part of documents. */
export interface TreeNode {
  readonly name: string;
  readonly kind: 'leaf' | 'list' | 'map' | 'struct';
  /** The level at which it is there. */
  readonly definition: number;
  /** Of a list or a map: the levels at which it has an entry, and at which an entry follows another. */
  readonly entry: { readonly definition: number; readonly repetition: number } | null;
  /** Fields of a structure; the element of a list; key and value of a map. */
  readonly children: readonly TreeNode[];
  /** Its leaves: the index of the first, and how many there are. */
  readonly first: number;
  readonly count: number;
}

/** A column chunk that holds values. */
export interface TreeLeaf {
  readonly element: SchemaElement;
  readonly path: readonly string[];
  readonly definition: number;
  readonly repetition: number;
}

const MAX_DEPTH = 40;
const MAX_LEAVES = 20_000;

interface Place {
  readonly definition: number;
  readonly repetition: number;
  readonly path: readonly string[];
}

/** The tree of a schema; throws for one that is too large or not a tree. */
export function readTree(schema: readonly SchemaElement[]): {
  readonly root: TreeNode;
  readonly leaves: readonly TreeLeaf[];
} {
  const leaves: TreeLeaf[] = [];
  let next = 1;

  /** The element at `next` with all below it. A repeated one is a list of what it holds. */
  function read(place: Place, isEntry: boolean): TreeNode {
    const element = schema[next++];
    if (element === undefined || place.path.length >= MAX_DEPTH) throw new RangeError('a schema too deep');
    const { name, repetition_type, num_children = 0, converted_type, logical_type } = element;
    const isRepeated = repetition_type === 'REPEATED';
    const definition = place.definition + Number(repetition_type !== 'REQUIRED');
    const repetition = place.repetition + Number(isRepeated);
    const here: Place = { definition, repetition, path: [...place.path, name] };
    const first = leaves.length;
    const finish = (
      kind: TreeNode['kind'],
      children: readonly TreeNode[],
      entry: TreeNode['entry'] = null,
    ) => ({
      name,
      kind,
      definition,
      entry,
      children,
      first,
      count: leaves.length - first,
    });
    const isList = converted_type === 'LIST' || logical_type?.type === 'LIST';
    const isMap = converted_type === 'MAP' || logical_type?.type === 'MAP';
    const inner = schema[next];
    if ((isList || isMap) && num_children === 1 && inner?.repetition_type === 'REPEATED') {
      const repeated = read(here, true);
      const entry = { definition: definition + 1, repetition: repetition + 1 };
      if (isMap && repeated.children.length === 2) return finish('map', repeated.children, entry);
      // The standard form has a group around the element; older files repeat the element itself.
      const [only] = repeated.children;
      const isWrapped = repeated.kind === 'struct' && repeated.children.length === 1 && only !== undefined;
      return finish('list', [isWrapped ? only : repeated], entry);
    }
    if (num_children === 0) leaves.push({ element, path: here.path, definition, repetition });
    if (leaves.length > MAX_LEAVES)
      throw tooLarge('too-many-columns', `The Parquet file has more than ${MAX_LEAVES} columns.`);
    const children = Array.from({ length: num_children }, () => read(here, false));
    const node = finish(num_children === 0 ? 'leaf' : 'struct', children);
    if (!isRepeated || isEntry) return node;
    // Without an annotation it is a list that cannot be null.
    return {
      ...node,
      kind: 'list',
      definition: place.definition,
      entry: { definition, repetition },
      children: [node],
    };
  }

  const fields = schema[0]?.num_children ?? 0;
  if (fields > MAX_LEAVES) throw new RangeError('a schema too wide');
  const top = { definition: 0, repetition: 0, path: [] };
  const children = Array.from({ length: fields }, () => read(top, false));
  const root: TreeNode = {
    name: '',
    kind: 'struct',
    definition: 0,
    entry: null,
    children,
    first: 0,
    count: leaves.length,
  };
  return { root, leaves };
}
