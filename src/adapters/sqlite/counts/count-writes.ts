import type { DatabaseSync } from 'node:sqlite';
import { prepare } from '../database/queries.ts';
import type { DayChanges, DayClouds } from './day-clouds.ts';
import { changeClouds, packClouds } from './day-clouds.ts';

/** What the count table knows of a scene. */
export interface CountedScene {
  readonly dataset: string;
  readonly date: string;
  readonly cloud: number | null;
}

/** Scenes that were added and removed, by dataset and day. */
export type CountChanges = Map<string, Map<string, DayChanges>>;

/** Notes that a scene was added, removed or changed. */
export function noteChange(
  changes: CountChanges,
  { before, after }: { readonly before?: CountedScene | undefined; readonly after?: CountedScene },
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

function dayOf(changes: CountChanges, { dataset, date }: CountedScene): DayChanges {
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

/** Collects the clouds of a day from its scenes. */
export function makeDayCount(database: DatabaseSync): (dataset: string, date: string) => DayClouds {
  const cloudsOf = prepare<{ cloud: number | null }>(
    database,
    'SELECT cloud FROM scenes WHERE dataset = ? AND date = ?',
  );
  return (dataset, date) => {
    const rows = cloudsOf.all(dataset, date);
    return packClouds(rows.map(({ cloud }) => cloud));
  };
}

/**
 * Writes what was noted into the count table: each day once, however many scenes it has. To be called in the transaction
 * that changes the scenes, after they are changed.
 */
export function makeCountWrites(database: DatabaseSync): (changes: CountChanges) => void {
  const find = prepare<{ number: number; clouds: DayClouds }>(
    database,
    'SELECT number, clouds FROM tallies WHERE dataset = ? AND date = ?',
  );
  const insert = database.prepare('INSERT INTO tallies (dataset, date, clouds) VALUES (?, ?, ?)');
  const update = database.prepare('UPDATE tallies SET clouds = ? WHERE number = ?');
  const drop = database.prepare('DELETE FROM tallies WHERE number = ?');
  const countAgain = makeDayCount(database);

  function writeDay(dataset: string, date: string, changes: DayChanges): void {
    const known = find.get(dataset, date);
    // If it does not add up, because scenes were changed by hand, the day is counted again.
    const clouds = changeClouds(known?.clouds ?? new Uint8Array(0), changes) ?? countAgain(dataset, date);
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
