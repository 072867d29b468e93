import { makeLru } from '../../lru.ts';

/** Texts remembered at most: the paths of a few screens full of tiles. */
const MAX_REMEMBERED = 512;

/** Remembers what the last texts were read as, for a grammar that always reads a text the same; errors are not remembered. */
export function rememberParsed<Value>(parse: (text: string) => Value): (text: string) => Value {
  const known = makeLru<Value>({ max: MAX_REMEMBERED });
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = parse(text);
    known.set(text, value);
    return value;
  };
}
