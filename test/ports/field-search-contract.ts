import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldQuery, FieldSelection } from '../../src/fields/index.ts';
import { boxAt, draft, idOf, listIds, outlineOf, query, update } from './fields.ts';
import type { OpenStore } from './store-contract.ts';

/** What every FieldStore promises about lists, searches, shapes and groups. */
export function fieldSearchContract(name: string, open: OpenStore): void {
  test(`${name} fields: a list can have any order, page by page, for one owner`, async () => {
    const store = await open();
    const { fields } = store;
    const names = ['b', 'Ä', 'a', 'B', '\u{1F6F0}', '\uffee', 'a', 'a b'];
    for (const [i, one] of names.entries()) {
      const outline = { ...draft(i).outline, hectares: (i * 5) % 8 };
      const drafts = [draft(i, { name: one, outline })];
      await fields.put('key 1', drafts, { ...update, now: `2026-07-0${1 + ((i * 3) % 8)}T00:00:00.000Z` });
    }
    await fields.put('key 2', [draft(50, { name: 'a' })], update);
    const numbers = async (by: FieldQuery['order']['by'], descending: boolean) => {
      const listed: number[] = [];
      let after: FieldQuery['after'] = null;
      for (;;) {
        const page = await fields.list(query({ order: { by, descending }, after, limit: 3 }));
        listed.push(...page.map(({ id }) => Number.parseInt(id, 16)));
        const last = page.at(-1);
        if (last === undefined || page.length < 3) return listed;
        after = { value: last[by], id: last.id };
      }
    };
    const byName = [3, 2, 6, 7, 0, 1, 5, 4];
    assert.deepEqual(await numbers('name', false), byName);
    assert.deepEqual(await numbers('name', true), byName.toReversed());
    const inOrder = (key: (i: number) => number) => names.map((_, i) => i).sort((a, b) => key(a) - key(b));
    assert.deepEqual(
      await numbers('hectares', false),
      inOrder((i) => (i * 5) % 8),
    );
    assert.deepEqual(await numbers('updatedAt', true), inOrder((i) => (i * 3) % 8).toReversed());
    assert.deepEqual(await listIds(fields, { owner: 'key 3' }), []);
    const [listed] = await fields.list(query({ limit: 1 }));
    const { geometry: _text, ...found } = (await fields.find('key 1', idOf(3))) ?? assert.fail();
    assert.deepEqual(listed, found, 'all but the geometry');
    await store.close();
  });

  test(`${name} fields: a search filters by group, crop, ids and text, all at once`, async () => {
    const store = await open();
    const { fields } = store;
    await fields.put(
      'key 1',
      [
        draft(1, { group: 'North', crop: 'maize', name: 'Über 100% _x' }),
        draft(2, { group: 'North', crop: 'wheat', name: 'under' }),
        draft(3, { crop: 'maize', name: 'other', externalId: 'ÜB-7' }),
        draft(4, { group: 'north' }),
      ],
      update,
    );
    await fields.put('key 2', [draft(5, { group: 'North' })], update);
    const found = async (more: Partial<FieldQuery>) =>
      (await listIds(fields, more)).map((id) => Number.parseInt(id, 16)).sort();
    assert.deepEqual(await found({ group: 'North' }), [1, 2]);
    assert.deepEqual(await found({ crop: 'maize' }), [1, 3]);
    assert.deepEqual(await found({ group: 'North', crop: 'maize' }), [1]);
    assert.deepEqual(await found({ text: 'üb' }), [1, 3]);
    assert.deepEqual(await found({ text: 'er' }), [1, 2, 3]);
    assert.deepEqual(await found({ text: '0% _' }), [1]);
    assert.deepEqual(await found({ text: "'" }), []);
    assert.deepEqual(await found({ ids: [idOf(2), idOf(3), idOf(5), 'x"y'] }), [2, 3]);
    assert.deepEqual(await found({ ids: [] }), []);
    for (const asked of [
      { group: 'a\u0000b' },
      { crop: '\u0000' },
      { text: '\u0000' },
      { ids: ['\u0000'] },
    ]) {
      assert.deepEqual(await found(asked), [], JSON.stringify(asked));
    }
    assert.equal(await fields.count({ owner: 'key 1', group: 'North' }), 2);
    assert.equal(await fields.count({ owner: 'key 1', ids: [idOf(1), idOf(9)] }), 1);
    assert.equal(await fields.count({ owner: 'key 1' }), 4);
    assert.equal(await fields.count({ owner: 'key 3' }), 0);
    await store.close();
  });

  test(`${name} fields: a search finds fields by a box and by a position, also across the antimeridian`, async () => {
    const store = await open();
    const { fields } = store;
    const triangle = {
      geometry: JSON.stringify({
        type: 'MultiPolygon',
        coordinates: [
          [
            [
              [10, 40],
              [11, 40],
              [10, 41],
              [10, 40],
            ],
          ],
        ],
      }),
      hectares: 1,
      bounds: boxAt(10, 40, 1),
    };
    await fields.put(
      'key 1',
      [
        draft(1, { outline: outlineOf(boxAt(10.123456789, 40.5, 0.25)) }),
        draft(2, { outline: triangle }),
        draft(3, { outline: outlineOf({ west: 179.5, south: -17, east: 180.5, north: -16 }) }),
        draft(4, { outline: outlineOf({ west: -180, south: -17, east: -179.75, north: -16 }) }),
      ],
      update,
    );
    await fields.put('key 2', [draft(1, { outline: triangle })], update);
    const found = async (where: Partial<FieldSelection>) => {
      const ids = await listIds(fields, where);
      assert.equal(await fields.count({ owner: 'key 1', ...where }), ids.length);
      return ids.map((id) => Number.parseInt(id, 16));
    };
    assert.deepEqual(await found({ within: boxAt(9, 39, 1) }), [2], 'edges meet');
    assert.deepEqual(await found({ within: boxAt(9, 39, 0.999999999) }), []);
    assert.deepEqual(await found({ within: boxAt(10.373456789, 40.75, 1) }), [1, 2]);
    assert.deepEqual(await found({ within: boxAt(10.3734567891, 40.75, 1) }), [2]);
    assert.deepEqual(await found({ within: { west: -180, south: -90, east: 180, north: 90 } }), [1, 2, 3, 4]);
    assert.deepEqual(await found({ at: [10.2, 40.2] }), [2]);
    assert.deepEqual(await found({ at: [10.2, 40.6] }), [1, 2]);
    assert.deepEqual(await found({ at: [10.8, 40.8] }), [], 'in the box of the triangle, not in it');
    assert.deepEqual(await found({ at: [10, 40] }), [2], 'on its edge');
    assert.deepEqual(await found({ within: boxAt(179.9, -16.5, 0.05) }), [3]);
    assert.deepEqual(await found({ within: boxAt(-179.6, -16.5, 0.05) }), [3]);
    assert.deepEqual(await found({ within: boxAt(179.9, -16.5, 0.2) }), [3, 4]);
    assert.deepEqual(await found({ at: [-179.6, -16.5] }), [3]);
    assert.deepEqual(await found({ at: [-179.9, -16.5] }), [3, 4]);
    assert.deepEqual(await found({ at: [180, -16.5] }), [3, 4]);
    assert.deepEqual(await found({ at: [-180, -16.5] }), [3, 4]);
    await store.close();
  });

  test(`${name} fields: shapes are returned along a curve, page by page, limited by count and bytes`, async () => {
    const store = await open();
    const { fields } = store;
    const spots = Array.from({ length: 12 }, (_, i) =>
      draft(i, {
        group: i % 2 === 0 ? 'even' : 'odd',
        outline: outlineOf(boxAt((i * 53) % 120, (i * 29) % 60)),
      }),
    );
    await fields.put('key 1', spots, update);
    const read = async (selection: Partial<FieldSelection>, page: { limit: number; bytes: number }) => {
      const pages: string[][] = [];
      let after: { hilbert: number; id: string } | null = null;
      for (;;) {
        const shapes = await fields.listShapes({ owner: 'key 1', ...selection }, { ...page, after });
        const last = shapes.at(-1);
        if (last === undefined) return pages;
        for (const { id, externalId, name: called, geometry } of shapes) {
          const n = Number.parseInt(id, 16);
          assert.deepEqual(
            [externalId, called, geometry],
            [`ext ${n}`, `Field ${n}`, spots[n]?.outline.geometry],
          );
        }
        pages.push(shapes.map(({ id }) => id));
        after = { hilbert: last.hilbert, id: last.id };
      }
    };
    const all = (await read({}, { limit: 100, bytes: 2 ** 20 })).flat();
    assert.deepEqual(
      [...all].sort(),
      spots.map(({ id }) => id),
    );
    assert.deepEqual(
      (await read({}, { limit: 5, bytes: 2 ** 20 })).map((page) => page.length),
      [5, 5, 2],
    );
    assert.deepEqual((await read({}, { limit: 5, bytes: 2 ** 20 })).flat(), all);
    assert.deepEqual(
      (await read({}, { limit: 5, bytes: 1 })).map((page) => page.length),
      Array(12).fill(1),
    );
    const two = (spots[0]?.outline.geometry.length ?? 0) + 1;
    assert.equal((await read({}, { limit: 5, bytes: two }))[0]?.length, 2);
    const even = (await read({ group: 'even' }, { limit: 4, bytes: 2 ** 20 })).flat();
    assert.deepEqual(
      even,
      all.filter((id) => Number.parseInt(id, 16) % 2 === 0),
    );
    const near = (await read({ within: boxAt(0, 0, 60) }, { limit: 2, bytes: 2 ** 20 })).flat();
    assert.deepEqual(
      near,
      all.filter((id) => {
        const { west, south } = spots[Number.parseInt(id, 16)]?.outline.bounds ?? assert.fail();
        return west <= 60 && south <= 60;
      }),
    );
    const lonOf = (id: string) => spots[Number.parseInt(id, 16)]?.outline.bounds.west ?? 0;
    const walked = all
      .slice(1)
      .reduce((sum, id, i) => sum + Math.abs(lonOf(id) - lonOf(all[i] as string)), 0);
    const byId = spots.slice(1).reduce((sum, { id }, i) => sum + Math.abs(lonOf(id) - lonOf(idOf(i))), 0);
    assert.ok(walked < byId / 2, `${walked} degrees along the curve, ${byId} in the order of ids`);
    assert.deepEqual(await fields.listShapes({ owner: 'key 3' }, { after: null, limit: 5, bytes: 1 }), []);
    await store.close();
  });

  test(`${name} fields: groups are listed with their counts, and removed with their fields`, async () => {
    const store = await open();
    const { fields } = store;
    const groups = ['b', 'Ä', 'a', 'b', 'a', 'b'];
    await fields.put('key 1', [...groups.map((group, i) => draft(i, { group })), draft(9)], update);
    await fields.put('key 2', [draft(1, { group: 'a' })], update);
    const listed = await fields.listGroups('key 1', { after: null, limit: 2 });
    assert.deepEqual(listed, [
      { group: 'a', fields: 2, share: null },
      { group: 'b', fields: 3, share: null },
    ]);
    assert.deepEqual(await fields.listGroups('key 1', { after: 'b', limit: 2 }), [
      { group: 'Ä', fields: 1, share: null },
    ]);
    assert.equal(await fields.removeGroup('key 1', 'b'), 3);
    assert.equal(await fields.removeGroup('key 1', 'b'), 0);
    assert.equal(await fields.removeGroup('key 1', 'a\u0000b'), 0);
    assert.deepEqual((await fields.usage()).get('key 1')?.fields, 4);
    assert.equal(
      await fields.count({ owner: 'key 1', within: { west: -180, south: -90, east: 180, north: 90 } }),
      4,
    );
    await store.close();
  });
}
