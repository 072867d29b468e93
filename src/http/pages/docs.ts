import type { Endpoint } from '../endpoint/endpoint.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { toDocsPage } from './docs-page.ts';
import { docsStyle } from './docs-style.ts';
import type { OpenApi } from './openapi.ts';

/** The three ways to read about the interface; the document is built on first use, when the table is complete. */
export function apiDocs(build: () => OpenApi): { json: Endpoint; page: Endpoint; style: Endpoint } {
  let built: OpenApi | undefined;
  const document = (): OpenApi => {
    built ??= build();
    return built;
  };
  const text = (summary: string, type: string, body: (request: ApiRequest) => string): Endpoint => ({
    summary,
    tag: 'Service',
    answers: { 200: { description: 'The document.', content: { [type]: null } } },
    handle: async (request) =>
      new Response(body(request), { headers: { 'content-type': `${type}; charset=utf-8` } }),
  });
  return {
    json: text('This interface as OpenAPI 3.1', 'application/json', ({ publicUrl }) =>
      JSON.stringify({ ...document(), servers: [{ url: publicUrl }] }, null, 1),
    ),
    page: text('This interface as a page', 'text/html', ({ rawPath }) =>
      toDocsPage(document(), rawPath.endsWith('/') ? '../' : './'),
    ),
    style: text('Style of the page', 'text/css', () => docsStyle),
  };
}
