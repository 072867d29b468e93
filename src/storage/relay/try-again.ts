import { setTimeout as sleep } from 'node:timers/promises';
import { isNetworkGone } from './relay-connection.ts';

/** One for the read that ends the thread by chance, and two for a port that was given to the thread that had ended. */
const MAX_TRIES = 3;
/** The main thread hears of the end of a thread later than those whose ports close; until then it connects to it. */
const PAUSE_MS = 50;

/** Asks the network thread again if it stopped before it answered: another one takes over. */
export async function tryAgain<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!isNetworkGone(error) || tries === MAX_TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
