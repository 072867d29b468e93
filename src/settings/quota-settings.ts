import type { ByRole } from '../keys/index.ts';
import { ROLES } from '../keys/index.ts';
import type { SettingsOf } from './setting.ts';
import { parseChoice, parseCount } from './setting.ts';

/** What the keys of a role may use. */
export interface QuotaConfig {
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
export const quotaSettings: SettingsOf<QuotaConfig> = {
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
