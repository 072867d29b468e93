import { isObject } from '../../json.ts';
import type { CatalogFault } from './fake-stac.ts';
import type { FakeItem, MadeItem } from './made-item.ts';

type Json = Record<string, unknown>;
type Link = Readonly<Record<string, unknown>>;

const linksOf = (page: Json): readonly Link[] => (Array.isArray(page.links) ? page.links : []);
const featuresOf = (page: Json): readonly unknown[] => (Array.isArray(page.features) ? page.features : []);
const withNext = (page: Json, next: Link): Json => ({
  ...page,
  links: [...linksOf(page).filter(({ rel }) => rel !== 'next'), { rel: 'next', ...next }],
});

/** States a wrong number of matches in all fields that state one. */
export const claimMatched = (matched: number): CatalogFault => ({
  change: (page) => ({
    ...page,
    numberMatched: matched,
    ...(isObject(page.context) ? { context: { ...page.context, matched } } : {}),
  }),
});

/** Has each item twice, one after the other. */
export const repeatItems: CatalogFault = {
  change: (page) => ({ ...page, features: featuresOf(page).flatMap((item) => [item, item]) }),
};

/** Says that more follows, and answers the same page again and again, each time with another token. */
export function repeatPage(): CatalogFault {
  let count = 0;
  return {
    change: (page) => {
      const next = linksOf(page).find(({ rel }) => rel === 'next');
      const root = linksOf(page).find(({ rel }) => rel === 'root');
      return withNext(page, {
        type: 'application/geo+json',
        method: 'POST',
        href: next?.href ?? `${root?.href}/search`,
        merge: true,
        // Unknown to the catalog, which therefore begins at the beginning.
        body: { again: ++count },
      });
    },
  };
}

/** Links to a page that is the first one. */
export const linkBack = (body: Json): CatalogFault => ({
  change: (page) => {
    const root = linksOf(page).find(({ rel }) => rel === 'root');
    return withNext(page, { method: 'POST', href: `${root?.href}/search`, merge: false, body });
  },
});

/** Says that the next page is at another address. */
export const linkTo = (href: string): CatalogFault => ({
  change: (page) => withNext(page, { type: 'application/geo+json', method: 'GET', href }),
});

/** An answer that is too large to be one: valid JSON of so many bytes. */
export const fillWith = (bytes: number): CatalogFault => ({
  change: (page) => ({ ...page, padding: 'x'.repeat(bytes) }),
});

/** An answer that is nested so many times. */
export const nest = (levels: number): CatalogFault => ({
  text: `{"type":"FeatureCollection","features":[],"deep":${'['.repeat(levels)}${']'.repeat(levels)}}`,
});

/** An item of which something is changed, with the files of the original. */
export const changeItem = (
  made: MadeItem,
  change: (assets: FakeItem['assets']) => FakeItem['assets'],
): MadeItem => ({
  ...made,
  assets: () => change(made.assets()),
});

/** Addresses that no item of a public catalog may lead a server to. */
export const HOSTILE_HREFS: readonly string[] = [
  'http://127.0.0.1:1/B04.tif',
  'http://localhost:1/B04.tif',
  'http://[::1]:1/B04.tif',
  'http://2130706433:1/B04.tif',
  'http://169.254.169.254/latest/meta-data/B04.tif',
  'http://metadata.google.internal/B04.tif',
  'http://10.0.0.1/B04.tif',
  'https://evil.example/B04.tif',
  'https://user:secret@evil.example/B04.tif',
  'file:///etc/passwd',
  '/etc/passwd',
  '../../../etc/passwd',
  's3://somebody-elses-bucket/B04.tif',
  'gopher://127.0.0.1/B04.tif',
  'data:image/tiff;base64,SUkqAA==',
];

/** The item with every file at a hostile address, one item for each; ids tell which. */
export const makeHostileItems = (
  made: MadeItem,
): readonly { readonly href: string; readonly item: MadeItem }[] =>
  HOSTILE_HREFS.map((href) => ({
    href,
    item: changeItem(made, (assets) =>
      Object.fromEntries(
        Object.entries(assets).map(([key, { alternate: _, ...asset }]) => [key, { ...asset, href }]),
      ),
    ),
  }));

/** The item without any of its files: they are gone. */
export const withoutFiles = (made: MadeItem): MadeItem => ({ ...made, files: () => new Map() });
