import { badInput } from '../../errors.ts';
import type { Query } from './query.ts';

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

/** The query with the names of the documentation; `onUnknown` is told of others, which stay in the query. */
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
