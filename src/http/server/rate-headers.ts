/** The headers that tell a client how much it may still ask. */
export const toRateHeaders = (rate: {
  readonly limit: number;
  readonly remaining: number;
  readonly resetS: number;
}): Readonly<Record<string, string>> => ({
  'ratelimit-limit': String(rate.limit),
  'ratelimit-remaining': String(rate.remaining),
  'ratelimit-reset': String(rate.resetS),
});
