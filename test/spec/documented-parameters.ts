/**
 * What the OpenAPI document says of a parameter is what the service does: it takes every text that the schema accepts,
 * and refuses every text that the schema refuses.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Endpoint, ParameterDoc } from '../../src/http/endpoint/endpoint.ts';
import { shownPathOf } from '../../src/http/endpoint/route.ts';
import { toOpenApi } from '../../src/http/pages/openapi.ts';
import { makeTestRoutes } from '../../src/http/testing/make-test-routes.ts';
import { ask, sceneOf } from './service.ts';

const { routes } = makeTestRoutes();
const document = toOpenApi(routes, 'test');
const measured = routes.filter(
  ({ method, shownPath, path }) => method === 'GET' && (shownPath ?? path).startsWith('/api/render/'),
);

/** Texts that no choice is named by. */
const ODD = [
  '',
  ' ',
  'x',
  '-',
  'NaN',
  'Infinity',
  '1e400',
  '٣',
  '%',
  "'",
  '{',
  '-1',
  '1.5',
  '1,2',
  'yes',
] as const;

/** Texts that look like numbers. */
const NUMBERS = [
  '0x10',
  '1e3',
  '0',
  '1',
  '2',
  '5',
  '-0.5',
  '+3',
  '.5',
  '5.',
  '007',
  '99',
  '123456789012345678',
];

/** Texts that look like something else that a parameter may be. */
const OTHERS = [
  ...['{}', '[]', '2,1', '1,2,3', '0,0', ',', '1,', '-1,1', '1e39,2e39', '1,2,3,4', '4,3,2,1', '-181,0,1,1'],
  ...[
    'fff',
    '#ffffff',
    'ffffff',
    'ffffff,000000',
    '#12345',
    'gggggg',
    '{"1":"#ff0000"}',
    '{"1":5}',
    '512,512',
  ],
  ...['EPSG:4326', 'epsg:3857', '4326', '32631', 'WGS84', 'EPSG:1', '123456'],
  ...['viridis', 'nosuchmap', '0123456789abcdef0123456789abcdef', '2.1;2.4;4326'],
];

/** Other parameters that a value needs to mean anything. */
const companions: Readonly<Record<string, (text: string) => Readonly<Record<string, string>>>> = {
  COLORS: (text) => ({
    THRESHOLDS: text
      .split(',')
      .slice(1)
      .map((_, i) => String(i))
      .join(),
  }),
  THRESHOLDS: (text) => ({ COLORS: `ffffff${text === '' ? '' : ',000000'.repeat(text.split(',').length)}` }),
  MASK_COLOR: () => ({ MASKING: 'CLOUD' }),
  CLUSTERS_NO: () => ({ CLUSTERING: 'kmeans' }),
  MIN_AREA: () => ({ CLUSTERING: 'kmeans' }),
  COLORS_LIMIT: () => ({ COLORMAP: 'viridis' }),
  COLORMAP: () => ({ format: 'slope' }),
  MIN_SLOPE: () => ({ format: 'slope' }),
  SLOPE_RANGE: () => ({ format: 'slope' }),
  INTERVAL: () => ({ format: 'contours' }),
  UNKNOWN: () => ({ format: 'terrarium' }),
  // Of terrain: every format has types of its own.
  mimetype: (text) => ({
    format: text === 'image/tiff' ? 'geotiff' : text.startsWith('application/') ? 'contours' : 'slope',
  }),
  SAMPLES: () => ({ LINE: '2.4,42.4;2.5,42.5' }),
  min: () => ({ max: '100' }),
  max: () => ({ min: '0' }),
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The schema of a parameter as the document has it. */
function publishedSchema(path: string, name: string): Record<string, unknown> {
  const shown = path.replace(/:(\w+)/g, '{$1}');
  const found = document.paths[shown]?.get?.parameters.find((parameter) => parameter.name === name);
  assert.ok(isObject(found?.schema), `${path} documents ${name}`);
  return found.schema;
}

/** What is tried: texts of other kinds, and those at the ends of what the schema accepts. */
function textsOf(schema: Readonly<Record<string, unknown>>, { example }: ParameterDoc): readonly string[] {
  const ends = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].flatMap((end) => {
    const value = schema[end];
    return typeof value === 'number' && Math.abs(value) < 1e9 ? [value - 1, value, value + 1] : [];
  });
  const listed = Array.isArray(schema.enum) ? schema.enum : [];
  const isChoice = listed.length > 0;
  const isText = schema.type === 'string' && !isChoice;
  return [...ODD, ...(isChoice ? [] : NUMBERS), ...(isText ? OTHERS : []), ...ends, ...listed]
    .map(String)
    .concat(example ?? []);
}

