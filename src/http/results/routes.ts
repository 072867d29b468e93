import type { Admission, Route } from '../kit/endpoint.ts';
import type { ResultDeps } from './result.ts';
import { taskResult } from './result.ts';

/** The link is the permission. Passing a file on takes no slot from renders. */
const linked: Admission = { access: 'open', door: 'free', lane: 'task', answersWhileDraining: false };

/** The files that tasks have made. */
export const resultRoutes = (deps: ResultDeps): readonly Route[] => [
  { ...linked, method: 'GET', path: '/api/results/:id/:file_name', endpoint: taskResult(deps) },
];
