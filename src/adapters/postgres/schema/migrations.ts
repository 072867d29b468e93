import { changeReportsStep, toChangeTriggers } from './change-steps.ts';
import { monthTableStep } from './month-step.ts';
import { countTableStep, tasksApartStep, taskUsageStep } from './trigger-steps.ts';

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

/**
 * The migration that gives each dataset a plane of its own in the index of footprints: a search by place walks over scenes of
 * its dataset only, as if the table were partitioned (docs/operate/scale.md). Neighbours in the grid of planes are so far
 * apart that no world touches another; two datasets on one plane cost time, and change no answer. The body of the function
 * is bound when it is made, so that dumps can be restored under any search path. The two indexes that are no longer used
 * go at once where there are no scenes. Elsewhere nodes of the version before need the one of footprints, and dropping
 * either would have readers wait: the administrator does it later. There, the new index is built while nodes work
 * (online-steps.ts).
 */
const scenePlanesStep = `
  CREATE FUNCTION to_plane(area geometry, dataset text) RETURNS geometry
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ST_Translate(area,
      512 * (('x' || left(md5(dataset), 3))::bit(12)::integer % 64 - 32),
      256 * (('x' || left(md5(dataset), 3))::bit(12)::integer / 64 - 32));
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM scenes) THEN
      CREATE INDEX scenes_by_plane ON scenes USING gist (to_plane(footprint, dataset));
      DROP INDEX scenes_by_footprint, scenes_counted;
    END IF;
  END $$;`;

/**
 * The migration that gives each year of a dataset a plane of its own, in an index next to that of datasets: a search by place
 * and dates looks at the scenes of those years only. Where scenes exist it is built while nodes work (online-steps.ts).
 */
const sceneYearsStep = `
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM scenes) THEN
      CREATE INDEX scenes_by_year ON scenes USING gist (to_plane(footprint, dataset || left(date, 4)));
    END IF;
  END $$;`;

/**
 * Steps that bring a database to the newest schema version. Forward only: a released step is never edited, only followed.
 * Texts compare by code point everywhere ("C"), as SQLite and JavaScript's own order of UTF-8 do.
 */
