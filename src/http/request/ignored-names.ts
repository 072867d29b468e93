import { suggestName } from '../../bandmath/index.ts';

/** The header that tells which names of a request mean nothing. */
export const IGNORED_HEADER = 'x-ignored-parameters';

/** Collects the names of one request that mean nothing where they stand. */
export interface IgnoredNames {
  /** Adds a name; `known` are the names that could be meant. */
  add(name: string, known: Iterable<string>): void;
  /** The value of the header; null when every name is known. */
  toHeader(): string | null;
}

/** Enough to see a mistake; a hostile query may hold thousands. */
const MAX_TOLD = 8;
/** Longer than any name of ours. */
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
