/**
 * What generators of clients need of the OpenAPI document, checked without them: `npm run clients` asks
 * openapi-typescript, openapi-python-client, schemathesis and redocly themselves.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { sensors } from '../../sensors/index.ts';
import type { JsonSchema, NamedSchemas } from '../kit/json-schema.ts';
import { collectNamed, json } from '../kit/json-schema.ts';
import { makeTestApp } from '../testing/make-test-app.ts';
import type { Operation } from './openapi.ts';
import { toOpenApi } from './openapi.ts';

const { routes } = makeTestApp();
const document = toOpenApi(routes, 'test');
const operations: readonly (readonly [string, Operation])[] = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
);

/** Every object of the document. */
function* walk(value: unknown): Generator<JsonSchema> {
  if (Array.isArray(value)) for (const item of value) yield* walk(item);
  else if (value !== null && typeof value === 'object') {
    yield value as JsonSchema;
    for (const part of Object.values(value)) yield* walk(part);
  }
}

test('every operation has a unique name', () => {
  const names = operations.map(([, { operationId }]) => operationId);
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[a-z][A-Za-z]+$/);
});

test('every body says whether it is required, and every operation documents its answer to malformed requests', () => {
  for (const [address, { requestBody, responses }] of operations) {
    if (requestBody !== undefined) assert.equal(typeof requestBody.required, 'boolean', address);
    assert.ok(
      Object.keys(responses).some((status) => /^4\d\d$/.test(status)),
      address,
    );
  }
});

test('examples have the type of their schema', () => {
  let numbers = 0;
  for (const [address, { parameters }] of operations) {
    for (const { name, schema, example } of parameters) {
      if (example === undefined) continue;
      const { $ref: _, ...known } = schema;
      const isAccepted = z.fromJSONSchema(known).safeParse(example).success;
      assert.ok(isAccepted, `${address}: ${name} is not ${JSON.stringify(example)}`);
      if (typeof example === 'number') numbers += 1;
    }
  }
  assert.ok(numbers > 20, `${numbers} numbers`);
});

test('no schema uses tuples, bounds of 2^53 or a boolean as a schema', () => {
  for (const part of walk(document)) {
    assert.ok(!('prefixItems' in part), JSON.stringify(part));
    assert.notEqual(part.items, false, JSON.stringify(part));
    for (const end of ['minimum', 'maximum']) {
      const value = part[end];
      if (typeof value === 'number')
        assert.ok(Math.abs(value) < Number.MAX_SAFE_INTEGER, JSON.stringify(part));
    }
  }
});

test('columns and rows are numbers and sensors are enum values, not plain strings', () => {
  const tile = document.paths['/api/render/{view_id}/{bands}/{z}/{x}/{y}']?.get;
  const x = tile?.parameters.find(({ name }) => name === 'x');
  assert.equal(JSON.stringify(x?.schema).includes('"type":"integer"'), true);
  const thumb = document.paths['/api/render/{sensor}/thumb/{scene_id}']?.get;
  const names = thumb?.parameters.find(({ name }) => name === 'sensor')?.schema.enum as readonly string[];
  assert.deepEqual(
    sensors.map(({ abbreviation }) => abbreviation).filter((name) => !names.includes(name)),
    [],
  );
});

test('a hit has every field of every dataset, with its type', () => {
  const { Hit } = (document.components as { schemas: Record<string, { properties: object }> }).schemas;
  assert.ok(Hit);
  const properties = Hit.properties as Record<string, JsonSchema>;
  const words = {
    string: '"string"',
    date: '"date"',
    number: '"number"',
    boolean: '"boolean"',
    geometry: 'HitGeometry',
  };
  for (const { dataset, hit } of sensors) {
    for (const { name, type } of hit) {
      assert.ok(JSON.stringify(properties[name] ?? {}).includes(words[type]), `${dataset} ${name}`);
    }
  }
});

test('example bodies match their schemas', () => {
  const { schemas } = document.components as { schemas: Record<string, JsonSchema> };
  const inDefs = (schema: object): JsonSchema =>
    JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/')) as JsonSchema;
  let bodies = 0;
  for (const [address, { requestBody }] of operations) {
    const body = requestBody?.content['application/json'];
    if (body === undefined) continue;
    bodies += 1;
    const parsed = z
      .fromJSONSchema({ ...inDefs(body.schema), $defs: inDefs(schemas) as never })
      .safeParse(body.example);
    assert.ok(parsed.success, `${address}: ${parsed.error?.message}`);
  }
  assert.ok(bodies > 10, `${bodies} bodies`);
});

test('a named schema becomes a component', () => {
  const named: NamedSchemas = {};
  const corner = json.named('Corner', json.object({ 'id?': json.integer() }));
  const schema = json.object({ corners: json.list(corner) });
  collectNamed(schema, named);
  assert.deepEqual(JSON.parse(JSON.stringify(schema)), {
    type: 'object',
    properties: { corners: { type: 'array', items: { $ref: '#/components/schemas/Corner' } } },
    required: ['corners'],
  });
  assert.deepEqual(named, { Corner: { type: 'object', properties: { id: { type: 'integer' } } } });
});
