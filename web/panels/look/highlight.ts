/** Which parts of band math are what, for colours. */

/** Names that a sensor and the language have. */
export interface KnownNames {
  readonly bands: readonly string[];
  readonly indices: readonly string[];
  readonly functions: readonly string[];
}

/** A part of the text and what it is. */
export interface Token {
  readonly kind: 'band' | 'index' | 'function' | 'number' | 'sign' | 'space' | 'unknown' | 'error';
  readonly text: string;
}

const PARTS =
  /(?<space>\s+)|(?<number>\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+)|(?<name>[A-Za-z_]\w*)|(?<sign>.)/giu;

const kindOfName = (name: string, { bands, indices, functions }: KnownNames): Token['kind'] => {
  if (bands.includes(name) || name === 'NODATA') return 'band';
  if (indices.includes(name)) return 'index';
  return functions.includes(name) ? 'function' : 'unknown';
};

/** Splits the text; the part at `errorAt` is the error. All parts together are the text. */
export const planHighlight = (text: string, names: KnownNames, errorAt: number | null): readonly Token[] => {
  const tokens = [...text.matchAll(PARTS)].map((match): Token => {
    const { space, number, name } = match.groups ?? {};
    const [part] = match;
    const isError = errorAt !== null && match.index <= errorAt && errorAt < match.index + part.length;
    if (isError) return { kind: 'error', text: part };
    if (space !== undefined) return { kind: 'space', text: part };
    if (number !== undefined) return { kind: 'number', text: part };
    return { kind: name === undefined ? 'sign' : kindOfName(name, names), text: part };
  });
  // Something is missing at the end: there is nothing to mark but the end itself.
  return errorAt !== null && errorAt >= text.length ? [...tokens, { kind: 'error', text: ' ' }] : tokens;
};

/** The name that is being typed before the caret, and names that begin like it: bands first, then indices, functions. */
export const planCompletion = (
  text: string,
  caret: number,
  { bands, indices, functions }: KnownNames,
): { readonly typed: string; readonly offers: readonly string[] } => {
  const typed = /[A-Za-z_]\w*$/.exec(text.slice(0, caret))?.[0] ?? '';
  if (typed === '') return { typed, offers: [] };
  const isLike = (name: string): boolean => name.toLowerCase().startsWith(typed.toLowerCase());
  const offers = [...new Set([...bands, ...indices, ...functions])].filter(
    (name) => isLike(name) && name !== typed,
  );
  return { typed, offers: offers.slice(0, 6) };
};
