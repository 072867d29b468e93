import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { HANG_MS, waitFor } from '../../src/testing/wait-for.ts';
import type { RunningSwath } from './start-swath.ts';
import { SERVICE_KEY } from './start-swath.ts';

/** Fifty polls a second take as much of the processor as the work that they wait for leaves to others. */
const PATIENTLY = [HANG_MS, 100] as const;

/** Orders tasks of a running service and follows them. */
export function makeTaskClient({ url }: Pick<RunningSwath, 'url'>) {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, url), { redirect: 'manual', ...init, headers: { 'x-api-key': SERVICE_KEY } });
  const poll = async (id: string) => (await (await ask(`/api/${id}`)).json()) as Record<string, unknown>;
  const waitForProgress = (id: string) => waitFor(async () => Number((await poll(id)).progress) > 0);
  return {
    ask,
    poll,
    waitForProgress,
    /** Orders a file; its id. */
    async order(body: unknown): Promise<string> {
      const response = await ask('/api', { method: 'POST', body: JSON.stringify(body) });
      assert.equal(response.status, 202, await response.clone().text());
      return ((await response.json()) as { task_id: string }).task_id;
    },
    /** Waits for the end of a task, and reads its file: name and digest. */
    async readFile(id: string): Promise<{ readonly name: string; readonly digest: string }> {
      let link = '';
      await waitFor(
        async () => {
          const response = await ask(`/api/${id}`);
          const { task_type: type, error_message: why } = (await response.json()) as Record<string, unknown>;
          assert.notEqual(type, 'error', String(why));
          link = response.status === 303 ? (response.headers.get('location') ?? '') : '';
          return link !== '';
        },
        ...PATIENTLY,
      );
      const file = await ask(link);
      assert.equal(file.status, 200);
      const bytes = new Uint8Array(await file.arrayBuffer());
      const name = decodeURIComponent(new URL(link).pathname.split('/').at(-1) ?? '');
      return { name, digest: createHash('sha256').update(bytes).digest('hex') };
    },
  };
}

/** Whether a data directory has files of tasks that are being made. */
export function isStaged(dataDir: string): boolean {
  const staging = join(dataDir, 'results', 'staging');
  return existsSync(staging) && readdirSync(staging).length > 0;
}
