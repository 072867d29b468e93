import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import type { Parameter, ParameterDoc } from '../kit/parameters.ts';
import { makeTestApp } from '../testing/make-test-app.ts';

const { routes, call } = makeTestApp();
const text = readFileSync(new URL('../../../docs/use/interface.md', import.meta.url), 'utf8');

/** Codes are written between backticks, alone or after a status. */
const hasCode = (code: string): boolean => new RegExp(`\`(?:\\d{3} )?${code}\``).test(text);

test('docs/use/interface.md names every route with its method', () => {
  const missing = routes
    .map((route) => `${route.method} ${route.shownPath.replace(/:(\w+)/g, '{$1}').replace('*', '{file}')}`)
    .filter((address) => !text.includes(`\`${address}\``));
  assert.deepEqual(missing, []);
});

test('docs/use/interface.md names every parameter of every route, and every field of every body', () => {
  const missing = routes.flatMap((route) => {
    const { query = {}, body } = route.endpoint;
    const example = (body?.example ?? {}) as Readonly<Record<string, unknown>>;
    const names = [...Object.keys(query), ...(route.path.includes('cropper') ? [] : Object.keys(example))];
    return names.filter((name) => !text.includes(`\`${name}\``)).map((name) => `${route.shownPath} ${name}`);
  });
  assert.deepEqual(missing, []);
});

/** What only operators see, when the service starts. */
const AT_START = ['port-busy', 'port-forbidden', 'no-viewer', 'ambiguous-routes'];

test('docs/use/interface.md names every error code of http/', () => {
  const makers =
    'badInput|unsupported|notFound|notAllowed|conflict|tooLarge|tooBusy|cancelled|internal|refuse';
  const thrown = new RegExp(`\\b(?:${makers})\\(\\s*'([a-z0-9-]+)'`, 'g');
  const sources = globSync('src/http/**/*.ts', { exclude: ['**/*.test.ts', '**/testing/**'] });
  const codes = new Set(
    sources.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(thrown)].map(([, code]) => code!)),
  );
  assert.ok(codes.size > 50, `only ${codes.size} codes seen`);
  const missing = [...codes].filter((code) => !AT_START.includes(code) && !hasCode(code));
  assert.deepEqual(missing, []);
});

test('docs/use/interface.md names the codes that are derived from parameter names', () => {
  const codes = routes.flatMap(({ endpoint }) =>
    Object.entries(endpoint.query ?? {}).flatMap(([name, parameter]) => codeOf(name, parameter)),
  );
  assert.ok(codes.length > 50, `only ${codes.length} codes seen`);
  assert.deepEqual(
    [...new Set(codes)].filter((code) => !hasCode(code)),
    [],
  );
});

/** The code with which a parameter refuses a text that means nothing; none for one that takes any text. */
function codeOf(name: string, parameter: ParameterDoc): readonly string[] {
  try {
    (parameter as Parameter<unknown>).parse('\0', name);
    return [];
  } catch (error) {
    if (isSwathError(error)) return [error.code];
    throw error;
  }
}

test('/docs/interface serves docs/use/interface.md', async () => {
  const response = await call('/docs/interface', { key: null });
  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.equal(await response.text(), text);
});
