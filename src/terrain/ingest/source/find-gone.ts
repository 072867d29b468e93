import { isAbsolute } from 'node:path';
import type { DemFile } from '../../dems/dem.ts';
import type { DemSource } from './dem-source.ts';

/** Files of the model that belong to the source and were not found in it. */
export function findGone(
  known: Iterable<DemFile>,
  found: ReadonlySet<string>,
  scope: DemSource['scope'],
): readonly DemFile[] {
  const isInScope = toIsInScope(scope, found);
  return [...known].filter(({ href }) => !found.has(href) && isInScope(href));
}

function toIsInScope(scope: DemSource['scope'], found: ReadonlySet<string>): (href: string) => boolean {
  if (scope === 'none') return () => false;
  const below = scope === 'common-folder' ? commonFolder([...found]) : scope.below;
  if (below === null) return () => false;
  // Paths inside the data directory have nothing before them.
  if (below === '') return (href) => !isAbsolute(href) && !href.includes(':');
  return (href) => href.startsWith(below);
}

/** The deepest folder that all addresses lie in; null without any. */
function commonFolder(hrefs: readonly string[]): string | null {
  const [first] = hrefs;
  if (first === undefined) return null;
  let length = first.length;
  for (const href of hrefs) {
    while (!href.startsWith(first.slice(0, length))) length--;
  }
  const folder = first.slice(0, first.slice(0, length).lastIndexOf('/') + 1);
  // Of a list over several hosts nothing is common but the scheme, which says nothing.
  return /^[a-z0-9+.-]+:\/\/$/i.test(folder) ? null : folder;
}
