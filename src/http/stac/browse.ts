/** Documents of the STAC API as plain pages, for people who open them in a browser. */
import type { AreaGeometry } from '../../geo/index.ts';
import { boundsRing } from '../../geo/index.ts';
import { isObject } from '../../json.ts';
import { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import type { StacLink } from './addresses.ts';
import type { ShownFootprint } from './footprint-map.ts';
import { drawFootprints } from './footprint-map.ts';

/** Longer documents are answered as they are: parsing them again would hold the main thread. */
const MAX_CHARS = 400_000;

/** An endpoint that answers browsers with a page. The key of the query is part of the links of the page. */
export const browsable = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  answers: {
    ...endpoint.answers,
    200: {
      ...endpoint.answers[200],
      description: `${endpoint.answers[200]?.description ?? ''} A page, if text/html is accepted.`,
      content: { ...endpoint.answers[200]?.content, 'text/html': null },
    },
  },
  async handle(request) {
    const isPage = request.headers.get('accept')?.includes('text/html') ?? false;
    const answer = await endpoint.handle(isPage ? withoutConditions(request) : request);
    // Caches must not show one for the other.
    answer.headers.set('vary', 'accept, x-api-key');
    if (!isPage || answer.status !== 200) return answer;
    const { body } = answer;
    const text =
      typeof body === 'string' ? body : body instanceof Uint8Array ? Buffer.from(body).toString() : '';
    if (text === '' || text.length > MAX_CHARS) return answer;
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      vary: 'accept, x-api-key',
    };
    return new Answer(toPage(JSON.parse(text) as Doc, request), { headers });
  },
});

/** What the client has is the JSON. */
const withoutConditions = (request: ApiRequest): ApiRequest => ({
  ...request,
  headers: { get: (name) => (name === 'if-none-match' ? null : request.headers.get(name)) },
});

/** A document of ours, as far as a page shows it. */
interface Doc {
  readonly id?: string;
  readonly title?: string;
  readonly description?: string;
  readonly links?: readonly StacLink[];
  readonly features?: readonly Doc[];
  readonly collections?: readonly Doc[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly assets?: Readonly<Record<string, { readonly href: string; readonly type?: string }>>;
  readonly geometry?: AreaGeometry;
  readonly extent?: { readonly spatial: { readonly bbox: readonly (readonly number[])[] } };
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text of the catalog, which anyone may have written, as text of a page. */
const toHtml = (text: unknown): string => String(text).replace(/[&<>"']/g, (one) => ESCAPES[one] as string);

/** Writes links of a page: addresses of this door get the key that the page was opened with. */
interface PageLinks {
  /** The address as HTML, escaped; null where it is not one. */
  toHref(href: string): string | null;
  toLink(href: string, text: string): string;
}

function makeLinks({ publicUrl, query }: ApiRequest): PageLinks {
  const key = [...query].find(([name]) => /^api_?key$/i.test(name));
  const door = `${publicUrl}/stac`;
  const toHref = (href: string): string | null => {
    // Templates are not addresses, and nothing but http is a link.
    if (!/^https?:\/\//.test(href) || href.includes('{')) return null;
    const isOurs = key !== undefined && href.startsWith(door) && !href.startsWith(`${door}/files/`);
    const suffix = isOurs ? `${href.includes('?') ? '&' : '?'}api_key=${encodeURIComponent(key[1])}` : '';
    return toHtml(href + suffix);
  };
  return {
    toHref,
    toLink(href, text) {
      const address = toHref(href);
      return address === null ? `<code>${toHtml(href)}</code>` : `<a href="${address}">${toHtml(text)}</a>`;
    },
  };
}

const hrefOf = ({ links = [] }: Doc, rel: string): string =>
  links.find((link) => link.rel === rel)?.href ?? '';

function toPage(doc: Doc, request: ApiRequest): string {
  const pageLinks = makeLinks(request);
  const { toLink: link } = pageLinks;
  const title = toHtml(doc.title ?? doc.properties?.title ?? doc.id ?? 'Scenes');
  const section = (heading: string, rows: readonly string[], head = ''): string =>
    rows.length === 0 ? '' : `<h2>${heading}</h2>\n<table>${head}${rows.join('\n')}</table>\n`;
  const row = (...cells: readonly string[]): string =>
    `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  const collections = (doc.collections ?? []).map((one) =>
    row(link(hrefOf(one, 'self'), one.title ?? one.id ?? ''), toHtml(one.description ?? '')),
  );
  const items = (doc.features ?? []).map((one) =>
    row(
      toThumbnail(one),
      link(hrefOf(one, 'self'), one.id ?? ''),
      toHtml(one.properties?.datetime ?? ''),
      toHtml(one.properties?.['eo:cloud_cover'] ?? ''),
    ),
  );
  const properties = Object.entries(doc.properties ?? {}).map(([name, value]) =>
    row(toHtml(name), toHtml(isObject(value) || Array.isArray(value) ? JSON.stringify(value) : value)),
  );
  const assets = Object.entries(doc.assets ?? {}).map(([name, { href, type = '' }]) =>
    row(link(href, name), toHtml(type)),
  );
  const links = (doc.links ?? []).map((one) => row(toHtml(one.rel), link(one.href, one.title ?? one.href)));
  const head = '<tr><th></th><th>Item</th><th>Time</th><th>Clouds, %</th></tr>';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title} – STAC</title><link rel="stylesheet" href="${toHtml(request.publicUrl)}/docs/style.css"></head>
<body><main><h1>${title}</h1>
<p>${toHtml(doc.description ?? '')}</p>
${toThumbnail(doc)}
${drawFootprints(listFootprints(doc, pageLinks))}
${section('Collections', collections)}${section('Items', items, head)}${section('Properties', properties)}${section('Assets', assets)}${section('Links', links)}</main></body></html>
`;
}

/** The items of a page, an item, or the extent of a collection. */
function listFootprints(doc: Doc, { toHref }: PageLinks): readonly ShownFootprint[] {
  const shown = [doc, ...(doc.features ?? []), ...(doc.collections ?? [])];
  return shown.flatMap((one): ShownFootprint[] => {
    const [west = 0, south = 0, east = 0, north = 0] = one.extent?.spatial.bbox[0] ?? [];
    const box: AreaGeometry = {
      type: 'Polygon',
      coordinates: [boundsRing({ west, south, east, north })],
    };
    const geometry = one.geometry ?? (one.extent === undefined ? null : box);
    if (geometry === null) return [];
    const href = one === doc ? null : toHref(hrefOf(one, 'self'));
    return [{ geometry, href, title: toHtml(one.id ?? '') }];
  });
}

function toThumbnail({ assets }: Doc): string {
  const href = assets?.thumbnail?.href ?? '';
  return /^https?:\/\//.test(href) ? `<img src="${toHtml(href)}" alt="" width="96" loading="lazy">` : '';
}