/** Whether a schema accepts a text of a path or query: a number is written as JSON writes it. */
function isAccepted(doc: ParameterDoc, schema: Readonly<Record<string, unknown>>, text: string): boolean {
  const isNumber = schema.type === 'number' || schema.type === 'integer';
  if (!isNumber) return doc.schema.safeParse(text).success;
  const isWritten = schema.type === 'integer' ? /^\d{1,15}$/ : /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
  return isWritten.test(text) && doc.schema.safeParse(Number(text)).success;
}

const encode = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

/** A valid address of a route, with other values where they are given. */
function toPath(shownPath: string, values: Readonly<Record<string, string>>): string {
  const { viewId } = sceneOf('s2');
  const [sensor, ...name] = viewId.split('/');
  const valid: Readonly<Record<string, string>> = {
    view_id: viewId,
    sensor: sensor ?? '',
    scene_id: name.join('/'),
    bands: 'B04',
    z: '5',
    x: '16',
    y: '11',
    zoom: '9',
    lat: '42.4',
    lon: '2.4',
    colormap_name: 'viridis',
    colormap: 'viridis',
  };
  return shownPath.slice('/api/render/'.length).replace(/\{(\w+)\}|:(\w+)/g, (_, braced, named) => {
    const parameter: string = braced ?? named;
    return values[parameter] === undefined ? valid[parameter]! : encodeURIComponent(values[parameter]);
  });
}

/** Plans but draws nothing: the client has every picture already. */
const known = { 'if-none-match': '*' };

interface Attempt {
  readonly in: 'path' | 'query';
  readonly shownPath: string;
  readonly name: string;
  readonly text: string;
}

async function tryText({ in: where, shownPath, name, text }: Attempt): Promise<number> {
  const others = companions[name]?.(text) ?? {};
  const isPath = where === 'path';
  const path = toPath(shownPath, isPath ? { [name]: text } : {});
  const query = encode(isPath ? {} : { ...others, [name]: text });
  const response = await ask(path, { query, headers: known });
  await response.arrayBuffer();
  return response.status;
}

/** What a schema accepts is not malformed; what it refuses is refused, as malformed, unsupported or unknown. */
async function compare(attempt: Attempt, accepted: boolean): Promise<string | null> {
  const status = await tryText(attempt);
  const isRight = accepted ? status !== 400 && status < 500 : [400, 404, 422].includes(status);
  const { shownPath, name, text } = attempt;
  const verdict = accepted ? 'accepts' : 'refuses';
  return isRight
    ? null
    : `the schema of ${name} in ${shownPath} ${verdict} "${text}", the service says ${status}`;
}

/** Segments whose texts are names: whether there is such a thing only the service knows. */
const NAMES = new Set([
  'view_id',
  'scene_id',
  'sensor',
  'bands',
  'x',
  'y',
  'colormap_name',
  'colormap',
  'colormap_id',
  'cropper_ref',
]);

/** Pictures, legends and previews share their parameters: each is compared once. */
const compared = new Set<ParameterDoc>();

for (const { endpoint, ...route } of measured) {
  const shownPath = shownPathOf(route);
  const list = (where: 'path' | 'query', docs: Endpoint['params'] = {}) =>
    Object.entries(docs).map(([name, doc]) => ({ where, name, doc }));
  const parameters = [
    ...list('path', endpoint.params).filter(({ name }) => !NAMES.has(name)),
    ...list('query', endpoint.query),
  ].filter(({ doc }) => !compared.has(doc));
  for (const { doc } of parameters) compared.add(doc);
  if (parameters.length === 0) continue;
  test(`documented parameters: ${shownPath}`, async () => {
    const differences: (string | null)[] = [];
    for (const { where, name, doc } of parameters) {
      const schema = publishedSchema(shownPath, name);
      const texts = new Set(textsOf(schema, doc));
      let [accepted, refused] = [0, 0];
      for (const text of texts) {
        // Names of choices are taken in any case, which a schema cannot say.
        const isOtherCase =
          Array.isArray(schema.enum) &&
          !schema.enum.includes(text) &&
          schema.enum.some((choice) => String(choice).toLowerCase() === text.toLowerCase());
        if (isOtherCase || (where === 'path' && text.trim() === '')) continue;
        const isIn = isAccepted(doc, schema, text);
        if (isIn) accepted += 1;
        else refused += 1;
        differences.push(await compare({ in: where, shownPath, name, text }, isIn));
      }
      assert.ok(accepted > 0, `${name} of ${shownPath}: no text is accepted`);
      assert.ok(refused > 0 || schema.pattern === undefined, `${name} of ${shownPath}: no text is refused`);
    }
    assert.deepEqual(
      differences.filter((difference) => difference !== null),
      [],
    );
  });
}
