import type { Admission, Route } from '../kit/endpoint.ts';
import type { SearchDeps } from './search.ts';
import { searchDataset, searchDatasets } from './search.ts';

/** A search reads a body and draws nothing. */
const searched: Admission = { access: 'read', door: 'free', lane: 'tile', answersWhileDraining: false };

/** Finding scenes. */
export const searchRoutes = (deps: SearchDeps): readonly Route[] => [
  { ...searched, method: 'POST', path: '/api/lms/search/v2', cost: 5, endpoint: searchDatasets(deps) },
  {
    ...searched,
    method: 'POST',
    path: '/api/lms/search/v2/:dataset_id',
    cost: 5,
    endpoint: searchDataset(deps),
  },
];
