import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { aTicket } from '../../pool/testing/run-here.ts';
import type { Fields } from '../fields.ts';
import { makeFields } from '../fields.ts';
import type { ImportedRow } from './import-fields.ts';
import { importWithReport, makeImportFields } from './import-fields.ts';
import { collection, feature, importHere, square, usual } from './testing/import-here.ts';

const { checkFile, close, directory, fields, listAll, readState, run, store } = await importHere();
after(close);

test('the same file changes nothing the second time, with ids and without', async () => {
  for (const [owner, ids] of [
    ['with ids', true],
    ['without ids', false],
  ] as const) {
    const text = collection(...[1, 2, 3].map((n) => feature(ids ? n : null, square(n), { name: `F${n}` })));
    assert.equal((await run(owner, text)).counts?.created, 3);
    const before = await readState(owner);
    assert.equal((await run(owner, text)).counts?.unchanged, 3, owner);
    assert.deepEqual(await readState(owner), before);
  }
  const moved = collection(feature(1, square(1.5), { name: 'F1' }), feature(2, square(2), { name: 'F2' }));
  const { rows } = await run('with ids', moved);
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['updated', 'unchanged'],
  );
  assert.equal((await listAll('with ids')).length, 3, 'what the file does not name stays');
});

test('an interrupted import reaches the same state when it runs again', async () => {
  const text = collection(
    ...Array.from({ length: 1_000 }, (_, n) =>
      feature(n % 3 === 0 ? null : n, square(n / 20), { name: `F${n}` }),
    ),
  );
  await run('in one go', text);
  for (const broken of [1, 3]) {
    const owner = `broken ${broken}`;
    let puts = 0;
    const killed: Pick<Fields, 'putMany' | 'findLimit'> = {
      findLimit: fields.findLimit,
      putMany(key, drafts) {
        puts += 1;
        if (puts > broken) throw new Error('killed');
        return fields.putMany(key, drafts);
      },
    };
    await assert.rejects(run(owner, text, { fields: killed }), /killed/);
    const { counts, done } = await run(owner, text);
    assert.deepEqual(
      [counts?.rows, counts?.created, counts?.unchanged],
      [1_000, 1_000 - 200 * broken, 200 * broken],
    );
    assert.deepEqual(done, [0, 200, 400, 600, 800, 1_000]);
    // Ids of rows without one depend on the owner.
    const withoutIds = async (key: string) => (await readState(key)).map(({ id: _, ...field }) => field);
    assert.deepEqual(await withoutIds(owner), await withoutIds('in one go'));
  }
});

test('rows beyond the limit of the key are refused, and a long file is left to a task', async () => {
  const few = makeFields({ store: store.fields, maxPerOwner: 2, now: () => new Date() });
  const text = collection(...[1, 2, 3].map((n) => feature(n, square(n))));
  const { rows } = await run('few', text, { fields: few });
  assert.deepEqual(
    rows.map(({ status, code }) => code ?? status),
    ['created', 'created', 'too-many-fields'],
  );
  assert.equal((await run('long', text, { maxRows: 2 })).counts, null);
  assert.equal(await store.fields.count({ owner: 'long' }), 0);
});

test('the report of a task is one JSON document', async () => {
  const path = join(directory, 'reported');
  await writeFile(path, collection(feature(1, square(1)), feature(2, null)));
  const order = { format: null, columns: usual, group: null, digest: 'd' };
  const work = { owner: 'reported', order, path, checkedPath: `${path}.rows`, ticket: aTicket };
  await importWithReport(makeImportFields({ fields, checkFile }), work, `${path}.json`);
  const report = JSON.parse(await readFile(`${path}.json`, 'utf8')) as {
    report: ImportedRow[];
    rows: number;
  };
  assert.equal(report.rows, 2);
  assert.deepEqual(
    report.report.map(({ status }) => status),
    ['created', 'refused'],
  );
  await writeFile(path, collection());
  await importWithReport(makeImportFields({ fields, checkFile }), work, `${path}.json`);
  assert.deepEqual(JSON.parse(await readFile(`${path}.json`, 'utf8')).report, []);
});