export const migrations: readonly string[] = [
  `CREATE TABLE keys (
     id              text COLLATE "C" PRIMARY KEY,
     secret_hash     text COLLATE "C" NOT NULL UNIQUE,
     label           text NOT NULL,
     scope           text NOT NULL,
     rate_per_minute integer,
     created_at      text COLLATE "C" NOT NULL,
     expires_at      text COLLATE "C",
     revoked_at      text COLLATE "C"
   );

   CREATE TABLE contrasts (
     key  text COLLATE "C" PRIMARY KEY,
     low  float8 NOT NULL,
     high float8 NOT NULL
   );

   CREATE TABLE scenes (
     number     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     view_id    text COLLATE "C" NOT NULL UNIQUE,
     scene_id   text COLLATE "C" NOT NULL,
     product_id text COLLATE "C",
     dataset    text COLLATE "C" NOT NULL,
     date       text COLLATE "C" NOT NULL,
     cloud      float8,
     version    text COLLATE "C" NOT NULL,
     footprint  geometry(Geometry, 4326) NOT NULL,
     fields     jsonb NOT NULL
   );
   -- Records are kept apart, so that searching walks over small rows. They come and go with their scenes in one
   -- statement; a foreign key would cost a sixth of the time of loading.
   CREATE TABLE records (
     number bigint PRIMARY KEY,
     hit    text NOT NULL,
     rest   text NOT NULL
   );
   -- Four times as fast as PostgreSQL's own compression; not every build has it.
   DO $$ BEGIN
     ALTER TABLE records ALTER rest SET COMPRESSION lz4, ALTER hit SET COMPRESSION lz4;
   EXCEPTION WHEN feature_not_supported THEN NULL;
   END $$;

   -- Narrow, for counting by day; wide, for pages in order without a look at the table.
   CREATE INDEX scenes_counted ON scenes (dataset, date, cloud);
   CREATE INDEX scenes_in_order ON scenes (dataset, date DESC, scene_id, view_id) INCLUDE (cloud, number);
   CREATE INDEX scenes_by_scene_id ON scenes (dataset, scene_id);
   CREATE INDEX scenes_by_product_id ON scenes (dataset, product_id) WHERE product_id IS NOT NULL;
   CREATE INDEX scenes_by_footprint ON scenes USING gist (footprint);

   -- Counting in an index needs a fresh visibility map, and plans need fresh figures: tidy up after 1 %, not 20 %.
   ALTER TABLE scenes SET (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_scale_factor = 0.01,
     autovacuum_analyze_scale_factor = 0.01);`,
  // Areas of interest. Kept as text: jsonb would give other numbers and another order back than were sent.
  `CREATE TABLE areas (
     ref      text COLLATE "C" PRIMARY KEY,
     digest   text COLLATE "C" NOT NULL UNIQUE,
     feature  text NOT NULL,
     geometry text NOT NULL
   );`,
  // Custom colormaps, under a digest of their content. As text, like areas.
  `CREATE TABLE colormaps (
     id      text COLLATE "C" PRIMARY KEY,
     content text NOT NULL
   );`,
  countTableStep,
  // Ranges of intensities as JSON; numbers rise, so that the oldest can go.
  `CREATE TABLE intensities (
     number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     key    text COLLATE "C" NOT NULL UNIQUE,
     answer text NOT NULL
   );`,
  // Contrasts are measured again when they are gone; numbers rise, so that the oldest can go.
  `DROP TABLE contrasts;
   CREATE TABLE contrasts (
     number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     key    text COLLATE "C" NOT NULL UNIQUE,
     low    double precision NOT NULL,
     high   double precision NOT NULL
   );`,
  // Who stored what. Areas from before have no owner and count for nobody. Colormaps are shared: each owner has a row,
  // and those from before have one of nobody, '', so that they never lose their last owner.
  `ALTER TABLE areas ADD COLUMN owner text COLLATE "C", ADD COLUMN bytes integer NOT NULL DEFAULT 0;
   -- Holds all that usage is counted from.
   CREATE INDEX areas_by_owner ON areas (owner) INCLUDE (bytes) WHERE owner IS NOT NULL;

   CREATE TABLE colormap_owners (
     owner text COLLATE "C" NOT NULL,
     id    text COLLATE "C" NOT NULL REFERENCES colormaps (id),
     bytes integer NOT NULL,
     PRIMARY KEY (owner, id)
   );
   CREATE INDEX colormap_owners_by_id ON colormap_owners (id);
   INSERT INTO colormap_owners SELECT '', id, octet_length(content) FROM colormaps;

   -- Written to find out whether anything can be written.
   CREATE TABLE write_checks (
     number integer PRIMARY KEY,
     count  bigint NOT NULL
   );`,
  // Elevation models, their layers (files as ingested, and overview mosaics), and files with an index of their bounds
  // (dem-boxes.ts).
  `CREATE TABLE dems (
     name   text COLLATE "C" PRIMARY KEY,
     record text NOT NULL
   );
   CREATE TABLE dem_layers (
     number   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     dem      text COLLATE "C" NOT NULL REFERENCES dems (name) ON DELETE CASCADE,
     overview integer NOT NULL,
     revision text NOT NULL,
     UNIQUE (dem, overview)
   );
   CREATE TABLE dem_files (
     number     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     id         text COLLATE "C" NOT NULL UNIQUE,
     layer      integer NOT NULL REFERENCES dem_layers (number) ON DELETE CASCADE,
     west       float8 NOT NULL,
     east       float8 NOT NULL,
     south      float8 NOT NULL,
     north      float8 NOT NULL,
     resolution float8 NOT NULL,
     bounds     box NOT NULL,
     record     text NOT NULL
   );
   CREATE INDEX dem_files_in_order ON dem_files (layer, id);
   CREATE INDEX dem_files_by_bounds ON dem_files USING gist (bounds);`,
  // Tasks: all that pg-boss does not hold. Its own tables, the queue, are in a schema next to ours.
  `CREATE TABLE tasks (
     number          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     id              text COLLATE "C" NOT NULL UNIQUE,
     owner           text COLLATE "C" NOT NULL,
     kind            text COLLATE "C" NOT NULL,
     reference       text COLLATE "C" NOT NULL,
     digest          text COLLATE "C" NOT NULL,
     state           text COLLATE "C" NOT NULL,
     priority        integer NOT NULL,
     turn            integer NOT NULL,
     token           integer NOT NULL,
     -- Which attempt of pg-boss's job the lease is for.
     queue_attempt   integer,
     attempts        integer NOT NULL,
     deaths          integer NOT NULL,
     worker          text,
     lease_until     timestamptz,
     done            integer NOT NULL,
     total           integer NOT NULL,
     timeout_s       integer NOT NULL,
     estimated_bytes bigint NOT NULL,
     result_bytes    bigint NOT NULL,
     created_at      timestamptz NOT NULL,
     started_at      timestamptz,
     ended_at        timestamptz,
     error           text,
     body            text NOT NULL,
     result          text
   );
   CREATE INDEX tasks_queued ON tasks (turn) WHERE state = 'queued';
   CREATE INDEX tasks_running ON tasks (turn) WHERE state = 'running';
   CREATE INDEX tasks_of_owner ON tasks (owner, state) INCLUDE (turn, estimated_bytes, result_bytes);
   CREATE INDEX tasks_by_reference ON tasks (owner, reference);
   CREATE INDEX tasks_by_end ON tasks (ended_at) WHERE ended_at IS NOT NULL;`,
  // Secrets of the service, such as the one that signs links.
  `CREATE TABLE secrets (
     name  text COLLATE "C" PRIMARY KEY,
     value text NOT NULL
   );`,
  // Measurements of areas in scenes as JSON; numbers rise, so that the oldest can go.
  `CREATE TABLE scene_statistics (
     number   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     key      text COLLATE "C" NOT NULL UNIQUE,
     measured text NOT NULL
   );`,
  // Who is told when a task is over. However a task ends, its callback is due with the same commit. The number of rotations
  // of a key's callback secret is all that is stored of the secret.
  `CREATE TABLE callbacks (
     number       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     task_id      text COLLATE "C" NOT NULL UNIQUE REFERENCES tasks (id) ON DELETE CASCADE,
     owner        text COLLATE "C" NOT NULL,
     url          text NOT NULL,
     form         text NOT NULL,
     public_url   text NOT NULL,
     state        text COLLATE "C" NOT NULL,
     token        integer NOT NULL,
     attempts     integer NOT NULL,
     -- Null while nothing is to be sent. A lease moves it ahead.
     ready_at     timestamptz,
     next_at      timestamptz,
     last_status  integer,
     last_error   text,
     delivered_at timestamptz
   );
   CREATE INDEX callbacks_due ON callbacks (ready_at) WHERE ready_at IS NOT NULL;
   CREATE FUNCTION follow_task() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
   BEGIN
     IF NEW.state IN ('finished', 'failed') THEN
       UPDATE callbacks SET ready_at = now() WHERE task_id = NEW.id;
     ELSIF NEW.state = 'cancelled' THEN
       UPDATE callbacks SET state = 'cancelled', ready_at = NULL WHERE task_id = NEW.id;
     ELSIF NEW.state = 'queued' AND OLD.state IN ('failed', 'cancelled') THEN
       UPDATE callbacks SET state = 'waiting', token = token + 1, attempts = 0, ready_at = NULL, next_at = NULL,
         last_status = NULL, last_error = NULL, delivered_at = NULL WHERE task_id = NEW.id;
     END IF;
     RETURN NULL;
   END $body$;
   CREATE TRIGGER callbacks_follow AFTER UPDATE OF state ON tasks
     FOR EACH ROW WHEN (NEW.state <> OLD.state) EXECUTE FUNCTION follow_task();
   CREATE TABLE callback_rotations (
     key_id text COLLATE "C" PRIMARY KEY,
     count  integer NOT NULL
   );`,
  // Rates of keys. `full_at`: when all tokens are back, in microseconds since 1970. Unlogged, because a crash may empty it: no
  // request waits for the disk. Half of each page is for new versions of its rows, so that no index changes with them.
  `CREATE UNLOGGED TABLE rates (
     owner   text COLLATE "C" NOT NULL,
     name    text COLLATE "C" NOT NULL,
     full_at bigint NOT NULL,
     PRIMARY KEY (owner, name)
   ) WITH (fillfactor = 50);`,
  taskUsageStep,
  tasksApartStep,
  // Where running processes store results, so that they notice when they do not share them.
  `CREATE TABLE result_places (
     node     text COLLATE "C" PRIMARY KEY,
     store_id text COLLATE "C" NOT NULL,
     place    text NOT NULL,
     seen_at  timestamptz NOT NULL
   );`,
  tasksAloneStep,
  ownQueueStep,
  // Scenes of live catalogs that were used, and which node asks for one (`until_at`: milliseconds since 1970; unlogged,
  // because a crash may empty it). Records are kept apart: noting a use writes a short row again. Each such note leaves an
  // old row behind: tidy up after 5 % of them, not 20 %, so that new rows take their place.
  `CREATE TABLE known_scenes (
     number     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     view_id    text COLLATE "C" NOT NULL UNIQUE,
     scene_id   text COLLATE "C" NOT NULL,
     product_id text COLLATE "C",
     dataset    text COLLATE "C" NOT NULL,
     version    text COLLATE "C" NOT NULL,
     used_at    text COLLATE "C" NOT NULL,
     held_until text COLLATE "C" NOT NULL DEFAULT '',
     checked_at text COLLATE "C" NOT NULL,
     item_state text,
     catalog    text COLLATE "C" NOT NULL,
     item_url   text NOT NULL
   ) WITH (autovacuum_vacuum_scale_factor = 0.05);
   CREATE TABLE known_records (
     number bigint PRIMARY KEY REFERENCES known_scenes (number) ON DELETE CASCADE,
     hit    text NOT NULL,
     rest   text NOT NULL
   ) WITH (autovacuum_vacuum_scale_factor = 0.05);
   DO $$ BEGIN
     ALTER TABLE known_records ALTER rest SET COMPRESSION lz4, ALTER hit SET COMPRESSION lz4;
   EXCEPTION WHEN feature_not_supported THEN NULL;
   END $$;
   -- Holds all that decides which scene goes next.
   CREATE INDEX known_scenes_by_use ON known_scenes (used_at, number) INCLUDE (held_until);
   CREATE INDEX known_scenes_by_scene_id ON known_scenes (dataset, scene_id);
   CREATE INDEX known_scenes_by_product_id ON known_scenes (dataset, product_id) WHERE product_id IS NOT NULL;
   -- How many there are: counting 100,000 rows would take most of the time of adding one.
   CREATE TABLE known_scene_count (n bigint NOT NULL);
   INSERT INTO known_scene_count VALUES (0);
   CREATE FUNCTION count_known_scenes() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
   DECLARE more bigint;
   BEGIN
     SELECT CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END INTO more FROM changed;
     IF more <> 0 THEN UPDATE known_scene_count SET n = n + more; END IF;
     RETURN NULL;
   END $body$;
   CREATE TRIGGER known_scenes_added AFTER INSERT ON known_scenes REFERENCING NEW TABLE AS changed
     FOR EACH STATEMENT EXECUTE FUNCTION count_known_scenes();
   CREATE TRIGGER known_scenes_removed AFTER DELETE ON known_scenes REFERENCING OLD TABLE AS changed
     FOR EACH STATEMENT EXECUTE FUNCTION count_known_scenes();
   CREATE UNLOGGED TABLE known_scene_claims (
     view_id  text COLLATE "C" PRIMARY KEY,
     owner    text COLLATE "C" NOT NULL,
     until_at bigint NOT NULL
   );
   CREATE INDEX known_scene_claims_by_end ON known_scene_claims (until_at);`,
  // Saved renderings, and under which terms they can be used without a key (`share_id`).
  `CREATE TABLE recipes (
     owner           text COLLATE "C" NOT NULL,
     id              text COLLATE "C" NOT NULL,
     name            text COLLATE "C" NOT NULL,
     content         text NOT NULL,
     bytes           integer NOT NULL,
     created_at      text NOT NULL,
     share_id        text COLLATE "C" UNIQUE,
     expires_at      text,
     rate_per_minute integer,
     PRIMARY KEY (owner, id)
   );
   CREATE INDEX recipes_by_name ON recipes (owner, name, id);`,
  // Descriptions of cloud masks as JSON, and packed cells of them; numbers rise, so that the oldest can go. Cells are
  // packed already: compressing them again takes time and saves nothing.
  `CREATE TABLE coverage_masks (
     number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     key    text COLLATE "C" NOT NULL UNIQUE,
     mask   text NOT NULL
   );
   CREATE TABLE coverage_cells (
     number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     key    text COLLATE "C" NOT NULL,
     cell   integer NOT NULL,
     pixels bytea NOT NULL,
     UNIQUE (key, cell)
   );
   ALTER TABLE coverage_cells ALTER pixels SET STORAGE EXTERNAL;`,
  // Fields of keys, with numbers for their owners and what these have stored. `bounds` has the latitudes of each owner in
  // a strip of its own.
  `CREATE TABLE field_owners (
     number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     owner  text COLLATE "C" NOT NULL UNIQUE,
     fields integer NOT NULL DEFAULT 0,
     bytes  bigint NOT NULL DEFAULT 0
   );
   CREATE TABLE fields (
     number      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     owner       integer NOT NULL REFERENCES field_owners (number),
     id          text COLLATE "C" NOT NULL,
     external_id text COLLATE "C",
     name        text COLLATE "C" NOT NULL,
     grp         text COLLATE "C",
     crop        text COLLATE "C",
     sown_on     text COLLATE "C",
     hectares    float8 NOT NULL,
     west        float8 NOT NULL,
     south       float8 NOT NULL,
     east        float8 NOT NULL,
     north       float8 NOT NULL,
     bounds      box NOT NULL,
     hilbert     bigint NOT NULL,
     created_at  text COLLATE "C" NOT NULL,
     updated_at  text COLLATE "C" NOT NULL,
     version     integer NOT NULL,
     digest      text NOT NULL,
     bytes       integer NOT NULL,
     folded      text COLLATE "C" NOT NULL,
     properties  text NOT NULL,
     geometry    text NOT NULL
   );
   CREATE UNIQUE INDEX fields_by_id ON fields (owner, id);
   CREATE UNIQUE INDEX fields_by_external_id ON fields (owner, external_id) WHERE external_id IS NOT NULL;
   CREATE INDEX fields_by_name ON fields (owner, name, id);
   CREATE INDEX fields_by_update ON fields (owner, updated_at, id);
   CREATE INDEX fields_by_size ON fields (owner, hectares, id);
   CREATE INDEX fields_in_order ON fields (owner, hilbert, id);
   CREATE INDEX fields_of_group_by_name ON fields (owner, grp, name, id);
   CREATE INDEX fields_of_group_in_order ON fields (owner, grp, hilbert, id);
   CREATE INDEX fields_by_bounds ON fields USING gist (bounds);
   CREATE TABLE field_values (
     field      bigint NOT NULL REFERENCES fields (number) ON DELETE CASCADE,
     expression text COLLATE "C" NOT NULL,
     value      float8,
     date       text COLLATE "C" NOT NULL,
     PRIMARY KEY (field, expression)
   );
   CREATE TABLE field_shares (
     owner           text COLLATE "C" NOT NULL,
     grp             text COLLATE "C" NOT NULL,
     share_id        text COLLATE "C" NOT NULL UNIQUE,
     expires_at      text,
     rate_per_minute integer NOT NULL,
     PRIMARY KEY (owner, grp)
   );`,
  // References to the outlines of fields, which work like those of areas.
  `ALTER TABLE fields ADD COLUMN ref text COLLATE "C";
   CREATE UNIQUE INDEX fields_by_ref ON fields (ref);`,
  // What owners are to be told: subscriptions, what they have measured in scenes, and the events they have made.
  `CREATE TABLE subscriptions (
     id            text COLLATE "C" PRIMARY KEY,
     owner         text COLLATE "C" NOT NULL,
     name          text COLLATE "C" NOT NULL,
     content       text NOT NULL,
     area          text,
     callback_url  text,
     mail_to       text,
     is_paused     integer NOT NULL,
     created_at    text NOT NULL,
     since         text NOT NULL,
     checked_at    text,
     next_check_at bigint NOT NULL DEFAULT 0,
     leased_until  bigint NOT NULL DEFAULT 0,
     token         text,
     last_position bigint NOT NULL DEFAULT 0
   );
   CREATE INDEX subscriptions_by_owner ON subscriptions (owner, name, id);
   CREATE INDEX subscriptions_by_check ON subscriptions (next_check_at, id) WHERE is_paused = 0;
   CREATE TABLE watched_scenes (
     subscription text COLLATE "C" NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
     view_id      text COLLATE "C" NOT NULL,
     day          text COLLATE "C" NOT NULL,
     readings     text NOT NULL,
     PRIMARY KEY (subscription, view_id)
   );
   CREATE INDEX watched_scenes_by_day ON watched_scenes (subscription, day);
   CREATE TABLE watch_events (
     subscription text COLLATE "C" NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
     position     bigint NOT NULL,
     id           text COLLATE "C" NOT NULL,
     made_at      text NOT NULL,
     event        text NOT NULL,
     PRIMARY KEY (subscription, position),
     UNIQUE (subscription, id)
   );
   CREATE TABLE watch_sendings (
     subscription text COLLATE "C" NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
     channel      text COLLATE "C" NOT NULL,
     position     bigint NOT NULL,
     attempts     integer NOT NULL DEFAULT 0,
     due_at       bigint NOT NULL DEFAULT 0,
     leased_until bigint NOT NULL DEFAULT 0,
     token        text,
     last_error   text,
     PRIMARY KEY (subscription, channel)
   );`,
  // Mosaics of periods, which are measured again when another scene joins them.
  `ALTER TABLE watched_scenes ADD COLUMN sources text NOT NULL DEFAULT '';`,
  // What each key has used, by day.
  `CREATE TABLE key_usage (
     day       text COLLATE "C" NOT NULL,
     key_id    text COLLATE "C" NOT NULL,
     requests  bigint NOT NULL,
     tiles     bigint NOT NULL,
     bytes     bigint NOT NULL,
     tasks     bigint NOT NULL,
     thread_ms bigint NOT NULL,
     PRIMARY KEY (day, key_id)
   );
   CREATE INDEX key_usage_by_key ON key_usage (key_id, day);`,
  changeReportsStep,
  // The trace that a task was ordered in.
  'ALTER TABLE tasks ADD COLUMN traceparent text COLLATE "C";',
  // People who sign in, their sessions, and the keys that they make.
  `ALTER TABLE keys ADD COLUMN parent text COLLATE "C";
   CREATE TABLE people (
     key_id     text COLLATE "C" PRIMARY KEY,
     issuer     text COLLATE "C" NOT NULL,
     subject    text COLLATE "C" NOT NULL,
     email      text,
     name       text,
     created_at text NOT NULL,
     seen_at    text NOT NULL,
     UNIQUE (issuer, subject)
   );
   CREATE TABLE sessions (
     token_hash text COLLATE "C" PRIMARY KEY,
     key_id     text COLLATE "C" NOT NULL,
     state_hash text COLLATE "C" NOT NULL UNIQUE,
     created_at text NOT NULL,
     expires_at text COLLATE "C" NOT NULL
   );
   CREATE INDEX sessions_by_key ON sessions (key_id);
   CREATE INDEX sessions_by_end ON sessions (expires_at);
   ${toChangeTriggers('sessions', 'sessions', 'token_hash')}`,
  // The oldest schema version whose programs work on this database, although they do not know the newest steps.
  'ALTER TABLE shape ADD COLUMN works_from integer;',
  scenePlanesStep,
  // What an operator says of datasets.
  `CREATE TABLE dataset_texts (
     dataset text COLLATE "C" PRIMARY KEY,
     content text NOT NULL
   );`,
  // How far syncs are.
  `CREATE TABLE sync_notes (
     sync    text COLLATE "C" NOT NULL,
     name    text COLLATE "C" NOT NULL,
     content text NOT NULL,
     PRIMARY KEY (sync, name)
   );`,
  monthTableStep,
  sceneYearsStep,
  // The files of scenes as lists show them: splitting records takes longer than all else of a page.
  `ALTER TABLE records ADD COLUMN files text COLLATE "C";
   CREATE TABLE file_layouts (
     id      text COLLATE "C" PRIMARY KEY,
     content text NOT NULL
   );`,
];

/**
 * The schema version of the last release. Its nodes still run during an upgrade, and must be able to start again: no later
 * step removes what they use (docs/develop/migrations.md). A release sets it to the version of the one before.
 */
export const WORKS_FROM = 17;
