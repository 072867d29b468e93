/** `GET /api/usage`: what keys use, by day. */
import type { Keys, Quotas, UsageCounter, UsageRow } from '../keys/index.ts';
import { CONFIGURED_KEY_ID, includesRole, toUsageDay } from '../keys/index.ts';
import { DAY_MS } from '../units.ts';
import { badInput, notAllowed, tooLarge } from './errors.ts';
import { toCsv } from './kit/answer-bodies.ts';
import { Answer } from './kit/answers.ts';
import type { ApiRequest, Endpoint } from './kit/endpoint.ts';
import { json } from './kit/json-schema.ts';
import { choice, custom, defineParameters, parseDay, text } from './kit/parameters.ts';
import { noStore } from './tasks/task.ts';

/** What the endpoint needs. */
export interface UsageDeps {
  readonly usage: Pick<UsageCounter, 'list'>;
  readonly quotas: Pick<Quotas, 'find'>;
  readonly keys: Pick<Keys, 'list'>;
  /** The wall clock. */
  readonly nowMs: () => number;
}

/** Days of an answer by default, and at most. */
const DAYS = 30;
const MAX_DAYS = 400;
/** Upper bound of rows in an answer: they take some milliseconds of the main thread. */
const MAX_ROWS = 20_000;

const day = (description: string) =>
  custom({
    description,
    example: '2026-11-18',
    schema: json.string({ format: 'date' }),
    fallback: null,
    rule: 'must be a day such as 2026-11-18.',
    read: parseDay,
  });

const parameters = defineParameters({
  from: day(`First day in UTC; ${DAYS} days up to the last one by default.`),
  to: day('Last day in UTC; today by default.'),
  key: text({
    description:
      'Only the key with this id. The role admin sees all keys; others see their own and those they have made.',
    fallback: null,
  }),
  format: choice({ description: 'json by default.', names: ['json', 'csv'], fallback: 'json' }),
});

const amounts = {
  requests: json.number({ description: 'Answered requests, without those that a limit refused.' }),
  tiles: json.number({ description: 'Pictures that were sent, or confirmed as unchanged.' }),
  bytes: json.number({ description: 'Bytes of answers.' }),
  tasks: json.number({ description: 'Ordered tasks.' }),
  thread_ms: json.number({ description: 'Milliseconds that pixel threads worked for the key.' }),
};

const quota = json.nullable(json.number());

/** Builds the endpoint. */
export const usage = (deps: UsageDeps): Endpoint => ({
  summary: 'What keys use, by day',
  description:
    'Of the key and of those that it has made. Days are in UTC. Other nodes report what they have counted every 10 seconds.',
  tag: 'Service',
  query: parameters,
  answers: {
    200: {
      description: 'A row for each day and key with requests, sorted by day and key.',
      content: {
        'application/json': json.object({
          from: json.string(),
          to: json.string(),
          usage: json.list(
            json.object({
              day: json.string(),
              key: json.string(),
              label: json.nullable(json.string()),
              ...amounts,
            }),
          ),
          quotas: json.object({ requests_per_day: quota, tasks_per_day: quota }),
        }),
        'text/csv': null,
      },
    },
    403: { description: 'Another key needs the role admin (role-needed).' },
    413: { description: `More than ${MAX_ROWS} rows (usage-too-large).` },
  },
  handle: (request) => answerUsage(request, deps),
});

async function answerUsage({ query, key }: ApiRequest, deps: UsageDeps): Promise<Answer> {
  if (key === null) throw notAllowed('no-key', 'A key is needed.');
  const to = parameters.to.read(query) ?? toUsageDay(deps.nowMs());
  const from = parameters.from.read(query) ?? toUsageDay(Date.parse(to) - (DAYS - 1) * DAY_MS);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1 || days > MAX_DAYS) {
    throw badInput('bad-from', `from must be a day up to ${MAX_DAYS - 1} days before to, or the same.`);
  }
  const asked = parameters.key.read(query);
  const seesAll = includesRole(key.role, 'admin');
  const records = await deps.keys.list();
  const own = [key.id, ...records.filter(({ parent }) => parent === key.id).map(({ id }) => id)];
  if (asked !== null && !own.includes(asked) && !seesAll) {
    throw notAllowed('role-needed', 'This needs the role "admin": the usage of another key.', {
      details: { role: 'admin' },
    });
  }
  const keyIds = asked !== null ? [asked] : seesAll ? null : own;
  const rows = await deps.usage.list({ keyIds, from, to, limit: MAX_ROWS + 1 });
  if (rows.length > MAX_ROWS) {
    throw tooLarge(
      'usage-too-large',
      `There are more than ${MAX_ROWS} rows; ask for fewer days, or one key.`,
    );
  }
  const labels = new Map([key, ...records].map(({ id, label }) => [id, label]));
  const labelOf = (id: string): string | null =>
    labels.get(id) ?? (id === CONFIGURED_KEY_ID ? 'SWATH_API_KEY' : null);
  if (parameters.format.read(query) === 'csv') return answerCsv(rows, labelOf, { from, to });
  const shown = rows.map(({ keyId, threadMs, ...row }) => ({
    day: row.day,
    key: keyId,
    label: labelOf(keyId),
    requests: row.requests,
    tiles: row.tiles,
    bytes: row.bytes,
    tasks: row.tasks,
    thread_ms: Math.round(threadMs),
  }));
  const quotas = {
    requests_per_day: deps.quotas.find(key.role, 'requests'),
    tasks_per_day: deps.quotas.find(key.role, 'tasks'),
  };
  return Answer.json({ from, to, usage: shown, quotas }, { headers: noStore });
}

function answerCsv(
  rows: readonly UsageRow[],
  labelOf: (id: string) => string | null,
  { from, to }: { readonly from: string; readonly to: string },
): Answer {
  const table = rows.map(({ day, keyId, requests, tiles, bytes, tasks, threadMs }) => [
    day,
    keyId,
    toPlainCell(labelOf(keyId)),
    requests,
    tiles,
    bytes,
    tasks,
    Math.round(threadMs),
  ]);
  const header = ['day', 'key', 'label', ...Object.keys(amounts)];
  return new Answer(toCsv([header, ...table]), {
    headers: {
      ...noStore,
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="usage-${from}-${to}.csv"`,
    },
  });
}

/** Labels are written by others: a spreadsheet must not run one as a formula. */
const toPlainCell = (label: string | null): string | null =>
  label !== null && /^[=+\-@\t\r]/.test(label) ? `'${label}` : label;
