/** `GET /api/account`: who is asking, and what they may do. */

import type { KeyRecord } from '../../keys/index.ts';
import { ROLES } from '../../keys/index.ts';
import type { People } from '../../sign-in/index.ts';
import { notAllowed } from '../errors.ts';
import { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import { noStore } from '../tasks/task.ts';

/** The people of the service; they are found even while sign-in is not set up, so that they keep what they own. */
export interface AccountDeps {
  readonly people: Pick<People, 'find'>;
}

/** The key of a request, which every route with a role has. */
export function needKey({ key }: ApiRequest): KeyRecord {
  if (key === null) throw notAllowed('no-key', 'A key is needed.');
  return key;
}

const person = json.object({ email: json.nullable(json.string()), name: json.nullable(json.string()) });

/** Builds the endpoint. */
export const account = ({ people }: AccountDeps): Endpoint => ({
  summary: 'Who is asking',
  tag: 'Service',
  answers: {
    200: {
      description: 'The key or the person of the request, and its role.',
      content: {
        'application/json': json.object({
          key: json.string({ description: 'The id of the key, under which things are stored and counted.' }),
          label: json.string(),
          role: json.choice(ROLES),
          expires_at: json.nullable(json.string()),
          person: json.nullable(person, { description: 'Who has signed in; null for the key of a program.' }),
        }),
      },
    },
  },
  async handle(request) {
    const key = needKey(request);
    const found = await people.find(key.id);
    return Answer.json(
      {
        key: key.id,
        label: key.label,
        role: key.role,
        expires_at: key.expiresAt,
        person: found === null ? null : { email: found.email, name: found.name },
      },
      { headers: noStore },
    );
  },
});
