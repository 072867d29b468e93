import { readFileSync } from 'node:fs';
import { Answer } from '../kit/answers.ts';
import type { ApiRequest } from '../kit/api-request.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { toDocsPage } from './docs-page.ts';
import { docsStyle } from './docs-style.ts';
import type { OpenApi } from './openapi.ts';
import type { ViewerFiles } from './viewer.ts';

/** Bodies cached for each document: one for every address that users reach us at, which clients choose by their Host. */
const MAX_CACHED = 8;

/** What Swath promises to clients, in words. */
const INTERFACE_TEXT = new URL('../../../docs/use/interface.md', import.meta.url);

/** The ways to read about the interface. */
interface ApiDocs {
  readonly json: Endpoint;
  readonly page: Endpoint;
  readonly style: Endpoint;
  readonly text: Endpoint;
}

/** Builds the documents of the interface, each on first use, when the route table is complete. */
export function apiDocs(build: () => OpenApi, viewer: ViewerFiles): ApiDocs {
  const script = [...viewer.keys()].find((name) => /^assets\/docs-\w+\.js$/.test(name)) ?? null;
  let built: OpenApi | undefined;
  const document = (): OpenApi => {
    built ??= build();
    return built;
  };
  return {
    json: toEndpoint('This interface as OpenAPI 3.1', 'application/json', {
      variantOf: ({ publicUrl }) => publicUrl,
      write: (publicUrl) => JSON.stringify({ ...document(), servers: [{ url: publicUrl }] }, null, 1),
    }),
    page: toEndpoint('This interface as a page', 'text/html', {
      variantOf: ({ rawPath }) => (rawPath.endsWith('/') ? '../' : './'),
      write: (home) => toDocsPage(document(), { home, script }),
    }),
    style: toEndpoint('Style of the page', 'text/css', {
      variantOf: () => 'only',
      write: () => docsStyle,
    }),
    text: toEndpoint('This interface in words', 'text/plain', {
      variantOf: () => 'only',
      write: () => readFileSync(INTERFACE_TEXT, 'utf8'),
    }),
  };
}

/** A document of which there are a few variants. */
interface Document<Variant extends string> {
  readonly variantOf: (request: ApiRequest) => Variant;
  readonly write: (variant: Variant) => string;
}

/** All answers of a variant are the same bytes in memory, however many clients are slow to read them. */
function toEndpoint<Variant extends string>(
  summary: string,
  type: string,
  { variantOf, write }: Document<Variant>,
): Endpoint {
  const cached = new Map<Variant, Uint8Array<ArrayBuffer>>();
  const read = (variant: Variant): Uint8Array<ArrayBuffer> => {
    const known = cached.get(variant);
    if (known !== undefined) return known;
    const bytes = new TextEncoder().encode(write(variant));
    if (cached.size >= MAX_CACHED) cached.clear();
    cached.set(variant, bytes);
    return bytes;
  };
  return {
    summary,
    tag: 'Service',
    answers: { 200: { description: 'The document.', content: { [type]: null } } },
    handle: async (request) =>
      new Answer(read(variantOf(request)), { headers: { 'content-type': `${type}; charset=utf-8` } }),
  };
}
