import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { letTurnsPass } from '../../src/testing/let-turns-pass.ts';
import type { Made } from './made-once.ts';
import { hashSources, makeOnce } from './made-once.ts';

function makeCase() {
  const folder = mkdtempSync(join(tmpdir(), 'swath-once-'));
  let times = 0;
  const thing = (name: string): Made => ({
    name,
    madeBy: 'src/main.ts',
    async make(into) {
      times += 1;
      writeFileSync(join(into, 'half'), '');
      await letTurnsPass();
      writeFileSync(join(into, 'whole'), name);
    },
  });
  return {
    folder,
    thing,
    countMade: () => times,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

test('what several ask for at once is made once, in the order asked for, and found later', async () => {
  using it = makeCase();
  const ask = (...names: string[]) => makeOnce(names.map(it.thing), it.folder);
  const [both, others] = await Promise.all([ask('a', 'b'), ask('c', 'b', 'a')]);
  assert.deepEqual(both, [join(it.folder, 'a'), join(it.folder, 'b')]);
  assert.deepEqual(
    others.map((path) => readFileSync(join(path, 'whole'), 'utf8')),
    ['c', 'b', 'a'],
  );
  await ask('b');
  assert.equal(it.countMade(), 3);
  assert.deepEqual(readdirSync(it.folder).sort(), ['a', 'b', 'c'], 'no claim and nothing half-made is left');
});

test('the claim of a killed process blocks no one, and what it left half-made is not used', async () => {
  using it = makeCase();
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  writeFileSync(join(it.folder, 'a.claim'), String(pid));
  const [path = ''] = await makeOnce([it.thing('a')], it.folder);
  assert.equal(readFileSync(join(path, 'whole'), 'utf8'), 'a');
  // One whose number another process has got, or that was killed before it wrote its own.
  for (const [name, text] of [
    ['b', String(process.pid)],
    ['c', ''],
  ] as const) {
    const claim = join(it.folder, `${name}.claim`);
    writeFileSync(claim, text);
    utimesSync(claim, 1, 1);
    await makeOnce([it.thing(name)], it.folder);
  }
  assert.equal(it.countMade(), 3);
});

test('what could not be made leaves nothing, and is made by the next who asks', async () => {
  using it = makeCase();
  const broken: Made = {
    name: 'a',
    madeBy: 'src/main.ts',
    make(into) {
      writeFileSync(join(into, 'half'), '');
      throw new Error('no room');
    },
  };
  await assert.rejects(makeOnce([broken], it.folder), /no room/);
  assert.deepEqual(readdirSync(it.folder), []);
  await makeOnce([it.thing('a')], it.folder);
  assert.deepEqual(readdirSync(it.folder), ['a']);
});

test('the cache key changes with what a generator imports and with the version of the demo world', () => {
  const root = mkdtempSync(join(tmpdir(), 'swath-key-'));
  mkdirSync(join(root, 'world'));
  const write = (file: string, text: string) => writeFileSync(join(root, file), text);
  const toKey = () => hashSources('make.ts', root);
  try {
    write('package.json', '{}');
    write('world/package.json', '{ "version": "1.0.0" }');
    write('make.ts', "import './part.ts';");
    write('part.ts', 'export const part = 1;');
    write('other.ts', 'export const other = 1;');
    const first = toKey();
    write('other.ts', 'export const other = 2;');
    assert.equal(toKey(), first);
    write('part.ts', 'export const part = 2;');
    const second = toKey();
    assert.notEqual(second, first);
    write('world/package.json', '{ "version": "1.0.1" }');
    assert.notEqual(toKey(), second);
  } finally {
    rmSync(root, { recursive: true });
  }
});
