/** Status and headers of an answer whose body has not been read yet. */
export interface ResponseHead {
  readonly status: number;
  /** A header by its lower-case name; null when absent, joined by commas when repeated. */
  header(name: string): string | null;
}

/** How long a `Retry-After` header asks us to wait: seconds or a date; null when it says neither. */
export function parseRetryAfterMs(text: string | null, wallClockMs: number): number | null {
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Only the one date format HTTP allows: Date.parse alone reads "1" as a year.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - wallClockMs);
}
