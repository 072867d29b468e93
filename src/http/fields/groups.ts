/** Groups of fields: their list, and how one is shared with others. */
import type { FieldGroup } from '../../fields/index.ts';
import { notFound } from '../errors.ts';
import { answerLongJson, listEach } from '../kit/answer-bodies.ts';
import { Answer } from '../kit/answers.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { defineFields, requiredText, toObjectSchema } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import { defineParameters, text, whole } from '../kit/parameters.ts';
import type { ShareLinks } from '../recipes/public-recipes.ts';
import { changeFields, readTerms } from '../recipes/recipe-fields.ts';
import type { RecipeDeps } from '../recipes/recipes.ts';
import { noStore } from '../tasks/task.ts';
import { groupSchema, toGroupWire } from './field-wire.ts';
import type { FieldDeps } from './fields.ts';
import { toBody } from './fields.ts';

/** What groups are shared with: the links of recipes. */
export interface GroupDeps extends FieldDeps, Pick<RecipeDeps, 'readShareLinks' | 'now'> {}

const MAX_LIMIT = 1_000;

const listParameters = defineParameters({
  limit: whole({
    description: `Groups of a page, 1 to ${MAX_LIMIT}; ${MAX_LIMIT} by default.`,
    min: 1,
    max: MAX_LIMIT,
    fallback: MAX_LIMIT,
  }),
  after: text({ description: 'The last group of the page before.', fallback: null }),
});

/** How shares become tokens; the secret is not needed where nothing is shared. */
const readToToken = async (
  groups: readonly FieldGroup[],
  { readShareLinks }: GroupDeps,
): Promise<ShareLinks['toToken']> =>
  groups.every(({ share }) => share === null) ? () => '' : (await readShareLinks()).toToken;

/** `GET /api/fields/groups`. */
export const listGroups = (deps: GroupDeps): Endpoint => ({
  summary: 'List groups of fields',
  description: 'The groups of the key in the order of their names, with the number of their fields.',
  tag: 'Fields',
  query: listParameters,
  answers: {
    200: {
      description: 'A page of groups.',
      content: {
        'application/json': json.object({
          groups: json.list(groupSchema),
          next: json.nullable(json.string(), {
            description: 'The `after` of the next page; null on the last page.',
          }),
        }),
      },
    },
    400: { description: 'The query is malformed.' },
  },
  async handle({ query, ticket, publicUrl }) {
    const limit = listParameters.limit.read(query);
    const after = listParameters.after.read(query);
    const found = await deps.fields.listGroups(ticket.owner, { after, limit: limit + 1 });
    const page = found.slice(0, limit);
    const toToken = await readToToken(page, deps);
    const groups = listEach(page, (group) => toGroupWire(group, { publicUrl, toToken }));
    const next = found.length > limit ? (page.at(-1)?.group ?? null) : null;
    return answerLongJson({ groups, next }, { headers: noStore });
  },
});

const shareFields = defineFields({
  group: requiredText({ description: 'The group.' }),
  public: changeFields.public,
});

/** `PATCH /api/fields/groups`: shares a group, changes the terms of its link, or ends it. */
export const shareGroup = (deps: GroupDeps): Endpoint => ({
  summary: 'Share a group of fields, or end that',
  description:
    '`public` with terms lets anyone who has the token read the fields of the group, or changes the terms of the token that it has; `public: null` ends the token at once, and the next one is another.',
  tag: 'Fields',
  body: {
    description: 'The group, and the terms.',
    schema: toObjectSchema(shareFields),
    example: { group: 'North farm', public: { expires: '2027-12-31', rate_per_minute: 60 } },
  },
  answers: {
    200: { description: 'The group.', content: { 'application/json': groupSchema } },
    400: { description: 'The body is malformed; the message says how.' },
    404: { description: 'This key has no fields in this group.' },
  },
  async handle({ readJson, ticket: { owner }, publicUrl }) {
    const body = toBody(await readJson());
    const group = shareFields.group.read(body);
    const terms = readTerms(body, deps.now());
    const fields = await deps.fields.count({ owner, group });
    if (fields === 0) throw notFound('no-such-group', 'This key has no fields in this group.');
    const share = await deps.fields.share(owner, group, terms);
    const found = { group, fields, share };
    const toToken = await readToToken([found], deps);
    return Answer.json(toGroupWire(found, { publicUrl, toToken }), { headers: noStore });
  },
});
