import type { ByRole } from '../keys/index.ts';
import { ROLES } from '../keys/index.ts';
import type { SettingsOf } from './setting.ts';
import { parseChoice, parseCount } from './setting.ts';

/** What a key may store and ask for: each one, and those of a role. */
export interface LimitConfig {
  readonly areasPerKey: number;
  readonly areaMbPerKey: number;
  readonly colormapsPerKey: number;
  readonly recipesPerKey: number;
  readonly fieldsPerKey: number;
  readonly writesPerMinute: number;
  readonly workPerMinute: number;
  readonly readOnlyWorkPerMinute: number;
  readonly statisticsPerMinute: number;
  readonly requestsPerDay: ByRole;
  readonly tasksPerDay: ByRole;
  readonly fieldsByRole: ByRole;
}

/** Reads `read=1000,order=100000`. */
export function parseByRole(text: string, max: number): ByRole {
  const pairs = text.split(',').map((pair) => {
    const [role = '', count = '', ...rest] = pair.split('=');
    if (rest.length > 0 || count === '')
      throw new Error('must list roles and numbers, such as read=1000,order=100000');
    return [parseChoice(role.trim(), ROLES), parseCount(count.trim(), 0, max)] as const;
  });
  if (new Set(pairs.map(([role]) => role)).size < pairs.length) throw new Error('must name each role once');
  return Object.fromEntries(pairs);
}

const show = (quotas: ByRole): string =>
  Object.entries(quotas)
    .map(([role, count]) => `${role}=${count}`)
    .join(',') || '(no limit)';

/** How these settings are read. */
export const limitSettings: SettingsOf<LimitConfig> = {
  areasPerKey: {
    variable: 'SWATH_AREAS_PER_KEY',
    summary: 'Areas of interest that one key may store; 0 for no limit.',
    fallbackText: '10000',
    fallback: () => 10_000,
    parse: (text) => parseCount(text, 0, 10_000_000),
  },
  areaMbPerKey: {
    variable: 'SWATH_AREA_MB_PER_KEY',
    summary:
      'Storage for the areas of one key, in MiB; the areas of its tasks have the same limit again. 0 for no limit.',
    fallbackText: '256',
    fallback: () => 256,
    parse: (text) => parseCount(text, 0, 1_048_576),
  },
  colormapsPerKey: {
    variable: 'SWATH_COLORMAPS_PER_KEY',
    summary: 'Custom colormaps, of up to 64 KiB, that one key may store; 0 for no limit.',
    fallbackText: '1000',
    fallback: () => 1_000,
    parse: (text) => parseCount(text, 0, 1_000_000),
  },
  recipesPerKey: {
    variable: 'SWATH_RECIPES_PER_KEY',
    summary: 'Recipes that one key may store; 0 for no limit.',
    fallbackText: '1000',
    fallback: () => 1_000,
    parse: (text) => parseCount(text, 0, 1_000_000),
  },
  fieldsPerKey: {
    variable: 'SWATH_FIELDS_PER_KEY',
    summary: 'Fields that one key may store, up to a million; each may take 4 KiB on average.',
    fallbackText: '100000',
    fallback: () => 100_000,
    parse: (text) => parseCount(text, 0, 1_000_000),
  },
  writesPerMinute: {
    variable: 'SWATH_WRITES_PER_MINUTE',
    summary:
      'Max requests per minute and key that store or delete something, in addition to the rate of the key, counted over all nodes of a database. 0 for no limit.',
    fallbackText: '600',
    fallback: () => 600,
    parse: (text) => parseCount(text, 0, 1_000_000),
  },
  workPerMinute: {
    variable: 'SWATH_WORK_PER_MINUTE',
    summary:
      'Budget per minute and key for requests that use the main thread, such as searches, weather, orders and statistics, in milliseconds (docs/use/interface.md, "Limits"), counted by each node. 0 for no limit.',
    fallbackText: '12000',
    fallback: () => 12_000,
    parse: (text) => parseCount(text, 0, 1_000_000_000),
  },
  readOnlyWorkPerMinute: {
    variable: 'SWATH_READ_ONLY_WORK_PER_MINUTE',
    summary: 'The same budget for a read-only key. 0 for no limit.',
    fallbackText: '6000',
    fallback: () => 6_000,
    parse: (text) => parseCount(text, 0, 1_000_000_000),
  },
  statisticsPerMinute: {
    variable: 'SWATH_STATISTICS_PER_MINUTE',
    summary:
      'Max requests per minute and key to POST /api/gdw/api, and as many polls of its tasks, counted over all nodes of a database. 0 for no limit.',
    fallbackText: '10',
    fallback: () => 10,
    parse: (text) => parseCount(text, 0, 1_000_000),
  },
  requestsPerDay: {
    variable: 'SWATH_REQUESTS_PER_DAY',
    summary:
      'Requests per day (UTC) and key, by role, such as `read=10000,order=100000`; roles that are not named have no limit. All nodes of a database count together, 10 seconds late.',
    fallbackText: '(no limit)',
    fallback: () => ({}),
    parse: (text) => parseByRole(text, 1_000_000_000),
    show,
  },
  tasksPerDay: {
    variable: 'SWATH_TASKS_PER_DAY',
    summary: 'Orders of tasks per day (UTC) and key, by role, in the same form and counted in the same way.',
    fallbackText: '(no limit)',
    fallback: () => ({}),
    parse: (text) => parseByRole(text, 1_000_000_000),
    show,
  },
  fieldsByRole: {
    variable: 'SWATH_FIELDS_BY_ROLE',
    summary: 'Fields that one key may store, by role, in place of SWATH_FIELDS_PER_KEY.',
    fallbackText: '(SWATH_FIELDS_PER_KEY)',
    fallback: () => ({}),
    parse: (text) => parseByRole(text, 1_000_000),
    show: (quotas) => (Object.keys(quotas).length === 0 ? '(SWATH_FIELDS_PER_KEY)' : show(quotas)),
  },
};
