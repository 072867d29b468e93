import { cancelled, isSwathError, notFound, unavailable } from '../../errors.ts';
import type { Ticket } from '../../pool/index.ts';

/** After this the sources are asked again: a passing failure of a network is over by then. */
const RETRY_AFTER_S = 30;

/** Asks for weather that must be there, and says why it is not. */
export async function askWeather<Found>(
  ask: (signal: AbortSignal | undefined) => Promise<Found | null>,
  { signal }: Pick<Ticket, 'signal'>,
): Promise<Found> {
  let found: Found | null;
  try {
    found = await ask(signal);
  } catch (error) {
    if (signal?.aborted) throw cancelled('cancelled', 'The client has gone.', { cause: error });
    throw isOfSource(error) ? toUnavailable(error) : error;
  }
  if (found !== null) return found;
  throw notFound(
    'no-weather',
    'No source has weather for this location and these days. The operator can take files in (swath ingest weather), or let Open-Meteo answer (SWATH_WEATHER_PROVIDERS=grid,open-meteo).',
  );
}

const isOfSource = (error: unknown): boolean =>
  isSwathError(error) && (error.tag === 'source-broken' || error.tag === 'timed-out');

/** A source that fails is no fault of the request, whatever failed there: the log has the cause. */
const toUnavailable = (cause: unknown): Error =>
  unavailable(
    'weather-unavailable',
    `No source of weather can answer at the moment; ask again in ${RETRY_AFTER_S} seconds.`,
    { cause, details: { retryAfterS: RETRY_AFTER_S } },
  );
