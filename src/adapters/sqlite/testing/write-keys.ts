/** Writes keys until it is killed, and says the id of each one that the store has acknowledged. */
import { openSqliteStore } from '../index.ts';

const [directory = '', round = ''] = process.argv.slice(2);
const { keys } = openSqliteStore(directory);
for (let i = 0; ; i += 1) {
  const id = `${round}-${i}`;
  const createdAt = new Date(0).toISOString();
  await keys.insert(
    { id, label: id, scope: 'full', ratePerMinute: null, createdAt, expiresAt: null, revokedAt: null },
    id,
  );
  process.stdout.write(`${id}\n`);
  // Lets the pipe drain, so that what was said has been said before the kill.
  await new Promise((resolve) => setImmediate(resolve));
}
