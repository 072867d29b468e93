import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestStore } from '../../adapters/sqlite/testing/test-store.ts';
import { makeFields } from '../../fields/index.ts';
import { makeRecipes } from '../../library/index.ts';
import { makeMemoryRecipes, unlimitedRecipes } from '../../library/testing/memory-library.ts';
import {
  makeTestApp,
  OTHER_KEY,
  otherRecord,
  READER_KEY,
  readError,
  readerRecord,
} from '../testing/make-test-app.ts';
import { exampleField } from './field-wire.ts';

const opened: { close(): Promise<void> }[] = [];
after(() => Promise.all(opened.map((one) => one.close())));

interface WireField {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly cropper_ref?: string;
  readonly [name: string]: unknown;
}

/** The application over a new store. */
async function makeFieldApp({ maxPerOwner = 100, now = () => new Date('2026-07-01T00:00:00Z') } = {}) {
  const { store, close } = openTestStore();
  opened.push({ close });
  const fields = makeFields({ store: store.fields, maxPerOwner, now });
  const recipes = makeRecipes({ ...unlimitedRecipes, store: makeMemoryRecipes().store });
  const app = makeTestApp({ fields, recipes, now, records: [readerRecord, otherRecord] });
  const create = async (more: object = {}, init: RequestInit & { key?: string } = {}): Promise<WireField> => {
    const response = await app.call('/api/fields', {
      method: 'POST',
      body: JSON.stringify({ ...exampleField, ...more }),
      ...init,
    });
    assert.equal(response.status, 201, await response.clone().text());
    return (await response.json()) as WireField;
  };
  const change = (id: string, body: object, init: RequestInit & { key?: string } = {}) =>
    app.call(`/api/fields/${id}`, { method: 'PATCH', body: JSON.stringify(body), ...init });
  const list = async (query = '', init: { key?: string | null } = {}) => {
    const response = await app.call(`/api/fields${query}`, init);
    assert.equal(response.status, 200, await response.clone().text());
    return (await response.json()) as { fields: WireField[]; next: string | null };
  };
  return { ...app, fields, create, change, list };
}

test('a key can store, read, change and delete its own fields; other keys cannot', async () => {
  const { create, call, change } = await makeFieldApp();
  const field = await create();
  assert.deepEqual(
    [field.name, field.external_id, field.group, field.crop, field.sown_on, field.properties, field.version],
    ['Long acre', 'A-17', 'North farm', 'wheat', '2026-04-20', { irrigated: true }, 1],
  );
  assert.deepEqual(field.bbox, [-122.45, 48.2, -122.4, 48.23]);
  assert.ok(Math.abs((field.hectares as number) - 1239) < 2, String(field.hectares));
  assert.deepEqual(field.last_values, []);
  assert.equal((field.geometry as { type: string }).type, 'MultiPolygon');
  const read = await call(`/api/fields/${field.id}`);
  assert.equal(read.headers.get('etag'), '"1"');
  assert.deepEqual(await read.json(), field);
  const changed = (await (await change(field.id, { crop: null, name: 'Short acre' })).json()) as WireField;
  assert.deepEqual([changed.crop, changed.name, changed.version], [null, 'Short acre', 2]);
  assert.equal(changed.cropper_ref, field.cropper_ref);
  for (const [method, key] of [
    ['GET', OTHER_KEY],
    ['PATCH', OTHER_KEY],
    ['DELETE', OTHER_KEY],
  ] as const) {
    const init = { method, key, ...(method === 'PATCH' ? { body: '{}' } : {}) };
    const response = await call(`/api/fields/${field.id}`, init);
    assert.deepEqual([response.status, (await readError(response)).code], [404, 'no-such-field'], method);
  }
  assert.equal((await call(`/api/fields/${field.id}`, { method: 'DELETE', key: READER_KEY })).status, 403);
  assert.equal((await call(`/api/fields/${field.id}`, { method: 'DELETE' })).status, 204);
  assert.equal((await call(`/api/fields/${field.id}`, { method: 'DELETE' })).status, 404);
  assert.equal((await call('/api/fields/x%00y')).status, 404);
});

