import type { DatabaseSync } from 'node:sqlite';
import type { CloudTally, DayChanges } from './cloud-tally.ts';
import { changeTally, toTally } from './cloud-tally.ts';

/** What a tally knows of a scene. */
export interface TalliedScene {
  readonly dataset: string;
  readonly date: string;
  readonly cloud: number | null;
}

/** Scenes that came and went, by dataset and day. */
export type TallyChanges = Map<string, Map<string, DayChanges>>;

/** Notes that a scene came, went, or is another than before. */
export function noteChange(
  changes: TallyChanges,
  { before, after }: { readonly before?: TalliedScene | undefined; readonly after?: TalliedScene },
): void {
  if (
    before?.dataset === after?.dataset &&
    before?.date === after?.date &&
    Object.is(before?.cloud, after?.cloud)
  )
    return;
  if (before !== undefined) dayOf(changes, before).went.push(before.cloud);
  if (after !== undefined) dayOf(changes, after).came.push(after.cloud);
}

function dayOf(changes: TallyChanges, { dataset, date }: TalliedScene): DayChanges {
  let days = changes.get(dataset);
  if (days === undefined) {
    days = new Map();
    changes.set(dataset, days);
  }
  let day = days.get(date);
  if (day === undefined) {
    day = { came: [], went: [] };
    days.set(date, day);
  }
  return day;
}

/** Tallies a day by a look at its scenes. */
export function makeDayCount(database: DatabaseSync): (dataset: string, date: string) => CloudTally {
  const cloudsOf = database.prepare('SELECT cloud FROM scenes WHERE dataset = ? AND date = ?');
  return (dataset, date) => {
    const rows = cloudsOf.all(dataset, date) as { cloud: number | null }[];
    return toTally(rows.map(({ cloud }) => cloud));
  };
}

/**
 * Writes what was noted into the tallies: each day's once, however many scenes it has. To be called in the transaction
 * that changes the scenes, after they are changed.
 */
export function makeTallyWrites(database: DatabaseSync): (changes: TallyChanges) => void {
  const find = database.prepare('SELECT number, clouds FROM tallies WHERE dataset = ? AND date = ?');
  const insert = database.prepare('INSERT INTO tallies (dataset, date, clouds) VALUES (?, ?, ?)');
  const update = database.prepare('UPDATE tallies SET clouds = ? WHERE number = ?');
  const drop = database.prepare('DELETE FROM tallies WHERE number = ?');
  const countAgain = makeDayCount(database);

  function writeDay(dataset: string, date: string, changes: DayChanges): void {
    const known = find.get(dataset, date) as { number: number; clouds: CloudTally } | undefined;
    // What does not add up, because somebody has changed scenes by hand, is counted again.
    const clouds = changeTally(known?.clouds ?? new Uint8Array(0), changes) ?? countAgain(dataset, date);
    if (known === undefined) {
      if (clouds.length > 0) insert.run(dataset, date, clouds);
    } else if (clouds.length > 0) update.run(clouds, known.number);
    else drop.run(known.number);
  }

  return (changes) => {
    for (const [dataset, days] of changes) {
      for (const [date, day] of days) writeDay(dataset, date, day);
    }
  };
}
