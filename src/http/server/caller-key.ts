import { badInput } from '../../errors.ts';
import type { Query } from '../kit/query.ts';

/**
 * The key that a request carries, empty for none. The front door and the check of keys both read it here: a key
 * that one of them saw and the other did not would count for no one. Existing clients send it in the query, in the
 * header `x-api-key`, or in both; an empty one counts as absent. The name of the parameter may be in any case.
 */
export function readCallerKey(query: Query, header: string | null | undefined): string {
  const inQuery = findKey(query);
  const inHeader = header ?? '';
  if (inQuery !== '' && inHeader !== '' && inQuery !== inHeader) {
    throw badInput('two-keys', 'The api_key parameter and the x-api-key header hold different keys.');
  }
  return inQuery || inHeader;
}

function findKey(query: Query): string {
  const exact = query.get('api_key') ?? '';
  for (const [name, value] of query) {
    if (value === '' || value === exact || !/^api_?key$/i.test(name)) continue;
    if (exact !== '') throw badInput('two-keys', `The parameters api_key and ${name} hold different keys.`);
    return value;
  }
  return exact;
}