test('a change with If-Match is refused if someone else changed the field first', async () => {
  const { create, change } = await makeFieldApp();
  const { id } = await create();
  assert.equal((await change(id, { crop: 'maize' }, { headers: { 'if-match': '"1"' } })).status, 200);
  const late = await change(id, { crop: 'rye' }, { headers: { 'if-match': '"1"' } });
  assert.deepEqual([late.status, (await readError(late)).code], [412, 'field-version']);
  assert.equal((await change(id, { crop: 'rye' }, { headers: { 'if-match': '*' } })).status, 200);
  const wrong = await change(id, { crop: 'rye' }, { headers: { 'if-match': 'x' } });
  assert.deepEqual([wrong.status, (await readError(wrong)).code], [400, 'bad-if-match']);
});

test('an invalid field is refused with the broken rule', async () => {
  const { call, create, change } = await makeFieldApp();
  const cross = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
        [0, 0],
      ],
    ],
  };
  for (const [body, status, code] of [
    [{}, 400, 'no-area'],
    [{ geometry: null }, 400, 'no-area'],
    [{ geometry: cross }, 422, 'area-self-crossing'],
    [{ geometry: { type: 'Point', coordinates: [0, 0] } }, 422, 'area-type'],
    [{ ...exampleField, name: '' }, 400, 'bad-name'],
    [{ ...exampleField, group: 'a\nb' }, 400, 'bad-group'],
    [{ ...exampleField, sown_on: 'spring' }, 400, 'bad-sown-on'],
    [{ ...exampleField, properties: { a: {} } }, 400, 'bad-properties'],
    [[], 400, 'bad-body'],
  ] as const) {
    const response = await call('/api/fields', { method: 'POST', body: JSON.stringify(body) });
    assert.deepEqual(
      [response.status, (await readError(response)).code],
      [status, code],
      JSON.stringify(body),
    );
  }
  const { id } = await create();
  const again = await call('/api/fields', { method: 'POST', body: JSON.stringify(exampleField) });
  assert.deepEqual([again.status, (await readError(again)).code], [409, 'field-exists']);
  await create({ external_id: 'B' });
  const taken = await change(id, { external_id: 'B' });
  assert.deepEqual([taken.status, (await readError(taken)).code], [409, 'field-exists']);
});

test('a key cannot exceed its field limit', async () => {
  const { create, call } = await makeFieldApp({ maxPerOwner: 1 });
  await create();
  const body = JSON.stringify({ geometry: exampleField.geometry });
  const full = await call('/api/fields', { method: 'POST', body });
  assert.deepEqual([full.status, (await readError(full)).code], [402, 'too-many-fields']);
  await create({}, { key: OTHER_KEY });
});

test('a list says whether the caller may change fields', async () => {
  const { call } = await makeFieldApp();
  const mayChange = async (key?: string): Promise<unknown> => {
    const response = await call('/api/fields', key === undefined ? {} : { key });
    return ((await response.json()) as { may_change: unknown }).may_change;
  };
  assert.deepEqual([await mayChange(), await mayChange(READER_KEY)], [true, false]);
});

test('a list can be filtered, sorted and paged', async () => {
  const { create, list, call } = await makeFieldApp();
  const at = (lon: number) => ({
    type: 'Polygon',
    coordinates: [
      [
        [lon, 0],
        [lon + 1, 0],
        [lon + 1, 1],
        [lon, 1],
        [lon, 0],
      ],
    ],
  });
  for (const [i, name] of ['b', 'a', 'd', 'c'].entries()) {
    const group = i % 2 === 0 ? 'even' : 'odd';
    await create({ name, external_id: null, group, crop: i === 3 ? 'rye' : 'wheat', geometry: at(10 * i) });
  }
  await create({ name: 'theirs' }, { key: OTHER_KEY });
  const names = async (query: string) => (await list(query)).fields.map(({ name }) => name).join('');
  assert.equal(await names(''), 'abcd');
  assert.equal(await names('?sort=-name'), 'dcba');
  assert.equal(await names('?group=even'), 'bd');
  assert.equal(await names('?group=none'), '');
  assert.equal(await names('?crop=rye'), 'c');
  assert.equal(await names('?text=B'), 'b');
  assert.equal(await names('?bbox=-5,0,10.5,1'), 'ab');
  assert.equal(await names('?lon=20.5&lat=0.5'), 'd');
  assert.equal(await names('?lon=25&lat=0.5'), '');
  const first = await list('?limit=3&sort=-hectares');
  const second = await list(`?limit=3&sort=-hectares&after=${first.next}`);
  assert.equal(second.next, null);
  assert.deepEqual([first.fields.length, second.fields.length], [3, 1]);
  assert.equal('geometry' in (first.fields[0] ?? {}), false);
  for (const [query, code] of [
    ['after=x', 'bad-after'],
    [`after=${first.next}`, 'bad-after'],
    ['lon=1', 'bad-point'],
    ['bbox=1,2,3', 'bad-bbox'],
    ['sort=size', 'bad-sort'],
    ['limit=0', 'bad-limit'],
  ]) {
    const response = await call(`/api/fields?${query}`);
    assert.deepEqual([response.status, (await readError(response)).code], [400, code], query);
  }
});

