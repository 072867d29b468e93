/**
 * The tarball as a stranger gets it: packed, installed in an empty folder with its dependencies alone, started. The
 * dependencies come from npm's cache or registry, as those of the checkout did.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildPackage } from '../../scripts/build-package.ts';
import { waitFor } from '../../src/testing/wait-for.ts';

// Reads: src world bin web/dist kernels/dist docs package.json README.md

/** The limit of what is unpacked, without dependencies. */
const MOST_BYTES = 40e6;
const KEY = 'a-key-for-the-package';

const work = mkdtempSync(join(tmpdir(), 'swath-package-'));
after(() => rmSync(work, { recursive: true, force: true }));
const home = join(work, 'empty');
const installed = join(home, 'node_modules', 'swath');
/** Without settings and npm's own variables, of the checkout that runs this test. */
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(SWATH|npm)_/i.test(name))),
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
};

before(async () => {
  const folder = await buildPackage(join(work, 'package'));
  mkdirSync(home);
  const run = (args: readonly string[], cwd: string): string =>
    execFileSync('npm', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const [{ filename }] = JSON.parse(run(['pack', '--json', folder], work));
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }');
  run(['install', '--prefer-offline', '--no-audit', '--no-fund', join(work, filename)], home);
});

test('it holds what runs and no more', () => {
  const files = globSync('**/*', { cwd: installed, exclude: ['node_modules/**'] });
  const bytes = files.reduce((sum, name) => sum + statSync(join(installed, name)).size, 0);
  assert.ok(bytes < MOST_BYTES, `${bytes} bytes`);
  assert.deepEqual(
    files.filter((name) => /\.test\.|[/\\]testing[/\\]|\.ts$/.test(name) && !name.endsWith('.d.ts')),
    [],
  );
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  assert.equal(manifest.devDependencies, undefined);
  assert.equal(manifest.scripts, undefined, 'nothing is run by an install');
  for (const name of ['esbuild', 'typescript', 'assemblyscript', 'maplibre-gl'])
    assert.ok(!existsSync(join(home, 'node_modules', name)), `${name} is for the checkout only`);
});

/** What a program does with the client of the package. */
const CLIENT_PROGRAM = `
import type { Scene, Task } from 'swath/client';
import { makeClient, SwathError } from 'swath/client';
const [url = '', key = ''] = process.argv.slice(2);
const swath = makeClient({ url, key });
const { scenes } = await swath.searchScenes('sentinel2l2a', { to: '2026-06-30', limit: 1 });
const { viewId } = scenes[0] as Scene;
const value = await swath.readPoint(viewId, 'NDVI', { lat: 48.22, lon: -122.41 });
const bbox = [-122.41, 48.21, -122.40, 48.22];
const id = await swath.createTask({ type: 'bandmath', params: { view_id: viewId, bm_type: 'NDVI', bbox } });
const task = (await swath.followTask(id)) as Task;
const file = await swath.readFile(task.href ?? '');
const refused = await swath.readPoint('S2L2A/1/A/AA/2026/1/1/0', 'NDVI', { lat: 0, lon: 0 }).catch((error: unknown) => error);
console.log(viewId, value, file.headers.get('content-type'), (await file.bytes()).length, 'bytes,', (refused as SwathError).code);
`;

test('"npx swath serve" draws a tile of the demo world, serves the viewer and its reference', async (t) => {
  const child = spawn('npx', ['--no-install', 'swath', 'serve'], {
    cwd: home,
    env: { ...env, SWATH_PORT: '0', SWATH_API_KEY: KEY, SWATH_THREADS: '1', SWATH_LOG: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  t.after(() => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // It has ended.
    }
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await waitFor(() => text.includes('Ctrl-C') || child.exitCode !== null);
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? assert.fail(text);
  assert.match(text, /"npx swath keys create"/, 'it names its own commands');
  const tile = `${url}/api/render/S2L2A/10/U/EU/2026/6/21/1/B04,B03,B02/14/2621/5680`;
  const get = (address: string) => fetch(address, { headers: { 'x-api-key': KEY } });
  await waitFor(async () => (await get(tile)).status === 200, undefined, 500);
  const drawn = await get(tile);
  assert.match(drawn.headers.get('content-type') ?? '', /^image\//);
  assert.ok((await drawn.bytes()).length > 3_000);
  const page = await (await get(`${url}/`)).text();
  const script = /assets\/main-[\w-]+\.js/.exec(page)?.[0] ?? assert.fail(page);
  assert.equal((await get(`${url}/${script}`)).status, 200);
  assert.equal((await get(`${url}/docs`)).status, 200);
  writeFileSync(join(home, 'client.ts'), CLIENT_PROGRAM);
  const used = execFileSync(process.execPath, ['client.ts', url, KEY], { cwd: home, env, encoding: 'utf8' });
  assert.match(
    used,
    /^S2L2A\/10\/U\/EU\/2026\/6\/21\/1 0\.\d+ image\/tiff[^ ]* \d{3,} bytes, unknown-scene$/m,
  );
  process.kill(-child.pid!, 'SIGTERM');
  await waitFor(() => child.exitCode !== null || child.signalCode !== null);
  assert.ok(existsSync(join(home, 'data')), 'its data lies where it was started');
});

test('programs import what is public, with types, and nothing else', () => {
  const program = `
    import { makeClient } from 'swath/client';
    import { interpretTree, listFunctions, parseExpressions } from 'swath/bandmath';
    const names: string[] = listFunctions().map(({ name }) => name);
    console.log(names.includes('where'), typeof parseExpressions, typeof interpretTree, typeof makeClient);
  `;
  writeFileSync(join(home, 'program.ts'), program);
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024'];
  const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc');
  const types = ['--types', 'node', '--typeRoots', join(import.meta.dirname, '../../node_modules/@types')];
  execFileSync(tsc, [...options, ...types, 'program.ts', 'client.ts'], { cwd: home, env, encoding: 'utf8' });
  const output = execFileSync(process.execPath, ['program.ts'], { cwd: home, env, encoding: 'utf8' });
  assert.equal(output.trim(), 'true function function function');
  const inside = `import('swath/bin/dist/main.js').then(() => process.exit(1), ({ code }) => console.log(code))`;
  const refused = execFileSync(process.execPath, ['-e', inside], { cwd: home, env, encoding: 'utf8' });
  assert.equal(refused.trim(), 'ERR_PACKAGE_PATH_NOT_EXPORTED');
});
