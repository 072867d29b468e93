import { isUnavailable } from '../../errors.ts';
import { makeLru } from '../../lru.ts';

/** Asks the store; when it does not answer, gives what it said lately, else throws what the store threw. */
export type AskOrRemember<Value> = (key: string, ask: () => Promise<Value>) => Promise<Value>;

interface RecentAnswersOptions {
  /** Answers remembered at most; the one given longest ago goes first. */
  readonly most: number;
  /** Monotonic. */
  readonly nowMs: () => number;
  /** How long an answer is good for. */
  readonly outageMs: number;
}

/** Remembers answers for the time in which the store does not answer. As long as it does nothing of that is used. */
export function rememberAnswers<Value>({
  most,
  nowMs,
  outageMs,
}: RecentAnswersOptions): AskOrRemember<Value> {
  const answers = makeLru<{ readonly value: Value; readonly atMs: number }>({ max: most });
  return async (key, ask) => {
    try {
      const value = await ask();
      answers.set(key, { value, atMs: nowMs() });
      return value;
    } catch (error) {
      const known = isUnavailable(error) ? answers.get(key) : undefined;
      if (known === undefined || nowMs() - known.atMs >= outageMs) throw error;
      return known.value;
    }
  };
}
