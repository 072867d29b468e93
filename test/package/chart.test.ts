import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const CHART = 'deploy/helm/swath';
const readText = (name: string): string => readFileSync(`${CHART}/${name}`, 'utf8');
const templates = globSync(`${CHART}/templates/**/*.{yaml,tpl,txt}`).map((path) =>
  readFileSync(path, 'utf8'),
);

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}
const schema = JSON.parse(readText('values.schema.json')) as Schema;

const findSchema = (path: readonly string[]): Schema | undefined =>
  path.reduce<Schema | undefined>((at, name) => at?.properties?.[name], schema);

test('the chart has the version of the package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  assert.deepEqual(readText('Chart.yaml').match(/^(?:version|appVersion): .*$/gm), [
    `version: ${version}`,
    `appVersion: ${version}`,
  ]);
});

test('templates use values that the schema has', () => {
  const used = templates.flatMap((text) => [...text.matchAll(/\.Values((?:\.[A-Za-z]+)+)/g)]);
  assert.ok(used.length > 40);
  const unknown = used.map(([, path = '']) => path.slice(1)).filter((path) => !findSchema(path.split('.')));
  assert.deepEqual(unknown, []);
});

test('the documented values are those of the schema', () => {
  const documented = [...readText('values.yaml').matchAll(/^([A-Za-z]+):/gm)].map(([, name]) => name);
  const known = Object.keys(schema.properties ?? {}).filter((name) => name !== 'global');
  assert.deepEqual(documented.sort(), known.sort());
});

test('the settings that pods get are settings of the service', () => {
  const named = new Set(
    [...templates, readText('values.yaml')].flatMap((text) => text.match(/SWATH_[A-Z_]*[A-Z]/g) ?? []),
  );
  assert.ok(named.size >= 8);
  // Another test holds this page to the settings.
  const known = new Set(readFileSync('docs/operate/settings.md', 'utf8').match(/SWATH_[A-Z_]*[A-Z]/g));
  assert.deepEqual(
    [...named].filter((name) => !known.has(name)),
    [],
  );
});
