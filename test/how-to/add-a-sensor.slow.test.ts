/** Follows docs/develop/add-a-sensor.md to the letter, in a copy of the project, so that the guide cannot go stale. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { followGuide, readGuideSteps } from '../support/guide-steps.ts';

const GUIDE = 'docs/develop/add-a-sensor.md';
const guide = readFileSync(GUIDE, 'utf8');
const steps = readGuideSteps(guide);
const paths = [...new Set(steps.map(({ path }) => path))];

/** A copy of the project in which the steps of the guide are done. */
const copy = mkdtempSync(join(tmpdir(), 'swath-add-a-sensor-'));
after(() => rmSync(copy, { recursive: true, force: true }));

/** What the copy does without: large, of other tools, or of a server that runs here. */
const LEFT_OUT = ['.git', '.ci', 'node_modules', 'data', 'reports', 'docs/images'];

before(() => {
  cpSync('.', copy, { recursive: true, filter: (path) => !LEFT_OUT.includes(path) });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  followGuide(steps, copy);
});

/** Runs a command in the copy to its end. */
async function runToEnd(command: string, args: readonly string[]) {
  const path = `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH}`;
  const env: NodeJS.ProcessEnv = { ...process.env, PATH: path };
  // A test runner that finds it reports to ours instead of printing.
  delete env.NODE_TEST_CONTEXT;
  // The full size of properties is tried outside of the copy.
  delete env.TEST_SIZE;
  const child = spawn(command, args, { cwd: copy, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      output += part;
    });
  const status = await new Promise<number | null>((done) => child.on('close', done));
  return { status, output };
}

/** Runs a command in the copy and returns its output; that of a command that fails is the message. */
async function run(command: string, args: readonly string[]): Promise<string> {
  const { status, output } = await runToEnd(command, args);
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${output}`);
  return output;
}

/** The arguments of a command that the guide shows. */
function readCommand(name: string): readonly string[] {
  const start = `npm run ${name} -- `;
  const line = guide.split('\n').find((one) => one.startsWith(start));
  assert.ok(line !== undefined, `${GUIDE} does not show ${start}`);
  return line.slice(start.length).split(' ');
}

test('two new files and lines in two tables are all that changes of the product', () => {
  const isOfTests = (path: string) => /\.test\.ts$|\/testing\/|^test\//.test(path);
  const named = (kind: string) =>
    new Set(steps.filter((step) => step.kind === kind && !isOfTests(step.path)).map(({ path }) => path));
  assert.deepEqual([...named('create')], ['src/sensors/kestrel.ts', 'src/ingest/families/kestrel.ts']);
  assert.deepEqual(
    [...named('change')],
    ['src/sensors/all-sensors.ts', 'src/ingest/families/all-families.ts'],
  );
});

test('every file that the guide names exists, or is made by it', () => {
  const named = [...guide.matchAll(/`((?:src|test|world)\/[\w./-]+)`/g)].map(([, path = '']) => path);
  assert.ok(named.length >= 20, `${named.length} files`);
  for (const path of named) assert.ok(existsSync(join(copy, path)), path);
});

test('the code of the guide passes the static checks', async () => {
  const tsconfig = { extends: './tsconfig.json', include: ['src/**/*.d.ts'], files: paths };
  writeFileSync(join(copy, 'tsconfig.guide.json'), JSON.stringify(tsconfig));
  await run('tsc', ['-p', 'tsconfig.guide.json']);
  await run('biome', ['check', ...paths]);
  // What it finds elsewhere is not the guide's: the copy lacks some files.
  const { output } = await runToEnd('knip', []);
  for (const path of paths) assert.ok(!output.includes(path), output);
});

test('the tests that the guide names pass, and those of the new sensor are among them', async () => {
  const words = readCommand('test:only');
  const output = await run('node', ['scripts/test.ts', ...words]);
  const made = steps.filter(({ path, kind }) => kind === 'create' && path.endsWith('.test.ts'));
  assert.equal(made.length, 2);
  const titles = made.flatMap(({ text }) =>
    [...text.matchAll(/^test\('(.*?)',/gm)].map(([, title = '']) => title),
  );
  assert.ok(titles.length >= 5, `${titles.length} tests`);
  for (const title of titles) assert.ok(output.includes(`✔ ${title}`), `${title}\n${output}`);
  // The other tests that the guide changes are of these too.
  for (const path of paths.filter((one) => one.endsWith('.test.ts')))
    assert.ok(
      words.some((word) => path.includes(word)),
      path,
    );
});

test('the fuzzer that the guide names reads the metadata of the new sensor', async () => {
  const [, target = ''] = /--targets (\S+)/.exec(readCommand('fuzz').join(' ')) ?? [];
  assert.match(
    await run('node', ['test/fuzz/run.ts', '--minutes', '0.02', '--seed', '1', '--targets', target]),
    /tile-info +\d+ runs.*0 findings/,
  );
});
