import { isUnavailable } from '../../errors.ts';
import { makeLru } from '../../lru.ts';

/** The last answers of one kind of look-up, by the text that was looked up. */
export interface RecentAnswers<Value> {
  /** A recent answer, or a new one from `ask`. Equal look-ups at the same time are asked once. */
  find(key: string, ask: () => Promise<Value | null>): Promise<Value | null>;
  /** Remembers a value that was not looked up. */
  set(key: string, value: Value): void;
  /** To be called after a write: an answer to a look-up that is still under way is not remembered either. */
  forget(key: string): void;
  forgetAll(): void;
}

/** How long answers are good for. */
export interface AnswerTimes {
  /** Monotonic. */
  readonly nowMs: () => number;
  /** For so long a value is used without asking again; 0 asks each time. */
  readonly freshMs: number;
  /** The same for the answer that nothing exists. */
  readonly absentMs: number;
  /** For so long an answer is used while the store does not answer. */
  readonly outageMs: number;
}

interface Answer<Value> {
  readonly value: Value | null;
  /** When it was asked for: what is written later may be missing from it. */
  readonly askedMs: number;
}

/** Builds the memory of at most `max` values, and of as many keys without one. */
export function makeRecentAnswers<Value>(
  { nowMs, freshMs, absentMs, outageMs }: AnswerTimes,
  max: number,
): RecentAnswers<Value> {
  const found = makeLru<Answer<Value>>({ max });
  // Apart, so that a flood of wrong keys does not push out the valid ones.
  const absent = makeLru<Answer<Value>>({ max });
  const asking = new Map<string, Promise<Value | null>>();

  const recall = (key: string): Answer<Value> | undefined => found.get(key) ?? absent.get(key);

  function forget(key: string): void {
    found.delete(key);
    absent.delete(key);
    asking.delete(key);
  }

  function start(key: string, ask: () => Promise<Value | null>): Promise<Value | null> {
    const askedMs = nowMs();
    const isCurrent = (): boolean => asking.get(key) === answer;
    const answer = ask()
      .then((value) => {
        if (isCurrent()) {
          forget(key);
          (value === null ? absent : found).set(key, { value, askedMs });
        }
        return value;
      })
      .finally(() => {
        if (isCurrent()) asking.delete(key);
      });
    asking.set(key, answer);
    return answer;
  }

  return {
    async find(key, ask) {
      const known = recall(key);
      if (known !== undefined) {
        const validMs = known.value === null ? absentMs : freshMs;
        if (nowMs() - known.askedMs < validMs) return known.value;
      }
      try {
        return await (asking.get(key) ?? start(key, ask));
      } catch (error) {
        const last = isUnavailable(error) ? recall(key) : undefined;
        if (last === undefined || nowMs() - last.askedMs >= outageMs) throw error;
        return last.value;
      }
    },
    set(key, value) {
      forget(key);
      found.set(key, { value, askedMs: nowMs() });
    },
    forget,
    forgetAll() {
      found.clear();
      absent.clear();
      asking.clear();
    },
  };
}
