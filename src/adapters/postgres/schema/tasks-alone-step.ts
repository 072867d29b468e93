/**
 * The migration that has tasks run alone after the death of a worker. `alone` says whether a running task does, `strikes`
 * counts the deaths that speak against it, and `died_alone_at` is the time of the last.
 */
export const tasksAloneStep = `
  ALTER TABLE tasks ADD COLUMN alone integer NOT NULL DEFAULT 0, ADD COLUMN strikes integer NOT NULL DEFAULT 0,
    ADD COLUMN died_alone_at timestamptz;
  CREATE INDEX tasks_to_run_alone ON tasks (deaths, number) WHERE state = 'queued' AND deaths > 0;
  CREATE INDEX tasks_died_alone ON tasks (died_alone_at) WHERE died_alone_at IS NOT NULL;`;
