/** `swath keys`: its commands, and what they do and print. */

import type { FieldStore } from '../fields/index.ts';
import { toGroupsOwner } from '../fields/index.ts';
import type { CallbackSecrets, KeyRecord, Keys } from '../keys/index.ts';
import { CONFIGURED_KEY_ID, ROLES } from '../keys/index.ts';
import type { AreaStore, ColormapStore, RecipeStore } from '../library/index.ts';
import type { TaskStore } from '../tasks/index.ts';
import { OPEN_STATES } from '../tasks/index.ts';
import { toMib } from '../units.ts';
import type { WatchStore } from '../watch/index.ts';
import type { CommandOf } from './command.ts';
import { argument, command, flag, option, topic, withDefault } from './command.ts';
import { notFound } from './errors.ts';
import { parseAmount, parseChoice, parseDay } from './parse-values.ts';
import { jsonList } from './report.ts';
import type { CleanedUp } from './tasks.ts';
import type { Terminal } from './terminal.ts';
import { printTable } from './terminal.ts';

/** `swath keys …`. */
type KeysCommand = CommandOf<(typeof keys.commands)[number]>;

const id = argument('<id>', 'Which key?');
const hint = '"swath keys list" shows the ids';

/** `swath keys`. */
export const keys = topic({
  name: 'keys',
  summary: 'create, list and revoke API keys, and delete what they stored',
  about: ['The id of the key in SWATH_API_KEY is "configured".'],
  commands: [
    command('keys create', {
      about:
        'Prints a new key once; only its hash is stored. The key works at once, on a running server too. The secret that signs its callbacks goes to standard error.',
      options: {
        label: withDefault(option('-l, --label TEXT', 'what the key is for'), 'unnamed'),
        expiresAt: option('--expires DATE', 'last day of validity (UTC), such as 2030-12-31', parseExpiry),
        ratePerMinute: option('--rate N', 'requests per minute', parseAmount),
        role: withDefault(
          option(
            '--role ROLE',
            'read (search and draw), order (also order tasks and store things, the default), ingest (also change the catalog) or admin (also manage keys)',
            parseChoice(...ROLES),
          ),
          'order' as const,
        ),
      },
    }),
    command('keys list', {
      about: 'Shows ids, labels, states and what each key has stored, never the keys themselves.',
      options: jsonList,
    }),
    command('keys revoke', {
      about:
        'Revokes a key at once, on all nodes. Links to its results stop working. What it stored stays, and other keys can still use it.',
      arguments: { id },
      options: {
        deleteStored: flag(
          '--delete-stored',
          'also delete its areas, colormaps, recipes, fields, subscriptions, tasks and results',
        ),
      },
      hint,
    }),
    command('keys delete-stored', {
      about:
        'Deletes the areas, colormaps, recipes, fields and subscriptions that a key stored, cancels its tasks and deletes their results. This works for revoked keys too.',
      arguments: { id },
      hint,
    }),
    command('keys rotate-callback-secret', {
      about: 'Replaces the secret that signs the callbacks of a key, and prints the new one.',
      arguments: { id },
      hint,
    }),
  ],
});

/** A day without a time means all of it. */
function parseExpiry(text: string, name: string): string {
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  return `${parseDay(text, name)}T23:59:59.999Z`;
}

interface KeysDeps {
  readonly keys: Keys;
  readonly callbackSecrets: CallbackSecrets;
  readonly areas: Pick<AreaStore, 'usage' | 'removeAll'>;
  readonly colormaps: Pick<ColormapStore, 'usage' | 'removeAll'>;
  readonly recipes: Pick<RecipeStore, 'usage' | 'removeAll'>;
  readonly fields: Pick<FieldStore, 'usage' | 'removeAll'>;
  readonly watches: Pick<WatchStore, 'removeAll'>;
  readonly tasks: Pick<TaskStore, 'usage' | 'list' | 'cancel'>;
  /** Removes the tasks of a key that are over, with their results. */
  readonly removeTasks: (owner: string) => Promise<Pick<CleanedUp, 'tasks'>>;
  readonly terminal: Terminal;
}

/** What a key has stored. */
interface StoredUsage {
  readonly areas: number;
  readonly colormaps: number;
  readonly recipes: number;
  readonly fields: number;
  /** Tasks that wait or are worked on. */
  readonly openTasks: number;
  /** Finished tasks. */
  readonly results: number;
  readonly bytes: number;
}

/** `swath keys create|list|revoke|delete-stored|rotate-callback-secret`. */
export async function runKeys(command: KeysCommand, deps: KeysDeps): Promise<void> {
  const { keys, terminal } = deps;
  switch (command.name) {
    case 'keys create': {
      const { secret, record } = await keys.create({
        label: command.label,
        role: command.role,
        ratePerMinute: command.ratePerMinute,
        expiresAt: command.expiresAt,
      });
      // The key alone goes to standard output, so that scripts can take it from there.
      terminal.note(`Created key ${record.id} (${record.label}). It is shown only this once:`);
      terminal.line(secret);
      terminal.note(
        `The secret that signs its callbacks, shown only this once: ${await deps.callbackSecrets.find(record.id)}`,
      );
      return;
    }
    case 'keys list': {
      const [records, readUsage] = await Promise.all([keys.list(), readUsages(deps)]);
      const listed = records.map((record) => ({ ...record, stored: readUsage(record.id) }));
      if (command.json) terminal.line(JSON.stringify(listed, null, 2));
      else printKeys(listed, readUsage(CONFIGURED_KEY_ID), terminal);
      return;
    }
    case 'keys revoke':
      await keys.revoke(command.id);
      terminal.line(`Revoked key ${command.id}.`);
      if (command.deleteStored) terminal.line(await deleteStored(command.id, deps));
      return;
    case 'keys delete-stored':
      await refuseUnknown(command.id, deps);
      terminal.line(await deleteStored(command.id, deps));
      return;
    case 'keys rotate-callback-secret':
      await refuseUnknown(command.id, deps);
      // The secret alone goes to standard output, as a new key does.
      terminal.note(
        `The new secret that signs the callbacks of key ${command.id}. It is shown only this once:`,
      );
      terminal.line(await deps.callbackSecrets.rotate(command.id));
  }
}

