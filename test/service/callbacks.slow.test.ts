import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { waitFor, whenHolds } from '../../src/testing/wait-for.ts';
import { DEMO_SCENE, makeDemoData } from '../support/demo-data.ts';
import type { RunningSwath } from '../support/start-swath.ts';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath } from '../support/start-swath.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const received: Received[] = [];
/** Statuses that the receiver answers next; 200 after them. */
const statuses: number[] = [];
const receiver = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (part: string) => {
    body += part;
  });
  request.on('end', () => {
    received.push({ headers: request.headers, body });
    response.writeHead(statuses.shift() ?? 200).end();
  });
});

const folder = mkdtempSync(join(tmpdir(), 'swath-callbacks-'));
let [dataDir, hook] = ['', ''];
let swath: RunningSwath;

before(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  hook = `http://127.0.0.1:${port}/hook?token=hidden-in-the-query`;
  dataDir = await makeDemoData();
  const env = { SWATH_CALLBACK_HOSTS: `127.0.0.1:${port} 127.0.0.0/8`, SWATH_CALLBACK_RETRY_MS: '10' };
  swath = await startSwath({ dataDir, env: { ...env, ...ONE_THREAD } });
});
after(async () => {
  await swath?.stop();
  receiver.closeAllConnections();
  receiver.close();
  for (const path of [folder, dataDir]) rmSync(path, { recursive: true, force: true });
});

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${swath.url}${path}`, { redirect: 'manual', ...init, headers: { 'x-api-key': SERVICE_KEY } });

type Body = Readonly<Record<string, unknown>>;
const poll = async (path: string): Promise<Body> => (await (await ask(path)).json()) as Body;

/** Orders a small file, and waits until its callback has arrived. */
async function orderAndWait(address: string) {
  const params = { view_id: DEMO_SCENE.viewId, bm_type: 'NDVI', bbox: [-122.41, 48.22, -122.4, 48.225] };
  const body = JSON.stringify({ type: 'bandmath', callback_url: hook, params });
  const response = await ask(address, { method: 'POST', body });
  const { task_id: id } = (await response.json()) as { task_id: string };
  assert.equal(response.status, 202);
  const readState = async () => (await poll(`/api/${id}`)).callback as Body & { state: string };
  await waitFor(async () => (await readState()).state === 'delivered');
  const messages = received.filter(({ headers }) => headers['x-swath-task'] === id);
  return { id, messages, callback: await readState() };
}

const rotate = async (id = 'configured'): Promise<string> => {
  const { status, stdout, stderr } = await runSwath(['keys', 'rotate-callback-secret', id], {
    SWATH_DATA: dataDir,
  });
  assert.equal(status, 0, stderr);
  return stdout.trim();
};

/** A block of code of the page. */
function readExample(language: string): string {
  const [, code] =
    new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(readFileSync('docs/use/callbacks.md', 'utf8')) ??
    [];
  return code ?? assert.fail(`docs/use/callbacks.md has no ${language}`);
}

type Check = (body: string, signature: string, secret: string) => boolean;

async function loadNodeExample(): Promise<Check> {
  const path = join(folder, 'example.mjs');
  writeFileSync(path, readExample('js'));
  return ((await import(pathToFileURL(path).href)) as { isFromSwath: Check }).isFromSwath;
}

const hasPython = ((): boolean => {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

function loadPythonExample(): Check {
  const path = join(folder, 'example.py');
  const call = 'print(is_from_swath(sys.argv[1].encode(), sys.argv[2], sys.argv[3]))';
  writeFileSync(path, `${readExample('python')}\n\nimport sys\n${call}\n`);
  return (...words) => execFileSync('python3', [path, ...words], { encoding: 'utf8' }).trim() === 'True';
}

test('callbacks of both addresses match their polls, signed so that the documented examples accept them', async () => {
  const secret = await rotate();
  const checks = [await loadNodeExample(), ...(hasPython ? [loadPythonExample()] : [])];
  for (const address of ['/api', '/api/gdw/api']) {
    const { id, messages, callback } = await orderAndWait(address);
    const [{ headers, body } = assert.fail('nothing came')] = messages;
    assert.equal(messages.length, 1);
    assert.deepEqual([callback.attempts, callback.last_status, callback.last_error], [1, 200, null]);
    const message = JSON.parse(body) as Body;
    const { callback: _state, result_url: link, ...polled } = await poll(`${address}/${id}`);
    const { result_url: told, ...rest } = message;
    assert.deepEqual(rest, polled);
    // Each link has a time of its own, and both lead to the file without a key.
    assert.equal(new URL(String(told)).pathname, new URL(String(link)).pathname);
    assert.equal((await fetch(String(told))).headers.get('content-type'), 'image/tiff');
    const signature = String(headers['x-swath-signature']);
    for (const check of checks) {
      assert.equal(check(body, signature, secret), true);
      assert.equal(check(`${body} `, signature, secret), false);
      assert.equal(check(body, signature, 'cbs.another'), false);
      assert.equal(check(body, 'sha256=', secret), false);
    }
    assert.match(String(headers['user-agent']), /^swath\/\d/);
  }
});

test('a rotated secret signs the next message; a new key has its own, which is shown', async () => {
  const isFromSwath = await loadNodeExample();
  const [first, second] = [await rotate(), await rotate()];
  const { messages } = await orderAndWait('/api');
  const [{ headers, body } = assert.fail('nothing came')] = messages;
  const signature = String(headers['x-swath-signature']);
  assert.deepEqual(
    [isFromSwath(body, signature, first), isFromSwath(body, signature, second)],
    [false, true],
  );
  const made = await runSwath(['keys', 'create', '--label', 'x'], { SWATH_DATA: dataDir });
  assert.match(made.stdout, /^apk\.[0-9a-f]{64}\n$/);
  assert.match(made.stderr, /shown only this once: cbs\.[0-9a-f]{64}\n$/);
});

test('errors are retried; commands, metrics and the log show it without the query of the address', async () => {
  statuses.push(500, 503);
  const { id, messages, callback } = await orderAndWait('/api');
  assert.equal(messages.length, 3);
  assert.deepEqual([callback.attempts, callback.last_status], [3, 200]);
  const listed = await runSwath(['callbacks', 'list', '--state', 'delivered', '--json'], {
    SWATH_DATA: dataDir,
  });
  const mine = (JSON.parse(listed.stdout) as { taskId: string; attempts: number; url: string }[]).find(
    ({ taskId }) => taskId === id,
  );
  assert.deepEqual([mine?.attempts, mine?.url.endsWith('/hook?…')], [3, true]);
  const retried = await runSwath(['callbacks', 'retry', id], { SWATH_DATA: dataDir });
  assert.equal(retried.status, 0, retried.stderr);
  await waitFor(() => received.filter(({ headers }) => headers['x-swath-task'] === id).length === 4);
  // It is counted when the answer of the receiver has come back.
  await whenHolds(async () => {
    const metrics = await (await ask('/metrics')).text();
    assert.match(metrics, /^swath_callbacks_total\{end="retried"\} 2$/m);
    assert.match(metrics, /^swath_callbacks_total\{end="delivered"\} \d+$/m);
  });
  await swath.printed(/an attempt at a callback failed/);
  assert.doesNotMatch(swath.output() + listed.stdout, /hidden-in-the-query/);
});
