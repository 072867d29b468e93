/** What a client may still ask. */
interface Rate {
  readonly limit: number;
  readonly remaining: number;
  readonly resetS: number;
}

/** The headers that tell a client how much it may still ask. */
export const toRateHeaders = (rate: Rate): Readonly<Record<string, string>> => ({
  'ratelimit-limit': String(rate.limit),
  'ratelimit-remaining': String(rate.remaining),
  'ratelimit-reset': String(rate.resetS),
});

/** The headers of the tighter of two rates: the one with fewer requests left. */
export function chooseTighter(
  headers: Readonly<Record<string, string>>,
  rate: Rate,
): Readonly<Record<string, string>> {
  const remaining = headers['ratelimit-remaining'];
  return remaining !== undefined && Number(remaining) <= rate.remaining ? headers : toRateHeaders(rate);
}
