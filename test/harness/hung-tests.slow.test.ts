import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { waitFor } from '../../src/testing/wait-for.ts';

const KEEP_OPEN = 'setInterval(() => {}, 1_000)';
const CHILD = `import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const child = spawn(process.execPath, ['-e', '${KEEP_OPEN}'], { stdio: 'inherit' });
writeFileSync('child.pid', String(child.pid));
`;

/** Files of tests, each with a test of its own name, and what follows it. */
const FILES: Readonly<Record<string, string>> = {
  passes: toTest('passes', ''),
  fails: toTest('fails', 'throw new Error("as it should");'),
  'fails-with-server': `import { createServer } from 'node:net';
${toTest('fails with a server', 'createServer().listen(0, "127.0.0.1"); throw new Error("as it should");')}`,
  'leaves-server': `import { createServer } from 'node:net';
${toTest('leaves a server', 'createServer().listen(0, "127.0.0.1");')}`,
  'leaves-child': `${CHILD}${toTest('leaves a child', '')}`,
  'never-loads': `${KEEP_OPEN}; await new Promise(() => {});\n${toTest('never begins', '')}`,
  'never-ends': toTest('never ends', `${KEEP_OPEN}; await new Promise(() => {});`),
  // As an endless loop does, but without taking a core from other tests.
  blocks: toTest('blocks', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);'),
};

function toTest(name: string, body: string): string {
  return `import { test } from 'node:test';\ntest(${JSON.stringify(name)}, async () => { ${body} });\n`;
}

/** Silence that means a hang: far longer than a process takes to start, also on a busy machine. */
function findLimitMs(): number {
  const startMs = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return Math.ceil(Math.max(4, (100 * (performance.now() - startMs)) / 1_000)) * 1_000;
}

async function runTests(folder: string, limitMs: number) {
  // A test run within a test would otherwise take itself for a part of that one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const script = resolve('scripts/test.ts');
  const child = spawn(
    process.execPath,
    [script, '--test-ms', String(limitMs), '--idle-ms', String(limitMs)],
    {
      cwd: folder,
      env,
    },
  );
  const [stdout, stderr, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ]);
  return { status, stdout, stderr };
}

test('files that hang are ended and named, and the run fails', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'swath-hung-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(FILES)) {
    const under = join(folder, name === 'passes' ? 'src' : 'test/service');
    mkdirSync(under, { recursive: true });
    writeFileSync(join(under, `${name}.test.ts`), content);
  }
  const limitMs = findLimitMs();
  const { status, stdout, stderr } = await runTests(folder, limitMs);
  const silent = `silent for ${limitMs / 1_000} s`;
  // Before its first test a process may take as long as for a test, and for its hooks.
  const silentBefore = `silent for ${(2 * limitMs) / 1_000} s`;
  assert.equal(status, 1);
  const ended = stderr.trim().split('\n').sort();
  // Whether the report of its beginning got out before the thread was blocked is a matter of chance.
  const blocks = ended.find((line) => line.startsWith('test/service/blocks.test.ts was ended: silent for '));
  assert.deepEqual(ended, [
    blocks ?? 'test/service/blocks.test.ts was ended: …',
    `test/service/fails-with-server.test.ts was ended: ${silent} after "fails with a server" of test/service/fails-with-server.test.ts.`,
    `test/service/leaves-child.test.ts was ended: ${silent} after "leaves a child" of test/service/leaves-child.test.ts.`,
    `test/service/leaves-server.test.ts was ended: ${silent} after "leaves a server" of test/service/leaves-server.test.ts.`,
    `test/service/never-ends.test.ts was ended: ${silent} after "never ends" of test/service/never-ends.test.ts.`,
    `test/service/never-loads.test.ts was ended: ${silentBefore} before its first test.`,
  ]);
  for (const mark of ['✔ passes', '✖ fails', '✖ fails with a server', '✖ never ends']) {
    assert.ok(stdout.includes(mark), `${mark} is not in\n${stdout}`);
  }
  const childPid = Number(readFileSync(join(folder, 'child.pid'), 'utf8'));
  await waitFor(() => !isAlive(childPid));
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