test('groups are counted, shared by a link, and deleted', async () => {
  let date = new Date('2026-07-01T00:00:00Z');
  const { create, call, list, fields } = await makeFieldApp({ now: () => date });
  await create({ group: 'a', external_id: null, name: 'one' });
  await create({ group: 'a', external_id: null, name: 'two' });
  const other = await create({ group: 'b', external_id: null });
  const readGroups = async () => (await (await call('/api/fields/groups')).json()) as object;
  assert.deepEqual(await readGroups(), {
    groups: [
      { group: 'a', fields: 2, public: null },
      { group: 'b', fields: 1, public: null },
    ],
    next: null,
  });
  const share = async (body: object, init = {}) =>
    call('/api/fields/groups', { method: 'PATCH', body: JSON.stringify(body), ...init });
  assert.equal((await share({ group: 'c', public: true })).status, 404);
  assert.equal((await share({ group: 'a', public: true }, { key: OTHER_KEY })).status, 404);
  const shared = (await (await share({ group: 'a', public: { expires: '2026-07-05' } })).json()) as {
    public: { token: string; fields: string; expires: string };
  };
  assert.equal(shared.public.expires, '2026-07-05T23:59:59.999Z');
  const path = `/api/public/${shared.public.token}/fields`;
  assert.ok(shared.public.fields.endsWith(path));
  const read = async (query = '') => {
    const response = await call(`${path}${query}`, { key: null });
    return { status: response.status, text: await response.text() };
  };
  const page = JSON.parse((await read()).text) as { fields: WireField[] };
  assert.deepEqual(
    page.fields.map(({ name, cropper_ref }) => [name, cropper_ref]),
    [
      ['one', undefined],
      ['two', undefined],
    ],
  );
  const tried = JSON.parse((await read(`?group=b&text=one`)).text) as { fields: WireField[] };
  assert.deepEqual(
    tried.fields.map(({ name }) => name),
    ['one'],
    'no other group',
  );
  for (const end of [`fields/${other.id}`, 'legend', '1/1/1', 'tilejson.json', 'groups']) {
    const response = await call(`/api/public/${shared.public.token}/${end}`, { key: null });
    assert.equal(response.status, 404, end);
  }
  assert.equal(
    (await call('/api/fields', { key: shared.public.token })).status,
    403,
    'the token is not a key',
  );
  date = new Date('2026-07-06T00:00:00Z');
  assert.equal((await read()).status, 410);
  await share({ group: 'a', public: true });
  assert.equal((await read()).status, 200);
  await share({ group: 'a', public: null });
  assert.equal((await read()).status, 410);
  const removed = await call('/api/fields?group=a', { method: 'DELETE' });
  assert.deepEqual(await removed.json(), { deleted: 2 });
  assert.equal((await call('/api/fields', { method: 'DELETE' })).status, 400, 'a group must be named');
  assert.deepEqual(
    (await list()).fields.map(({ id }) => id),
    [other.id],
  );
  assert.equal(await fields.count({ owner: 'configured' }), 1);
});

test('last values are listed with their fields', async () => {
  const { create, list, fields } = await makeFieldApp();
  const { id } = await create();
  const value = { expression: 'NDVI', value: 0.71, date: '2026-06-21' };
  await fields.putLastValues('configured', [{ id, ...value }]);
  assert.deepEqual((await list()).fields[0]?.last_values, [value]);
});
