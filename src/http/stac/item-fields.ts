/** The fields extension: which parts of an item a client wants. */
import { isObject } from '../../json.ts';
import { badInput } from '../errors.ts';

/** Paths that are wanted, or not. */
export interface ItemFields {
  /** Null for all. */
  readonly include: readonly string[] | null;
  readonly exclude: readonly string[];
}

const MAX_PATHS = 100;

/** What every item keeps: clients cannot read a feature without it. */
const ALWAYS = ['type', 'id', 'collection', 'stac_version'] as const;

/** `fields` of a query: names with commas between them, `-` before those that are not wanted. */
export function parseFieldsText(text: string): ItemFields {
  // A plus in a query is a space.
  const names = text
    .split(',')
    .map((name) => name.trim().replace(/^\+/, ''))
    .filter((name) => name !== '');
  const exclude = names.filter((name) => name.startsWith('-')).map((name) => name.slice(1));
  return checkFields({ include: names.filter((name) => !name.startsWith('-')), exclude });
}

/** `fields` of a body: `{include, exclude}`. */
export function parseFieldsBody(value: unknown): ItemFields {
  if (!isObject(value)) throw refuse();
  return checkFields({ include: value.include ?? [], exclude: value.exclude ?? [] });
}

function checkFields({
  include,
  exclude,
}: {
  readonly include: unknown;
  readonly exclude: unknown;
}): ItemFields {
  const lists = [include, exclude];
  const isRight = lists.every(
    (list) =>
      Array.isArray(list) &&
      list.length <= MAX_PATHS &&
      (list as unknown[]).every((name) => typeof name === 'string' && name.length <= 200),
  );
  if (!isRight) throw refuse();
  const [wanted, unwanted] = lists as [string[], string[]];
  return { include: wanted.length === 0 ? null : wanted, exclude: unwanted };
}

const refuse = (): Error =>
  badInput('bad-fields', `fields must name at most ${MAX_PATHS} fields to include and to exclude.`);

/** Whether items need the files of their scenes, which take the longest to read. */
export const needsAssets = ({ include, exclude }: ItemFields): boolean =>
  include === null
    ? !exclude.includes('assets')
    : include.some((path) => path === 'assets' || path.startsWith('assets.'));

/** Whole parts that are wanted; null where parts of parts are. */
export function toWantedParts({ include, exclude }: ItemFields): ((part: string) => boolean) | null {
  if (include !== null || exclude.some((path) => path.includes('.'))) return null;
  return (part) => !exclude.includes(part);
}

/**
 * The parts of an item that are wanted. What is included by name stays, whatever is left out around it: of `properties.gsd`
 * and `-properties` that one property remains.
 */
export function pickFields(item: Tree, { include, exclude }: ItemFields): Tree {
  const unwanted = exclude.map(toPath);
  if (include === null) return unwanted.length === 0 ? item : omit(item, unwanted);
  const wanted = [...ALWAYS, ...include].map(toPath);
  const inside = unwanted.filter((path) => !wanted.some((one) => path.every((name, i) => name === one[i])));
  return omit(pick(item, wanted), inside);
}

type Path = readonly string[];
type Tree = Readonly<Record<string, unknown>>;

/** Names of properties have colons, and no dots. */
const toPath = (name: string): Path => name.split('.').slice(0, 8);

function pick(tree: Tree, paths: readonly Path[]): Tree {
  const entries = Object.entries(tree).flatMap(([name, value]) => {
    const own = paths.filter(([first]) => first === name);
    if (own.length === 0) return [];
    const isWhole = own.some((path) => path.length === 1) || !isObject(value);
    return [
      [
        name,
        isWhole
          ? value
          : pick(
              value,
              own.map((path) => path.slice(1)),
            ),
      ] as const,
    ];
  });
  return Object.fromEntries(entries);
}

function omit(tree: Tree, paths: readonly Path[]): Tree {
  const entries = Object.entries(tree).flatMap(([name, value]) => {
    const own = paths.filter(([first]) => first === name);
    if (own.some((path) => path.length === 1)) return [];
    const inner = own.map((path) => path.slice(1));
    return [[name, inner.length > 0 && isObject(value) ? omit(value, inner) : value] as const];
  });
  return Object.fromEntries(entries);
}
