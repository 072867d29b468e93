import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DEMO_SCENE } from '../../support/demo-data.ts';
import { runSwath } from '../../support/start-swath.ts';
import type { AttackContext, Family, Sight } from '../attack.ts';
import { judge } from '../attack.ts';
import { toTestAttack } from '../test-attack.ts';

/** Files and stores that scenes come from, and what is around an ingest of them. */
export const hostileSources: Family = {
  name: 'hostile sources',
  attacks: [
    {
      name: 'a chain of folders',
      severity: 'low',
      does: 'a chain of 120 nested folders is next to a product, and the folder above both is ingested',
      limit: 'folders nested too deeply are skipped and reported, the product is ingested',
      run: runDeepFolders,
    },
    toTestAttack('../service/private-files.slow.test.ts', {
      name: 'credentials in an address',
      severity: 'low',
      does: 'addresses with passwords, signatures and keys in them are ingested and fail',
      limit: 'reports, messages and logs show addresses without them',
      only: 'credentials',
    }),
    toTestAttack('../service/kill-ingest.slow.test.ts', {
      name: 'kill -9 during an ingest',
      severity: 'medium',
      does: 'an ingest of 130 products is killed at random moments, three times',
      limit: 'every record in the catalog is complete, and another run adds the rest',
    }),
    toTestAttack('../faults/storage/hostile-stores.slow.test.ts', {
      name: 'stores that lead elsewhere',
      severity: 'high',
      does: 'redirects to private addresses, files and clouds, names that change to a private address between reads, invalid certificates',
      limit: 'SWATH_SOURCES: no connection to anything else; 502',
    }),
    toTestAttack('../service/damaged-dem.slow.test.ts', {
      name: 'damaged elevation files',
      severity: 'medium',
      does: 'files with a damaged block are ingested among whole ones',
      limit: 'each is named and left out, the others are whole, and another run repairs',
    }),
    toTestAttack('../../src/formats/hdf5/hostile-files.slow.test.ts', {
      name: 'rings of groups in HDF5',
      severity: 'medium',
      does: 'small files whose groups, links and attributes lead to each other without end are opened',
      limit: 'groups, links, variables and attributes are counted: refused after a bounded number of steps',
    }),
    toTestAttack('../service/clock-jumps.slow.test.ts', {
      name: 'clock jumps',
      severity: 'medium',
      does: 'the wall clock of a running server is set forward and back by an hour',
      limit: 'keys expire by the wall clock; rates and timeouts are unaffected',
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
