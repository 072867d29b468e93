import { isObject } from '../../json.ts';
import type { ItemSource, SearchBody } from './fake-search.ts';
import { chooseFields, searchItems } from './fake-search.ts';
import type { CatalogStyle } from './fake-styles.ts';
import type { FakeItem, MadeItem } from './made-item.ts';

/** What answers are made of. */
export interface AnswerDeps {
  readonly style: CatalogStyle;
  readonly source: ItemSource;
  /** The address of the API's root. */
  readonly url: string;
}

type Json = Record<string, unknown>;

/** The landing page. */
export const toLanding = ({ style, source, url }: AnswerDeps): Json => ({
  type: 'Catalog',
  stac_version: '1.0.0',
  id: style.id,
  title: style.title,
  description: 'Made-up scenes of a test',
  conformsTo: style.conformsTo,
  links: [
    { rel: 'self', type: 'application/json', href: url },
    { rel: 'root', type: 'application/json', href: url },
    { rel: 'conformance', type: 'application/json', href: `${url}/conformance` },
    { rel: 'data', type: 'application/json', href: `${url}/collections` },
    { rel: 'search', type: 'application/geo+json', href: `${url}/search`, method: 'GET' },
    { rel: 'search', type: 'application/geo+json', href: `${url}/search`, method: 'POST' },
    ...source.collections.map((id) => ({
      rel: 'child',
      type: 'application/json',
      href: `${url}/collections/${id}`,
    })),
  ],
});

/** A collection. */
export const toCollection = (id: string, { url }: AnswerDeps): Json => ({
  type: 'Collection',
  stac_version: '1.0.0',
  id,
  title: id,
  description: 'Made-up scenes of a test',
  license: 'proprietary',
  extent: {
    spatial: { bbox: [[-180, -90, 180, 90]] },
    temporal: { interval: [['2013-01-01T00:00:00Z', null]] },
  },
  links: [
    { rel: 'self', type: 'application/json', href: `${url}/collections/${id}` },
    { rel: 'root', type: 'application/json', href: url },
    { rel: 'parent', type: 'application/json', href: url },
    { rel: 'items', type: 'application/geo+json', href: `${url}/collections/${id}/items` },
  ],
});

/** The whole item, with the links of this catalog. */
export function toItem({ head, links, assets }: MadeItem, { url }: Pick<AnswerDeps, 'url'>): FakeItem {
  const collection = `${url}/collections/${head.collection}`;
  return {
    ...head,
    links: [
      { rel: 'self', type: 'application/geo+json', href: `${collection}/items/${head.id}` },
      { rel: 'collection', type: 'application/json', href: collection },
      { rel: 'parent', type: 'application/json', href: collection },
      { rel: 'root', type: 'application/json', href: url },
      ...links,
    ],
    assets: assets(),
  };
}

/** A search that the catalog refuses. */
export class RefusedSearch extends Error {}

/** How a page was asked for, which the link to the next one repeats. */
export interface AskedPage {
  readonly method: 'GET' | 'POST';
  /** Of the search or of a collection's items, without a query. */
  readonly address: string;
  readonly body: SearchBody;
  /** Of the address, for GET. */
  readonly query: URLSearchParams;
}

/** A page of items. */
export function toPage(asked: AskedPage, deps: AnswerDeps): Json {
  const { style, source } = deps;
  const { body } = asked;
  const limit = body.limit ?? style.defaultLimit;
  if (!Number.isInteger(limit) || limit < 1 || (style.refusesLimit && limit > style.maxLimit)) {
    throw new RefusedSearch(`limit is a whole number from 1 to ${style.maxLimit}`);
  }
  const size = Math.min(limit, style.maxLimit);
  const found = searchItems(source, body, style);
  const start = findStart(found, style.paging === 'next' ? body.next : body.token);
  const page = found.slice(start, start + size);
  const last = page.at(-1);
  const hasMore = start + page.length < found.length && last !== undefined;
  return {
    type: 'FeatureCollection',
    ...(style.matched === 'absent' ? {} : { stac_version: '1.0.0' }),
    ...toMatched(style, { matched: found.length, returned: page.length, limit: size }),
    features: page.map((item) => chooseFields(toItem(item, deps), body.fields, style.leanFields)),
    links: [
      ...(hasMore ? [toNextLink(asked, toToken(last, style), style)] : []),
      { rel: 'root', type: 'application/json', href: deps.url },
      ...(style.paging === 'token' ? [{ rel: 'self', type: 'application/json', href: asked.address }] : []),
    ],
  };
}

