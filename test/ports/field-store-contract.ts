import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldDraft, FieldStore } from '../../src/fields/index.ts';
import type { Share } from '../../src/library/index.ts';
import { boxAt, draft, idOf, later, limit, listIds, now, outlineOf, query, update } from './fields.ts';
import type { OpenStore } from './store-contract.ts';

/** What every FieldStore promises about what is put, changed, removed and shared. */
export function fieldStoreContract(name: string, open: OpenStore): void {
  test(`${name} fields: a stored field is found complete by its owner, also after a restart`, async () => {
    const store = await open();
    const outline = outlineOf(boxAt(4.5, 43.25));
    const full = draft(1, {
      externalId: "Föld '; -- \u{1F6F0}",
      name: 'Le Grand Champ',
      group: 'North',
      crop: 'maize',
      sownOn: '2026-04-20',
      properties: { owner: 'a\u0000b', n: 1.5, organic: true, note: null },
      outline,
    });
    assert.deepEqual(await store.fields.put('key 1', [full, draft(2, { externalId: null })], update), [
      { status: 'created', id: idOf(1) },
      { status: 'created', id: idOf(2) },
    ]);
    const again = await store.reopen();
    const { name: called, externalId, group, crop, sownOn, properties } = full;
    const { areaRef, ...found } = (await again.fields.find('key 1', idOf(1))) ?? assert.fail();
    assert.match(areaRef, /^[0-9a-f]{32}$/);
    assert.deepEqual(found, {
      owner: 'key 1',
      id: idOf(1),
      name: called,
      externalId,
      group,
      crop,
      sownOn,
      properties,
      ...outline,
      createdAt: now,
      updatedAt: now,
      version: 1,
      lastValues: [],
    });
    const plain = await again.fields.find('key 1', idOf(2));
    assert.deepEqual([plain?.externalId, plain?.group, plain?.properties], [null, null, {}]);
    assert.equal(await again.fields.find('key 2', idOf(1)), null, 'it is not theirs');
    for (const other of ['', idOf(3), "' OR 1=1 --", 'a\u0000b']) {
      assert.equal(await again.fields.find('key 1', other), null, other);
    }
    await again.close();
  });

  test(`${name} fields: a put finds a stored field by its external id, and keeps attributes it does not name`, async () => {
    const store = await open();
    const { fields } = store;
    const sameAs1 = { externalId: 'ext 1', outline: draft(1).outline };
    await fields.put('key 1', [draft(1, { group: 'North', crop: 'maize', properties: { a: 1 } })], update);
    const again = { ...update, now: later };
    const { name: _left, ...unnamed } = draft(7, sameAs1);
    assert.deepEqual(await fields.put('key 1', [unnamed], again), [{ status: 'unchanged', id: idOf(1) }]);
    assert.equal((await fields.find('key 1', idOf(1)))?.version, 1);
    const changed = draft(7, { externalId: 'ext 1', name: 'New', group: null });
    assert.deepEqual(await fields.put('key 1', [changed], again), [{ status: 'updated', id: idOf(1) }]);
    const stored = await fields.find('key 1', idOf(1));
    assert.deepEqual(
      [stored?.name, stored?.group, stored?.crop, stored?.properties, stored?.version],
      ['New', null, 'maize', { a: 1 }, 2],
    );
    assert.deepEqual([stored?.createdAt, stored?.updatedAt], [now, later]);
    assert.deepEqual(stored?.bounds, boxAt(0.7, 40));
    assert.deepEqual(await listIds(fields, { at: [0.105, 40.005] }), [], 'it has left its old place');
    assert.deepEqual(await listIds(fields, { at: [0.705, 40.005] }), [idOf(1)]);
    assert.deepEqual(await fields.put('key 2', [draft(1)], update), [{ status: 'created', id: idOf(1) }]);
    const refused = await fields.put('key 1', [draft(9, { externalId: 'ext 1' })], {
      ...again,
      ifStored: 'refuse',
    });
    assert.deepEqual(refused, [{ status: 'exists', id: idOf(1) }]);
    await store.close();
  });

  test(`${name} fields: without an external id a put finds a field by its id; one without a name gets one`, async () => {
    const store = await open();
    const { fields } = store;
    const { name: _left, ...unnamed } = draft(1, { externalId: null });
    await fields.put('key 1', [unnamed], update);
    assert.equal((await fields.find('key 1', idOf(1)))?.name, idOf(1));
    assert.deepEqual(await fields.put('key 1', [unnamed], update), [{ status: 'unchanged', id: idOf(1) }]);
    const { name: _also, ...external } = draft(2);
    await fields.put('key 1', [external], update);
    assert.equal((await fields.find('key 1', idOf(2)))?.name, 'ext 2');
    await store.close();
  });

  test(`${name} fields: an owner cannot exceed its limit, in number and in bytes`, async () => {
    const store = await open();
    const { fields } = store;
    const two = { ...update, limit: { ...limit, fields: 2 } };
    const statuses = async (owner: string, drafts: readonly FieldDraft[], options = two) =>
      (await fields.put(owner, drafts, options)).map(({ status }) => status);
    assert.deepEqual(
      await statuses(
        'key 1',
        [1, 2, 3].map((n) => draft(n)),
      ),
      ['created', 'created', 'full'],
    );
    assert.deepEqual(await statuses('key 1', [draft(2, { name: 'New' }), draft(4)]), ['updated', 'full']);
    const bytes = 2 + draft(1).outline.geometry.length;
    assert.deepEqual(
      await fields.usage(),
      new Map([
        [
          'key 1',
          { fields: 2, bytes: 4 + draft(1).outline.geometry.length + draft(2).outline.geometry.length },
        ],
      ]),
    );
    const small = { ...update, limit: { fields: 9, bytes } };
    assert.deepEqual(await statuses('key 2', [draft(1), draft(2)], small), ['created', 'full']);
    assert.deepEqual(await statuses('key 2', [draft(1, { properties: { a: 1 } })], small), ['full']);
    assert.equal(
      (await fields.change('key 2', idOf(1), { properties: { a: 1 } }, { ...small, version: null })).kind,
      'full',
    );
    await fields.remove('key 1', idOf(1));
    assert.deepEqual(await statuses('key 1', [draft(3)]), ['created']);
    await store.close();
  });

  test(`${name} fields: concurrent writers do not exceed the limit together, nor store one twice`, async () => {
    const store = await open();
    const options = { ...update, limit: { ...limit, fields: 7 } };
    const puts = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        store.fields.put(`key ${i % 2}`, [draft(i % 10), draft((i + 2) % 10)], options),
      ),
    );
    const created = puts.flat().filter(({ status }) => status === 'created');
    const usage = await store.fields.usage();
    const sum = (usage.get('key 0')?.fields ?? 0) + (usage.get('key 1')?.fields ?? 0);
    assert.equal(created.length, sum);
    assert.deepEqual(
      [await store.fields.count({ owner: 'key 0' }), await store.fields.count({ owner: 'key 1' })],
      [5, 5],
    );
    assert.equal(sum, 10);
    await store.close();
  });

  test(`${name} fields: only the owner can change a field, at the version it has seen`, async () => {
    const store = await open();
    const { fields } = store;
    await fields.put('key 1', [draft(1), draft(2)], update);
    const options = { limit, now: later };
    const change = (changes: Parameters<FieldStore['change']>[2], version: number | null = null) =>
      fields.change('key 1', idOf(1), changes, { ...options, version });
    const first = await change({ name: 'New', sownOn: '2026-05-01' }, 1);
    assert.ok(first.kind === 'changed');
    assert.deepEqual(
      [first.field.name, first.field.sownOn, first.field.version, first.field.updatedAt],
      ['New', '2026-05-01', 2, later],
    );
    assert.deepEqual(await change({ name: 'Newer' }, 1), { kind: 'stale', version: 2 });
    const same = await change({ name: 'New' }, 2);
    assert.ok(same.kind === 'changed' && same.field.version === 2, 'nothing changed');
    assert.deepEqual(await change({ externalId: 'ext 2' }), { kind: 'taken' });
    assert.equal((await change({ externalId: null })).kind, 'changed');
    assert.equal((await change({ externalId: 'ext 1' })).kind, 'changed');
    const moved = await change({ outline: outlineOf(boxAt(50, 10)) });
    assert.ok(moved.kind === 'changed');
    assert.deepEqual(moved.field, await fields.find('key 1', idOf(1)));
    assert.deepEqual(await listIds(fields, { within: boxAt(49, 9, 2) }), [idOf(1)]);
    for (const [owner, id] of [
      ['key 2', idOf(1)],
      ['key 1', idOf(3)],
      ['key 1', 'a\u0000b'],
    ] as const) {
      assert.deepEqual(await fields.change(owner, id, { name: 'x' }, { ...options, version: null }), {
        kind: 'absent',
      });
    }
    await store.close();
  });

  test(`${name} fields: an outline is found by its reference until it changes`, async () => {
    const store = await open();
    const { fields } = store;
    await fields.put('key 1', [draft(1), draft(2)], update);
    const refOf = async (n: number) => (await fields.find('key 1', idOf(n)))?.areaRef ?? assert.fail();
    const [first, other] = [await refOf(1), await refOf(2)];
    assert.equal(await fields.findRef('key 1', idOf(1)), first);
    for (const [owner, id] of [
      ['key 2', idOf(1)],
      ['key 1', idOf(9)],
      ['key 1', 'a\u0000b'],
    ] as const) {
      assert.equal(await fields.findRef(owner, id), null);
    }
    assert.deepEqual(await fields.findByRef(first), { id: idOf(1), geometry: draft(1).outline.geometry });
    await fields.put('key 1', [draft(1, { name: 'New' })], update);
    assert.equal(await refOf(1), first, 'a new name changes nothing');
    await fields.put('key 1', [draft(1, { outline: draft(3).outline })], update);
    const second = await refOf(1);
    assert.deepEqual(await fields.findByRef(second), { id: idOf(1), geometry: draft(3).outline.geometry });
    await fields.remove('key 1', idOf(2));
    for (const ref of [first, other, '', 'a\u0000b']) assert.equal(await fields.findByRef(ref), null, ref);
    await store.close();
  });

  test(`${name} fields: an owner can remove one field, or all of them at once`, async () => {
    const store = await open();
    const { fields } = store;
    await fields.put(
      'key 1',
      [1, 2, 3].map((n) => draft(n)),
      update,
    );
    await fields.put('key 2', [draft(1)], update);
    await fields.putLastValues('key 1', [{ id: idOf(1), expression: 'ndvi', value: 1, date: '2026-07-01' }]);
    assert.equal(await fields.remove('key 3', idOf(1)), false);
    assert.equal(await fields.remove('key 1', 'a\u0000b'), false);
    assert.equal(await fields.remove('key 1', idOf(1)), true);
    assert.equal(await fields.remove('key 1', idOf(1)), false);
    assert.equal(await fields.removeAll('key 1'), 2);
    assert.equal(await fields.removeAll('key 1'), 0);
    assert.deepEqual([...(await fields.usage()).keys()], ['key 2']);
    assert.deepEqual(await fields.put('key 1', [draft(1)], update), [{ status: 'created', id: idOf(1) }]);
    assert.deepEqual((await fields.find('key 1', idOf(1)))?.lastValues, [], 'it is another field');
    await store.close();
  });

  test(`${name} fields: the value of the latest date is kept, for each expression`, async () => {
    const store = await open();
    const { fields } = store;
    await fields.put('key 1', [draft(1), draft(2)], update);
    await fields.put('key 2', [draft(1)], update);
    const measured = (n: number, expression: string, value: number | null, date: string) => ({
      id: idOf(n),
      expression,
      value,
      date,
    });
    await fields.putLastValues('key 1', []);
    await fields.putLastValues('key 1', [
      measured(1, 'ndvi', 0.5, '2026-07-01'),
      measured(1, 'ndvi', 0.75, '2026-07-03'),
      measured(1, '(B08-B04)/B03', null, '2026-07-01'),
      measured(3, 'ndvi', 0.5, '2026-07-01'),
    ]);
    await fields.putLastValues('key 1', [
      measured(1, 'ndvi', 0.25, '2026-07-02'),
      measured(1, '(B08-B04)/B03', 2, '2026-07-01'),
    ]);
    const values = [
      { expression: '(B08-B04)/B03', value: 2, date: '2026-07-01' },
      { expression: 'ndvi', value: 0.75, date: '2026-07-03' },
    ];
    const [one, two] = await fields.list(query());
    assert.deepEqual([one?.lastValues, two?.lastValues], [values, []]);
    assert.equal(one?.version, 1, 'the field itself did not change');
    assert.deepEqual((await fields.find('key 1', idOf(1)))?.lastValues, values);
    assert.deepEqual((await fields.find('key 2', idOf(1)))?.lastValues, []);
    await store.close();
  });

  test(`${name} fields: a group can be shared, get new terms under its id, and be unshared`, async () => {
    const store = await open();
    const { fields } = store;
    await fields.put('key 1', [draft(1, { group: 'a' })], update);
    const share = (n: number): Share => ({ id: idOf(n).repeat(2), expiresAt: null, ratePerMinute: n });
    assert.deepEqual(await fields.putShare('key 1', 'a', share(1)), share(1));
    const changed = { ...share(2), expiresAt: later };
    const kept = { ...changed, id: share(1).id };
    assert.deepEqual(await fields.putShare('key 1', 'a', changed), kept);
    const again = await store.reopen();
    assert.deepEqual(await again.fields.findShared(share(1).id), { owner: 'key 1', group: 'a', share: kept });
    assert.deepEqual((await again.fields.listGroups('key 1', { after: null, limit: 9 }))[0]?.share, kept);
    for (const other of [share(2).id, '', 'a\u0000b']) {
      assert.equal(await again.fields.findShared(other), null, other);
    }
    assert.equal(await again.fields.putShare('key 2', 'a', null), null);
    assert.ok(await again.fields.findShared(share(1).id), 'the share of another key');
    assert.equal(await again.fields.putShare('key 1', 'a', null), null);
    assert.equal(await again.fields.findShared(share(1).id), null);
    await again.fields.putShare('key 1', 'a', share(3));
    await again.fields.removeGroup('key 1', 'a');
    assert.equal(await again.fields.findShared(share(3).id), null, 'it ends with its group');
    await again.close();
  });
}
