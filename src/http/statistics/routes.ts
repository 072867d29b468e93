import type { Route } from '../kit/endpoint.ts';
import type { TaskDeps } from '../tasks/task.ts';
import { readStatisticsNow } from './statistics.ts';

/** Statistics without polling. */
export const statisticsRoutes = (deps: TaskDeps): readonly Route[] => [
  {
    access: 'write',
    door: 'free',
    lane: 'tile',
    answersWhileDraining: false,
    method: 'POST',
    path: '/api/statistics',
    cost: 20,
    endpoint: readStatisticsNow(deps),
  },
];
