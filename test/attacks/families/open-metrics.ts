import type { AttackContext, Family, Sight } from '../attack.ts';
import { judge } from '../attack.ts';
import { ask } from '../polite.ts';

/** What an outsider learns of the service. */
export const openMetrics: Family = {
  name: 'metrics',
  attacks: [
    {
      name: 'metrics on loopback',
      severity: 'low',
      does: 'GET /metrics without a key, of a server that listens on 127.0.0.1',
      limit: 'open on loopback',
      isQuick: true,
      async run({ server }) {
        const { status } = await ask(server, '/metrics');
        return judge(`${status}`, { open: status === 200 });
      },
    },
    {
      name: 'metrics on all addresses',
      severity: 'medium',
      does: 'GET /metrics without a key and with one, of a server that listens on 0.0.0.0',
      limit: 'a key, or a setting that opens it',
      run: runOnAll,
    },
  ],
};

async function runOnAll({ start, keys }: AttackContext): Promise<Sight> {
  const server = await start({ env: { SWATH_HOST: '0.0.0.0' } });
  const without = await ask(server, '/metrics');
  const wrong = await ask(server, '/metrics', { key: 'made-up' });
  const withKey = await ask(server, '/metrics', { key: keys.marked });
  return judge(`without a key ${without.status}, a wrong one ${wrong.status}, with a key ${withKey.status}`, {
    'closed without a key':
      [401, 403, 404].includes(without.status) && [401, 403, 404].includes(wrong.status),
    'open with one': withKey.status === 200,
  });
}
