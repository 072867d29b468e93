/**
 * The migration that has tasks run alone after the death of a worker. `alone` says whether a running task does, `strikes`
 * counts the deaths that speak against it, and `died_alone_at` is the time of the last.
 */
export const tasksAloneStep = `
  ALTER TABLE tasks ADD COLUMN alone INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE tasks ADD COLUMN strikes INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE tasks ADD COLUMN died_alone_at TEXT;
  CREATE INDEX tasks_to_run_alone ON tasks (deaths, number) WHERE state = 'queued' AND deaths > 0;
  CREATE INDEX tasks_died_alone ON tasks (died_alone_at) WHERE died_alone_at IS NOT NULL;`;
