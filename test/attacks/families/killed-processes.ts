import type { Family } from '../attack.ts';
import { toTestAttack } from '../test-attack.ts';

/** Processes that die, hang or lose what they need while tasks are under way. `npm run faults` does it for longer. */
export const killedProcesses: Family = {
  name: 'killed processes',
  attacks: [
    toTestAttack('../faults/tasks/kill-loop.test.ts', {
      name: 'kill -9 during tasks',
      severity: 'high',
      does: 'servers and workers are killed at random while clients order, poll, cancel and download',
      limit: 'every acknowledged task ends once, no half and no orphaned files',
    }),
    toTestAttack('../faults/tasks/lost-workers.test.ts', {
      name: 'workers that stop',
      severity: 'high',
      does: 'workers are stopped past their lease and continued, die of a task again and again, or are told to end',
      limit: 'a late result is refused; a task that three workers died of fails; others go on',
    }),
    toTestAttack('../faults/tasks/lost-storage.test.ts', {
      name: 'results without storage',
      severity: 'high',
      does: 'the disk of the results fills up, the database or the bucket goes away while tasks are under way',
      limit: 'tasks fail with the reason or are tried again; what was acknowledged is done when it is back',
    }),
  ],
};
