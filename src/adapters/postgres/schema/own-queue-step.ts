/**
 * The migration that makes the table of tasks the queue itself. Before, pg-boss had a job for each open task, in the schema
 * next to ours, and `queue_attempt` said for which of its attempts a lease was. Tasks that wait for their next attempt are
 * ready at once: that was a matter of seconds. Processes of the version before may go on until they stop: they lease a
 * task by the same change of its row, and so never one that another process has. Therefore the old column stays, and so do
 * the tables of pg-boss, which an administrator can drop later.
 */
export const ownQueueStep = `
  ALTER TABLE tasks ADD COLUMN ready_at timestamptz NOT NULL DEFAULT now();
  CREATE INDEX tasks_in_queue ON tasks (priority DESC, turn, number) WHERE state = 'queued';`;