async function refuseUnknown(keyId: string, { keys }: KeysDeps): Promise<void> {
  if (keyId === CONFIGURED_KEY_ID || (await keys.list()).some(({ id }) => id === keyId)) return;
  throw notFound('unknown-key', `There is no key with the id "${keyId}". "swath keys list" shows them all.`);
}

async function deleteStored(owner: string, deps: KeysDeps): Promise<string> {
  const areas = await deps.areas.removeAll(owner);
  await deps.areas.removeAll(toGroupsOwner(owner));
  const colormaps = await deps.colormaps.removeAll(owner);
  const recipes = await deps.recipes.removeAll(owner);
  const fields = await deps.fields.removeAll(owner);
  const subscriptions = await deps.watches.removeAll(owner);
  await cancelTasks(owner, deps);
  const { tasks } = await deps.removeTasks(owner);
  return `Deleted what key ${owner} had stored: areas ${areas}, colormaps ${colormaps}, recipes ${recipes}, fields ${fields}, subscriptions ${subscriptions}, tasks ${tasks}.`;
}

/** Tasks that are cancelled at a time. */
const BATCH = 100;

/** Ends what would store a result later. */
async function cancelTasks(owner: string, { tasks }: KeysDeps): Promise<void> {
  for (const state of OPEN_STATES) {
    for (;;) {
      const found = await tasks.list({ owner, state, limit: BATCH });
      for (const { id } of found) await tasks.cancel(id);
      if (found.length < BATCH) break;
    }
  }
}

async function readUsages({
  areas,
  colormaps,
  recipes,
  fields,
  tasks,
}: KeysDeps): Promise<(owner: string) => StoredUsage> {
  const [areaUsage, colormapUsage, recipeUsage, fieldUsage, taskUsage] = await Promise.all([
    areas.usage(),
    colormaps.usage(),
    recipes.usage(),
    fields.usage(),
    tasks.usage(),
  ]);
  return (owner) => {
    const [ofAreas, ofColormaps] = [areaUsage.get(owner), colormapUsage.get(owner)];
    const [ofRecipes, ofFields] = [recipeUsage.get(owner), fieldUsage.get(owner)];
    const { open = 0, finished = 0, bytes: ofResults = 0 } = taskUsage.get(owner) ?? {};
    return {
      areas: ofAreas?.areas ?? 0,
      colormaps: ofColormaps?.colormaps ?? 0,
      recipes: ofRecipes?.recipes ?? 0,
      fields: ofFields?.fields ?? 0,
      openTasks: open,
      results: finished,
      bytes:
        (ofAreas?.bytes ?? 0) +
        (ofColormaps?.bytes ?? 0) +
        (ofRecipes?.bytes ?? 0) +
        (ofFields?.bytes ?? 0) +
        ofResults,
    };
  };
}

type ListedKey = KeyRecord & { readonly stored: StoredUsage };

function printKeys(records: readonly ListedKey[], ofConfigured: StoredUsage, terminal: Terminal): void {
  const { areas, colormaps, recipes, fields, openTasks, results } = ofConfigured;
  const hasConfigured = areas + colormaps + recipes + fields + openTasks + results > 0;
  if (records.length === 0 && !hasConfigured) {
    terminal.line('No keys yet. "swath keys create" makes one.');
    return;
  }
  const rows = records.map((record) => [
    record.id,
    toState(record),
    record.role,
    record.ratePerMinute === null ? '-' : `${record.ratePerMinute}/min`,
    record.createdAt.slice(0, 10),
    record.expiresAt?.slice(0, 10) ?? '-',
    ...toUsageCells(record.stored),
    record.label,
  ]);
  // It has no record, but what it stored is there whether or not the setting still is.
  if (hasConfigured)
    rows.push([
      CONFIGURED_KEY_ID,
      '-',
      'order',
      '-',
      '-',
      '-',
      ...toUsageCells(ofConfigured),
      'SWATH_API_KEY',
    ]);
  const header = [
    ...['ID', 'STATE', 'ROLE', 'RATE', 'CREATED', 'EXPIRES'],
    ...['AREAS', 'COLORMAPS', 'RECIPES', 'FIELDS', 'OPEN', 'RESULTS', 'STORED', 'LABEL'],
  ];
  printTable(terminal, { header, rows, isDim: (row) => row[1] !== 'active' });
}

const toUsageCells = ({
  areas,
  colormaps,
  recipes,
  fields,
  openTasks,
  results,
  bytes,
}: StoredUsage): readonly string[] => [
  ...[areas, colormaps, recipes, fields, openTasks, results].map(String),
  `${toMib(bytes)} MiB`,
];

function toState(record: KeyRecord): string {
  if (record.revokedAt !== null) return 'revoked';
  return record.expiresAt !== null && Date.parse(record.expiresAt) <= Date.now() ? 'expired' : 'active';
}
