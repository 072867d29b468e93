/** Texts remembered at most: the paths of a few screens full of tiles. */
const MOST_REMEMBERED = 512;

/** Remembers what the last texts were read as, for a grammar that always reads a text the same; errors are not kept. */
export function rememberParsed<Value>(parse: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = parse(text);
    if (known.size >= MOST_REMEMBERED) known.delete(known.keys().next().value as string);
    known.set(text, value);
    return value;
  };
}
