import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTestApp } from '../testing/make-test-app.ts';

interface Document {
  openapi: string;
  paths: Record<
    string,
    Record<
      string,
      {
        summary: string;
        security: unknown[];
        responses: Record<string, { description: string }>;
        parameters: object[];
      }
    >
  >;
  components: { schemas: object };
}

test('/openapi.json is generated from the route table', async () => {
  const { call, routes } = makeTestApp();
  const document = (await (await call('/openapi.json', { key: null })).json()) as Document;
  assert.equal(document.openapi, '3.1.0');
  const routed = new Set(routes.map(({ path }) => path));
  assert.equal(Object.keys(document.paths).length, routed.size);
  const tile = document.paths['/api/render/{view_id}/{bands}/{z}/{x}/{y}']?.get;
  assert.ok(tile);
  assert.equal(tile.parameters.length, 30);
  assert.deepEqual(tile.security, [{ key: [] }, { header: [] }]);
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const operation of Object.values(methods)) {
      assert.ok(operation.summary.length > 0, path);
      assert.ok(Object.keys(operation.responses).length > 0, path);
      for (const match of path.matchAll(/\{(\w+)\}/g)) {
        assert.ok(
          JSON.stringify(operation.parameters).includes(`"${match[1]}"`),
          `${path} documents {${match[1]}}`,
        );
      }
    }
  }
});

test('a status that a route documents is described with its own reason and the common one', async () => {
  const { call } = makeTestApp();
  const { paths } = (await (await call('/openapi.json')).json()) as Document;
  const limited = (path: string, method: string): string =>
    paths[path]?.[method]?.responses[429]?.description ?? '';
  for (const [path, method] of [
    ['/api/gdw/api', 'post'],
    ['/api/gdw/api/{task_id}', 'get'],
  ] as const) {
    assert.match(limited(path, method), /statistics-rate-limited.*Retry-After.*RateLimit-/, path);
  }
  assert.match(limited('/api', 'post'), /too-many-tasks.*RateLimit-/);
  assert.doesNotMatch(limited('/api/{task_id}', 'get'), /statistics/);
});

test('every local reference in the document resolves', async () => {
  const { call } = makeTestApp();
  const document = (await (await call('/openapi.json')).json()) as Document;
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
  assert.ok(references.length > 0);
  for (const [, name] of references) assert.ok(Object.hasOwn(document.components.schemas, name ?? ''), name);
});

test('/docs lists every path, escaped and with a form, and contains no inline script or style', async () => {
  const { call } = makeTestApp();
  const response = await call('/docs', { key: null });
  assert.match(response.headers.get('content-type') ?? '', /text\/html/);
  const page = await response.text();
  assert.ok(page.includes('/api/lms/search/v2/{dataset_id}'));
  assert.ok(page.includes('<code>S2/36/U/XU/2016/5/2/0</code>'), 'sensors and their view ids');
  assert.doesNotMatch(page, /<script(?![^>]* src=)/);
  assert.ok(page.includes('data-path="/api/lms/search/v2/{dataset_id}" data-method="POST"'));
  assert.ok(page.includes('value="S2L2A/10/U/EU/2026/6/21/1"'), 'a working example');
  assert.ok(!page.includes(' style='));
});

test('links of the page are relative, with or without a trailing slash, so that it works under a path', async () => {
  const { call } = makeTestApp();
  for (const address of ['https://imagery.example/maps/docs', 'https://imagery.example/maps/docs/']) {
    const html = await (await call(new URL(address).pathname.replace('/maps', ''), { key: null })).text();
    const links = [...html.matchAll(/href="([^"#]*)"/g)].map(([, href]) => new URL(href!, address).href);
    assert.deepEqual(
      links,
      ['docs/style.css', 'docs/interface', 'openapi.json', ''].map(
        (path) => `https://imagery.example/maps/${path}`,
      ),
    );
  }
});

test('the document names the public address of the service', async () => {
  const { call } = makeTestApp();
  const { servers } = (await (await call('/openapi.json', { key: null })).json()) as { servers: unknown };
  assert.deepEqual(servers, [{ url: 'http://swath.test' }]);
});

test('the document lists response headers', async () => {
  const { call } = makeTestApp();
  const { paths } = (await (await call('/openapi.json', { key: null })).json()) as {
    paths: Record<string, { post: { responses: Record<string, { headers?: Record<string, object> }> } }>;
  };
  const { responses } = paths['/api/forecast/weather']!.post;
  for (const status of ['200', '304'])
    assert.ok('x-weather-run' in (responses[status]?.headers ?? {}), `x-weather-run of ${status}`);
  assert.equal(responses['404']?.headers, undefined);
});

test('the document lists the headers that name the scene and the ignored parameters', async () => {
  const { call } = makeTestApp();
  const { paths } = (await (await call('/openapi.json', { key: null })).json()) as {
    paths: Record<string, { get?: { responses: Record<string, { headers?: Record<string, object> }> } }>;
  };
  const headersOf = (path: string): readonly string[] =>
    Object.keys(paths[path]?.get?.responses['200']?.headers ?? {});
  assert.deepEqual(headersOf('/api/render/{view_id}/{bands}/{z}/{x}/{y}'), [
    'x-swath-scene',
    'x-swath-note',
    'x-ignored-parameters',
  ]);
  assert.deepEqual(headersOf('/api/sensors'), []);
});
