import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { writeGroup } from '../../scripts/test-groups.ts';

const HEAD = "import { after, test } from 'node:test';\n";

/** Starts a group with files of this content, which names the files that still load every few milliseconds. */
function startGroup(t: TestContext, contents: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'swath-group-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const files = Object.entries(contents).map(([name, content]) => {
    const path = join(folder, `${name}.test.mjs`);
    writeFileSync(path, HEAD + content);
    return path;
  });
  // A test run within a test would otherwise take itself for a part of that one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--test-reporter=tap', writeGroup(files, folder, 'group', 20)], {
    env,
  });
  t.after(() => child.kill('SIGKILL'));
  return { child, files };
}

test('files that wait while they load have tests and hooks of their own', async (t) => {
  const toContent = (name: string, wait: string): string => `
await ${wait};
test('of ${name}', () => console.log('= test of ${name}'));
await ${wait};
after(() => console.log('= hook of ${name}'));`;
  const { child } = startGroup(t, {
    first: toContent('first', 'new Promise((done) => setTimeout(done, 50))'),
    broken: "await Promise.reject(new Error('it cannot be loaded'));",
    last: toContent('last', 'null'),
  });
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const said = output.split('\n').filter((line) => line.startsWith('= '));
  assert.deepEqual(said, ['= test of first', '= hook of first', '= test of last', '= hook of last'], output);
  assert.match(output, /not ok .*broken/);
  assert.match(output, /it cannot be loaded/);
  assert.equal(status, 1);
});

test('a file that never ends to load is named', async (t) => {
  const { child, files } = startGroup(t, {
    loads: "test('of loads', () => {});\n",
    waits: 'setInterval(() => {}, 1_000);\nawait new Promise(() => {});\n',
  });
  let said = '';
  for await (const part of child.stderr) {
    said += part;
    if (said.split('\n').includes(`${files[1]}: still loading`)) return;
  }
  assert.fail(said);
});
