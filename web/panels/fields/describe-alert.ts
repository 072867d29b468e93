/** Alerts in words: what is watched, and what raises an alert. */
import type { Condition, Ground } from '../../api/subscriptions.ts';
import { formatNumber } from '../../texts/format.ts';
import type { FieldTexts } from './field-texts.ts';

/** The condition in words. */
export const describeCondition = (
  condition: Condition,
  index: string,
  { alerts: words }: FieldTexts,
  locale: string,
): string => {
  switch (condition.kind) {
    case 'every':
      return words.conditions.every(index);
    case 'below':
    case 'above':
      return words.conditions[condition.kind](index, formatNumber(condition.limit, locale));
    case 'drop':
    case 'rise':
      return words.conditions[condition.kind](
        index,
        formatNumber(condition.by, locale),
        words.againsts[condition.against],
      );
  }
};

/** The ground in words; one field by its name. */
export const describeGround = (
  ground: Ground,
  nameOf: (id: string) => string | null,
  { alerts: words }: FieldTexts,
): string => {
  switch (ground.kind) {
    case 'all':
      return words.allFields;
    case 'area':
      return words.area;
    case 'group':
      return words.group(ground.group);
    case 'fields': {
      const [only] = ground.ids;
      const name = ground.ids.length === 1 && only !== undefined ? nameOf(only) : null;
      return name ?? words.someFields(ground.ids.length);
    }
  }
};

/** The first day whose scenes raise alerts. */
export const SINCE_DAYS = { today: 0, quarter: 92, year: 365 } as const;

/** One of them. */
export type Since = keyof typeof SINCE_DAYS;

/** What a number must be: a change is above 0, a limit is any number. */
export const toCondition = (
  kind: Condition['kind'],
  number: number,
  against: 'last' | 'normal' | 'group',
): Condition | null => {
  if (kind === 'every') return { kind };
  if (!Number.isFinite(number)) return null;
  if (kind === 'below' || kind === 'above') return { kind, limit: number };
  return number > 0 ? { kind, by: number, against } : null;
};
