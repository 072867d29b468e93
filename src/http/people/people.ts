/** `/api/people`: administrators see who signs in, and decide what they may do. */
import { isObject } from '../../json.ts';
import { ROLES } from '../../keys/index.ts';
import type { People } from '../../sign-in/index.ts';
import { badInput } from '../errors.ts';
import { answerLongJson, listEach } from '../kit/answer-bodies.ts';
import { Answer } from '../kit/answers.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { choice, defineFields, flag, toObjectSchema } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import { noStore } from '../tasks/task.ts';
import { needKey } from './account.ts';

/** What these endpoints need. */
export interface PeopleDeps {
  readonly people: Pick<People, 'find' | 'list' | 'change'>;
}

const BODY_BYTES = 4_096;

const fields = defineFields({
  role: choice({
    description: 'What the person may do; unchanged by default.',
    names: ROLES,
    fallback: null,
  }),
  blocked: flag({
    description: 'Whether sessions and keys of the person end; unchanged by default.',
    fallback: null,
  }),
});

/** `GET /api/people`. */
export const listPeople = ({ people }: PeopleDeps): Endpoint => ({
  summary: 'List people',
  description: 'Everyone who has signed in, in the order of their first time.',
  tag: 'Service',
  answers: {
    200: {
      description: 'The people.',
      content: {
        'application/json': json.object({
          people: json.list(
            json.object({
              id: json.string({ description: 'Also the id of their key, under which they store things.' }),
              email: json.nullable(json.string()),
              name: json.nullable(json.string()),
              role: json.choice(ROLES),
              blocked: json.boolean(),
              created_at: json.string(),
              seen_at: json.string({ description: 'Their last sign-in.' }),
            }),
          ),
        }),
      },
    },
  },
  async handle() {
    const all = listEach(await people.list(), (person) => ({
      id: person.keyId,
      email: person.email,
      name: person.name,
      role: person.role,
      blocked: person.isBlocked,
      created_at: person.createdAt,
      seen_at: person.seenAt,
    }));
    return answerLongJson({ people: all }, { headers: noStore });
  },
});

/** `PATCH /api/people/:person_id`. */
export const changePerson = ({ people }: PeopleDeps): Endpoint => ({
  summary: 'Change what a person may do',
  tag: 'Service',
  params: { person_id: { description: 'The id of a person.', schema: json.string(), example: '1f0c9a2b' } },
  body: {
    description: 'What changes.',
    schema: toObjectSchema(fields),
    example: { role: 'order' },
  },
  answers: {
    204: { description: 'It is changed, for requests in progress elsewhere within a few seconds.' },
    400: { description: 'The body is malformed, or it is about yourself (own-role).' },
    404: { description: 'No such person (unknown-person).' },
    409: { description: 'Roles come from the sign-in provider (roles-from-provider).' },
  },
  async handle(request) {
    const key = needKey(request);
    const body = await request.readJson(BODY_BYTES);
    if (!isObject(body)) throw badInput('bad-body', 'The body must be an object with role or blocked.');
    const [role, isBlocked] = [fields.role.read(body), fields.blocked.read(body)];
    await people.change(
      request.params.person_id ?? '',
      { ...(role === null ? {} : { role }), ...(isBlocked === null ? {} : { isBlocked }) },
      key.parent ?? key.id,
    );
    return new Answer(null, { status: 204, headers: noStore });
  },
});
