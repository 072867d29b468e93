/** Query strings: parsing, canonical names of parameters, and the report of unknown names. */

import { suggestName } from '../../bandmath/index.ts';
import { badInput } from '../../errors.ts';

/** Parameters of a query string, each at most once. Names are case-sensitive. */
export type Query = ReadonlyMap<string, string>;

/** Parses a raw query string; a repeated or badly encoded parameter is an error, never a silent choice. */
export function parseQuery(raw: string): Query {
  const query = new Map<string, string>();
  for (const part of raw.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    const value = equals < 0 ? '' : decode(part.slice(equals + 1));
    if (query.has(name)) {
      throw badInput(
        'repeated-parameter',
        `The query parameter ${name.slice(0, 40)} is given more than once.`,
      );
    }
    query.set(name, value);
  }
  return query;
}

/** `name[]=…` is how some clients send lists; here it would be another parameter, ignored without a word. */
export function refuseLists(query: Query, isKnown: (name: string) => boolean): void {
  for (const written of query.keys()) {
    const bracket = written.indexOf('[');
    if (bracket < 1 || !isKnown(written.slice(0, bracket))) continue;
    const name = written.slice(0, bracket);
    throw badInput('list-parameter', `Pass ${name} once, as ${name}=…, not ${name}[]=….`);
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    throw badInput('bad-encoding', 'The query string is not valid percent-encoded UTF-8.', { cause: error });
  }
}

/** Case and underscores do not count: programs send `colormap` and `slopeRange`. */
const foldName = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** Names of parameters as the documentation writes them. */
export interface KnownNames {
  readonly all: readonly string[];
  /** The documented name of a written one; undefined when there is none. */
  find(written: string): string | undefined;
}

/** Makes the table of some names. */
export function makeKnownNames(all: readonly string[]): KnownNames {
  const exact = new Set(all);
  const folded = new Map(all.map((name) => [foldName(name), name]));
  return { all, find: (written) => (exact.has(written) ? written : folded.get(foldName(written))) };
}

/** The query with documented names; calls `onUnknown` for other names, which stay in the query. */
export function toKnownNames(query: Query, known: KnownNames, onUnknown: (name: string) => void): Query {
  const named = new Map<string, string>();
  for (const [written, value] of query) {
    const name = known.find(written);
    if (name === undefined) onUnknown(written);
    const chosen = name ?? written;
    if (named.has(chosen)) {
      throw badInput(
        'repeated-parameter',
        `The query parameter ${chosen.slice(0, 40)} is given more than once.`,
      );
    }
    named.set(chosen, value);
  }
  return named;
}

/** The header that tells which names of a request mean nothing. */
export const IGNORED_HEADER = 'x-ignored-parameters';

/** Collects the unknown names of one request. */
export interface IgnoredNames {
  /** Adds a name; `known` are the names that could be meant. */
  add(name: string, known: Iterable<string>): void;
  /** The value of the header; null when every name is known. */
  toHeader(): string | null;
}

/** Enough to see a mistake; a hostile query may hold thousands. */
const MAX_TOLD = 8;
/** Longer than any documented name. */
const MAX_CHARS = 40;

/** Begins the collection. What a header could not hold is written as `?`. */
export function makeIgnoredNames(): IgnoredNames {
  const told: string[] = [];
  let more = 0;
  return {
    add(name, known) {
      if (told.length >= MAX_TOLD) {
        more += 1;
        return;
      }
      const shown = name.slice(0, MAX_CHARS).replaceAll(/[^\w.[\]-]/g, '?');
      const meant = suggestName(name, known);
      told.push(meant === null ? shown : `${shown} (did you mean ${meant}?)`);
    },
    toHeader() {
      if (told.length === 0) return null;
      return [...told, ...(more === 0 ? [] : [`and ${more} more`])].join(', ');
    },
  };
}
