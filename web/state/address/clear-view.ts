/** The clear view: `clear=2026-06-21,15`, the day and the days around it; `clear=off` for the newest scene alone. */
import type { ClearView } from '../clear-view.ts';
import { CLEAR_DAYS, PLAIN_CLEAR_VIEW } from '../clear-view.ts';
import { DAY, takeIf } from './forms.ts';

const OFF = 'off';

/** Reads it; an address that names a scene, or says so, has none. */
export const parseClearView = (text: string | null, sceneId: string | null): ClearView | null => {
  if (text === OFF || sceneId !== null) return null;
  const [day = '', days = ''] = (text ?? '').split(',');
  return {
    date: takeIf(day, DAY),
    days: CLEAR_DAYS.find((count) => String(count) === days) ?? PLAIN_CLEAR_VIEW.days,
  };
};

/** Writes what differs from the plain one. */
export const toClearViewParts = (clearView: ClearView | null, sceneId: string | null): string[] => {
  if (clearView === null) return sceneId === null ? [`clear=${OFF}`] : [];
  const { date, days } = clearView;
  if (date === null && days === PLAIN_CLEAR_VIEW.days) return [];
  return [`clear=${date ?? ''}${days === PLAIN_CLEAR_VIEW.days ? '' : `,${days}`}`];
};
