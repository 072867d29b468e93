/**
 * The migration that has tasks run alone after the death of a worker. `alone` says whether a running task does, `strikes`
 * counts the deaths that speak against it, and `died_alone_at` is the time of the last. Open tasks start without deaths:
 * their jobs are among those that need not run alone, and the queue would wait for them.
 */
export const tasksAloneStep = `
  ALTER TABLE tasks ADD COLUMN alone integer NOT NULL DEFAULT 0, ADD COLUMN strikes integer NOT NULL DEFAULT 0,
    ADD COLUMN died_alone_at timestamptz;
  UPDATE tasks SET deaths = 0 WHERE state IN ('queued', 'running') AND deaths > 0;
  CREATE INDEX tasks_to_run_alone ON tasks (deaths, number) WHERE state = 'queued' AND deaths > 0;
  CREATE INDEX tasks_died_alone ON tasks (died_alone_at) WHERE died_alone_at IS NOT NULL;`;
