import type { AttackContext, Family, Sight } from '../attack.ts';
import { judge } from '../attack.ts';
import { listUnexplained } from '../expected-log.ts';
import { countLeaks } from './secrets.ts';

/** What all attacks together have left in the logs; these run last. */
export const logs: Family = {
  name: 'logs',
  attacks: [
    {
      name: 'the key in any log',
      severity: 'high',
      does: 'looks for the configured key in the output of every server during the attacks before',
      limit: 'no line contains it',
      isQuick: true,
      async run({ printed }: AttackContext): Promise<Sight> {
        const text = printed();
        const leaks = countLeaks(text);
        return judge(`${text.split('\n').length} lines, ${leaks} with the key`, {
          'no line with the key': leaks === 0,
        });
      },
    },
    {
      name: 'unexplained log lines',
      severity: 'medium',
      does: 'checks every log line above info of every server',
      limit: 'each is explained by an attack (expected-log.ts)',
      async run({ printed }: AttackContext): Promise<Sight> {
        const { explained, unexplained } = listUnexplained(printed());
        const seen = unexplained.length === 0 ? '' : `: ${unexplained.slice(0, 5).join('; ')}`;
        return judge(`${explained} explained, ${unexplained.length} not${seen}`, {
          'all explained': unexplained.length === 0,
        });
      },
    },
  ],
};
