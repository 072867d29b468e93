import { badInput } from '../../errors.ts';
import type { Query } from '../request/query.ts';

/**
 * The key that a request carries, empty for none. The front door and the check of keys both read it here: a key
 * that one of them saw and the other did not would count for no one. Existing clients send it in the query, in the
 * header `x-api-key`, or in both; an empty one counts as absent.
 */
export function readCallerKey(query: Query, header: string | null | undefined): string {
  const inQuery = query.get('api_key') ?? '';
  const inHeader = header ?? '';
  if (inQuery !== '' && inHeader !== '' && inQuery !== inHeader) {
    throw badInput('two-keys', 'The api_key parameter and the x-api-key header hold different keys.');
  }
  return inQuery || inHeader;
}
