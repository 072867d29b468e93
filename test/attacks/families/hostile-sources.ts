import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEMO_SCENE } from '../../support/demo-data.ts';
import { runSwath } from '../../support/start-swath.ts';
import type { Attack, AttackContext, Family, Sight } from '../attack.ts';
import { judge, skip } from '../attack.ts';

/** Files and stores that scenes come from, and what is around an ingest of them. */
export const hostileSources: Family = {
  name: 'hostile sources',
  attacks: [
    {
      name: 'a chain of folders',
      severity: 'low',
      does: 'a chain of 120 folders lies beside a product, and the folder above both is ingested',
      limit: 'folders that lie too deep are skipped and reported, the product is taken',
      run: runDeepFolders,
    },
    toTestAttack('../../service/private-files.test.ts', {
      name: 'credentials in an address',
      severity: 'low',
      does: 'addresses with passwords, signatures and keys in them are ingested and fail',
      limit: 'reports, messages and logs show addresses without them',
      only: 'credentials',
    }),
    toTestAttack('../../service/kill-ingest.test.ts', {
      name: 'kill -9 during an ingest',
      severity: 'medium',
      does: 'an ingest of 130 products is killed at random moments, three times',
      limit: 'every record in the catalog is whole, and another run completes it',
    }),
    toTestAttack('../../faults/storage/hostile-stores.test.ts', {
      name: 'stores that lead elsewhere',
      severity: 'high',
      does: 'redirects to private addresses, files and clouds, names that change to a private address between reads, certificates that are wrong',
      limit: 'SWATH_SOURCES: nothing else is connected to; 502',
    }),
    toTestAttack('../../service/clock-jumps.test.ts', {
      name: 'clock jumps',
      severity: 'medium',
      does: 'the wall clock of a running server is set forward and back by an hour',
      limit: 'keys end by the wall clock; rates and time-outs do not move',
    }),
  ],
};

async function runDeepFolders({ server, defer }: AttackContext): Promise<Sight> {
  const root = mkdtempSync(join(tmpdir(), 'swath-deep-'));
  defer(() => rmSync(root, { recursive: true, force: true }));
  cpSync(join(server.dataDir, DEMO_SCENE.folder), join(root, basename(DEMO_SCENE.folder)), {
    recursive: true,
  });
  mkdirSync(join(root, ...Array<string>(120).fill('down')), { recursive: true });
  const env = { SWATH_DATA: join(root, 'data'), SWATH_SOURCES: root };
  const { stdout, stderr } = await runSwath(['ingest', 'folder', root], env);
  const { stdout: scenes } = await runSwath(['scenes', 'list'], env);
  const said = `${stdout}${stderr}`;
  return judge(said.trim().split('\n').slice(-3).join('; ').slice(0, 240), {
    'the product is taken': scenes.includes(DEMO_SCENE.viewId),
    'the folder is reported': /deep|levels/.test(said),
  });
}

/** An attack that a test of `npm test` makes on programs of its own: run here too, so that one call shows all of them. */
function toTestAttack(
  file: string,
  { only, ...attack }: Omit<Attack, 'run'> & { readonly only?: string },
): Attack {
  return {
    ...attack,
    async run() {
      const path = fileURLToPath(new URL(file, import.meta.url));
      const pattern = only === undefined ? [] : [`--test-name-pattern=${only}`];
      const text = await runTests([...pattern, path]);
      const count = (what: string): number =>
        Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
      const [passed, failed, skipped] = [count('pass'), count('fail'), count('skipped')];
      if (passed + failed === 0) skip(/# SKIP (.*)$/m.exec(text)?.[1] ?? 'the test does not run here');
      const saw = `${passed} tests pass, ${failed} fail, ${skipped} skipped`;
      return judge(saw, { 'all pass': failed === 0 });
    },
  };
}

function runTests(args: readonly string[]): Promise<string> {
  // A test within a test run would otherwise take itself for a part of that one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--test', '--test-reporter=tap', ...args], { env });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return new Promise((resolve) => child.on('close', () => resolve(text)));
}
