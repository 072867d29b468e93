/** A day as 2026-06-21, also from a text with a time behind it: programs send the first instant of a day. Null for others. */
export function parseDay(value: unknown): string | null {
  const day =
    typeof value === 'string' ? /^(\d{4}-\d{2}-\d{2})(?:T[\d:.]*Z?)?$/.exec(value.trim())?.[1] : undefined;
  if (day === undefined) return null;
  const time = Date.parse(`${day}T00:00:00Z`);
  // February has no 30th day.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? day : null;
}
