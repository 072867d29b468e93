import type { ErrorTag } from '../../errors.ts';
import { isSwathError, unavailable } from '../../errors.ts';
import type { WeatherProvider } from '../series/weather-provider.ts';

/** Asks one provider after the other. Null when none has anything; throws when one that failed might have. */
export type AskProviders = <T>(
  question: (provider: WeatherProvider) => Promise<T | null>,
) => Promise<T | null>;

interface AskDeps {
  /** In the order in which they are asked. */
  readonly providers: readonly WeatherProvider[];
  /** A provider could not answer, and the next one is asked. */
  readonly onFailure: (provider: string, error: unknown) => void;
}

/** Providers rest for half a minute after failures in a row. */
const RETRY_AFTER_S = 30;

/** Errors that are no fault of a provider, so that another one would not help. */
const OF_QUESTIONS: ReadonlySet<ErrorTag> = new Set(['bad-input', 'too-large', 'cancelled']);

/** Builds the asking of providers. */
export const makeAskProviders =
  ({ providers, onFailure }: AskDeps): AskProviders =>
  async (question) => {
    let hasFailed = false;
    for (const provider of providers) {
      try {
        const answer = await question(provider);
        if (answer !== null) return answer;
      } catch (error) {
        if (isSwathError(error) && OF_QUESTIONS.has(error.tag)) throw error;
        hasFailed = true;
        onFailure(provider.name, error);
      }
    }
    if (!hasFailed) return null;
    const message = 'No provider of weather answers at the moment; try again later.';
    throw unavailable('weather-unavailable', message, { details: { retryAfterS: RETRY_AFTER_S } });
  };
