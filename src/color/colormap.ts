import { suggestName } from '../bandmath/index.ts';
import { notFound } from '../errors.ts';
import type { ColormapContent } from './custom/colormap-content.ts';
import { isDiscreteName, namedColormaps } from './named/find-named.ts';

/** A colormap as used by a picture. */
export type Colormap =
  | { readonly kind: 'named'; readonly name: string; readonly isReversed: boolean }
  | { readonly kind: 'custom'; readonly content: ColormapContent; readonly isReversed: boolean };

/** The meaning of a colormap's name: a built-in one, or the id of a custom one, whose content must be fetched. */
export type ColormapReference =
  | Extract<Colormap, { kind: 'named' }>
  | { readonly kind: 'id'; readonly id: string; readonly isReversed: boolean };

/** An entry of the list of colormaps. */
export interface ListedColormap {
  readonly name: string;
  readonly type: 'continuous' | 'discrete';
}

const REVERSED = '_r';

/** Every named colormap in code point order, each followed by its reverse. */
export function listColormaps(type: ListedColormap['type'] | null = null): ListedColormap[] {
  const listed = namedColormaps.flatMap((name) => {
    const ofType = { type: isDiscreteName(name) ? 'discrete' : 'continuous' } as const;
    return [
      { name, ...ofType },
      { name: name + REVERSED, ...ofType },
    ];
  });
  return type === null ? listed : listed.filter((colormap) => colormap.type === type);
}

/** Parses the name or id of a colormap: exactly as listed first, then ignoring case. */
export function parseColormapName(text: string): ColormapReference {
  const id = /^([0-9a-f]{32})(_r)?$/.exec(text);
  if (id !== null) return { kind: 'id', id: id[1]!, isReversed: id[2] !== undefined };
  const listed = find(text, (name) => name) ?? find(text.toLowerCase(), (name) => name.toLowerCase());
  if (listed === null) throw unknownColormap(text);
  return { kind: 'named', ...listed };
}

function find(text: string, toKey: (name: string) => string) {
  for (const name of namedColormaps) {
    const key = toKey(name);
    if (text === key) return { name, isReversed: false };
    if (text === key + REVERSED) return { name, isReversed: true };
  }
  return null;
}

/** The error for a name that is not listed, with a suggestion, or for an id under which nothing is stored. */
export function unknownColormap(text: string) {
  const names = listColormaps().map(({ name }) => name);
  const meant = suggestName(text, names);
  const hint = meant === null ? '' : ` Did you mean ${meant}?`;
  return notFound('unknown-colormap', `There is no colormap "${text.slice(0, 40)}".${hint}`);
}