function toMatched(
  { matched: kind }: CatalogStyle,
  {
    matched,
    returned,
    limit,
  }: { readonly matched: number; readonly returned: number; readonly limit: number },
): Json {
  if (kind === 'absent') return {};
  if (kind === 'returned') return { numberReturned: returned };
  const numbers = { numberMatched: matched, numberReturned: returned };
  return kind === 'number' ? numbers : { context: { limit, matched, returned }, ...numbers };
}

/** Names the last item of a page: `2022-06-11T10:56:31.000000Z,S2B_…,sentinel-2-l2a` or `next:sentinel-2-l2a:S2B_…`. */
const toToken = ({ head }: MadeItem, { paging }: CatalogStyle): string =>
  paging === 'next'
    ? `${head.properties.datetime},${head.id},${head.collection}`
    : `next:${head.collection}:${head.id}`;

/** Where the page after a token begins. */
function findStart(found: readonly MadeItem[], token: string | undefined): number {
  if (token === undefined) return 0;
  const id = token.startsWith('next:') ? token.split(':').slice(2).join(':') : token.split(',')[1];
  const at = found.findIndex(({ head }) => head.id === id);
  if (at < 0) throw new RefusedSearch('the token is not known');
  return at + 1;
}

function toNextLink(
  { method, address, body, query }: AskedPage,
  token: string,
  { paging }: CatalogStyle,
): Json {
  const type = 'application/geo+json';
  if (method === 'POST') {
    const { next: _next, token: _token, ...rest } = body;
    const whole = { ...rest, [paging]: token };
    return paging === 'next'
      ? { rel: 'next', title: 'Next page of Items', method, type, href: address, merge: false, body: whole }
      : { rel: 'next', type, method, href: address, body: whole };
  }
  const parameters = new URLSearchParams(query);
  parameters.set(paging, token);
  return { rel: 'next', type, method: 'GET', href: `${address}?${parameters}` };
}

/** A search of an address, in the form of a body. */
export function parseQuery(query: URLSearchParams): SearchBody {
  const list = (name: string): readonly string[] | undefined => query.get(name)?.split(',');
  const json = (name: string): unknown => {
    const text = query.get(name);
    if (text === null) return undefined;
    try {
      return JSON.parse(text);
    } catch {
      throw new RefusedSearch(`${name} is not JSON`);
    }
  };
  const sortby = list('sortby')?.map((word) => ({
    field: word.replace(/^[+ -]/, ''),
    direction: word.startsWith('-') ? 'desc' : 'asc',
  }));
  const fields = list('fields');
  return withoutUndefined({
    collections: list('collections'),
    ids: list('ids'),
    bbox: list('bbox')?.map(Number),
    intersects: json('intersects'),
    datetime: query.get('datetime') ?? undefined,
    limit: query.has('limit') ? Number(query.get('limit')) : undefined,
    query: json('query'),
    filter: json('filter'),
    sortby,
    fields: fields && {
      include: fields.filter((word) => !word.startsWith('-')),
      exclude: fields.filter((word) => word.startsWith('-')).map((word) => word.slice(1)),
    },
    next: query.get('next') ?? undefined,
    token: query.get('token') ?? undefined,
  });
}

/** A body of a search; refuses what is not one. */
export function parseBody(text: string): SearchBody {
  let body: unknown;
  try {
    body = text === '' ? {} : JSON.parse(text);
  } catch {
    throw new RefusedSearch('the body is not JSON');
  }
  if (!isObject(body)) throw new RefusedSearch('the body is not an object');
  return body as SearchBody;
}

const withoutUndefined = (body: Json): SearchBody =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
