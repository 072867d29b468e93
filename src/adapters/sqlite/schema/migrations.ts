import { tasksApartStep } from './tasks-apart-step.ts';

/**
 * The migration that has tasks run alone after the death of a worker. `alone` says whether a running task does, `strikes`
 * counts the deaths that speak against it, and `died_alone_at` is the time of the last.
 */
const tasksAloneStep = `
  ALTER TABLE tasks ADD COLUMN alone INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE tasks ADD COLUMN strikes INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE tasks ADD COLUMN died_alone_at TEXT;
  CREATE INDEX tasks_to_run_alone ON tasks (deaths, number) WHERE state = 'queued' AND deaths > 0;
  CREATE INDEX tasks_died_alone ON tasks (died_alone_at) WHERE died_alone_at IS NOT NULL;`;

/**
 * Steps that bring a database to the newest schema version. Forward only: a released step is never edited, only followed.
 * The position in the list is the `user_version` of SQLite after the step. In addition to SQLite's own functions the steps may
 * call those of `defineMigrationFunctions`.
 */
export const migrations: readonly string[] = [
  `CREATE TABLE keys (
     id             TEXT PRIMARY KEY,
     secret_hash    TEXT NOT NULL UNIQUE,
     label          TEXT NOT NULL,
     scope          TEXT NOT NULL,
     rate_per_minute INTEGER,
     created_at     TEXT NOT NULL,
     expires_at     TEXT,
     revoked_at     TEXT
   ) STRICT;

   CREATE TABLE scenes (
     number    INTEGER PRIMARY KEY,
     view_id   TEXT NOT NULL UNIQUE,
     scene_id  TEXT NOT NULL,
     dataset   TEXT NOT NULL,
     date      TEXT NOT NULL,
     fields    TEXT NOT NULL,
     record    TEXT NOT NULL
   ) STRICT;
   CREATE INDEX scenes_by_date ON scenes (dataset, date DESC, scene_id);
   CREATE INDEX scenes_by_scene_id ON scenes (scene_id);
   CREATE VIRTUAL TABLE scene_bounds USING rtree (number, west, east, south, north);

   CREATE TABLE contrasts (
     key  TEXT PRIMARY KEY,
     low  REAL NOT NULL,
     high REAL NOT NULL
   ) STRICT, WITHOUT ROWID;`,
  // Records move out of the way of searching, and boxes never cross the antimeridian: number * 2, and + 1 for what
  // lies on the other side of it.
  `ALTER TABLE scenes RENAME TO old_scenes;
   DROP INDEX scenes_by_date;
   DROP INDEX scenes_by_scene_id;

   CREATE TABLE scenes (
     number     INTEGER PRIMARY KEY,
     view_id    TEXT NOT NULL UNIQUE,
     scene_id   TEXT NOT NULL,
     product_id TEXT,
     dataset    TEXT NOT NULL,
     date       TEXT NOT NULL,
     cloud      REAL,
     version    TEXT NOT NULL,
     footprint  TEXT NOT NULL,
     fields     BLOB NOT NULL
   ) STRICT;
   CREATE TABLE records (
     number INTEGER PRIMARY KEY REFERENCES scenes (number) ON DELETE CASCADE,
     hit    TEXT NOT NULL,
     rest   TEXT NOT NULL
   ) STRICT;
   CREATE VIRTUAL TABLE scene_boxes USING rtree (id, west, east, south, north);

   INSERT INTO scenes
     SELECT number, view_id, scene_id, json_extract(fields, '$.productID'), dataset, date,
            json_extract(fields, '$.cloudCoverage'), json_extract(record, '$.version'),
            json_extract(record, '$.footprint'), jsonb(fields)
     FROM old_scenes;
   INSERT INTO records
     SELECT number, json_remove(record, '$.assets'), json_object('assets', json_extract(record, '$.assets'))
     FROM old_scenes;
   INSERT INTO scene_boxes
     SELECT number * 2, max(west, -180), min(east, 180), south, north FROM scene_bounds;
   INSERT INTO scene_boxes
     SELECT number * 2 + 1, iif(east > 180, -180, west + 360), iif(east > 180, east - 360, 180), south, north
     FROM scene_bounds WHERE east > 180 OR west < -180;
   DROP TABLE old_scenes;
   DROP TABLE scene_bounds;

   -- Narrow, for counting by day; wide, for pages in order without a look at the table.
   CREATE INDEX scenes_counted ON scenes (dataset, date, cloud);
   CREATE INDEX scenes_in_order ON scenes (dataset, date DESC, scene_id, view_id, cloud);
   CREATE INDEX scenes_by_scene_id ON scenes (dataset, scene_id);
   CREATE INDEX scenes_by_product_id ON scenes (dataset, product_id) WHERE product_id IS NOT NULL;

   -- Figures of a large catalog, so that plans are made for one and never change: rows, then rows for each further
   -- column that is given, and bytes a row.
   ANALYZE sqlite_schema;
   INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
     ('scenes', 'scenes_counted', '1000000 200000 50 1 sz=40'),
     ('scenes', 'scenes_in_order', '1000000 200000 50 1 1 1 sz=110'),
     ('scenes', 'scenes_by_scene_id', '1000000 200000 1'),
     ('scenes', 'scenes_by_product_id', '1000000 200000 1'),
     ('scenes', 'sqlite_autoindex_scenes_1', '1000000 1');`,
  // Half as many bytes to write: footprints in binary, and packed what searching never reads. What most
  // searches filter by is next to the boxes, so that of the scenes of an area only possible matches are read.
  `CREATE TABLE packed_records (
     number INTEGER PRIMARY KEY REFERENCES scenes (number) ON DELETE CASCADE,
     hit    TEXT NOT NULL,
     rest   BLOB NOT NULL
   ) STRICT;
   INSERT INTO packed_records SELECT number, hit, packed_rest(rest) FROM records;
   DROP TABLE records;
   ALTER TABLE packed_records RENAME TO records;

   ALTER TABLE scenes ADD COLUMN ground BLOB NOT NULL DEFAULT x'';
   UPDATE scenes SET ground = well_known_binary(footprint);
   ALTER TABLE scenes DROP COLUMN footprint;
   ALTER TABLE scenes RENAME COLUMN ground TO footprint;

   CREATE VIRTUAL TABLE boxes USING rtree (id, west, east, south, north, +dataset, +date, +cloud);
   INSERT INTO boxes
     SELECT b.id, b.west, b.east, b.south, b.north, s.dataset, s.date, s.cloud
     FROM scene_boxes b JOIN scenes s ON s.number = b.id >> 1;
   DROP TABLE scene_boxes;
   ALTER TABLE boxes RENAME TO scene_boxes;`,
  // Areas of interest. Texts of up to a megabyte: look-ups by ref or digest never walk over them.
  `CREATE TABLE areas (
     number   INTEGER PRIMARY KEY,
     ref      TEXT NOT NULL UNIQUE,
     digest   TEXT NOT NULL UNIQUE,
     feature  TEXT NOT NULL,
     geometry TEXT NOT NULL
   ) STRICT;`,
  // Custom colormaps, under a digest of their content.
  `CREATE TABLE colormaps (
     id      TEXT PRIMARY KEY,
     content TEXT NOT NULL
   ) STRICT;`,
  // Ranges of intensities as JSON; numbers rise, so that the oldest can go.
  `CREATE TABLE intensities (
     number INTEGER PRIMARY KEY,
     key    TEXT NOT NULL UNIQUE,
     answer TEXT NOT NULL
   ) STRICT;`,
  // Contrasts are measured again when they are gone; numbers rise, so that the oldest can go.
  `DROP TABLE contrasts;
   CREATE TABLE contrasts (
     number INTEGER PRIMARY KEY,
     key    TEXT NOT NULL UNIQUE,
     low    REAL NOT NULL,
     high   REAL NOT NULL
   ) STRICT;`,
  // Clouds of each dataset and day (cloud-tally.ts), to count in: the index for it is no longer needed. The others say
  // less: names are rare enough without their dataset. And pages are in order from the oldest scene on: scenes come by
  // date, and SQLite fills pages to the end only where what is new comes last.
  `CREATE TABLE tallies (
     number  INTEGER PRIMARY KEY,
     dataset TEXT NOT NULL,
     date    TEXT NOT NULL,
     clouds  BLOB NOT NULL
   ) STRICT;
   INSERT INTO tallies (dataset, date, clouds)
     SELECT dataset, date, tally_of(dataset, date) FROM (SELECT DISTINCT dataset, date FROM scenes);
   CREATE UNIQUE INDEX tallies_by_date ON tallies (dataset, date);

   DROP INDEX scenes_counted;
   DROP INDEX scenes_in_order;
   DROP INDEX scenes_by_scene_id;
   DROP INDEX scenes_by_product_id;
   CREATE INDEX scenes_in_order ON scenes (dataset, date, scene_id DESC, view_id DESC, cloud);
   CREATE INDEX scenes_by_scene_id ON scenes (scene_id);
   CREATE INDEX scenes_by_product_id ON scenes (product_id) WHERE product_id IS NOT NULL;
   INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
     ('scenes', 'scenes_in_order', '1000000 200000 50 1 1 1 sz=110'),
     ('scenes', 'scenes_by_scene_id', '1000000 1'),
     ('scenes', 'scenes_by_product_id', '1000000 1'),
     ('tallies', 'tallies_by_date', '20000 4000 1');`,
  // Who stored what. Areas from before have no owner and count for nobody. Colormaps are shared: each owner has a row,
  // and those from before have one of nobody, '', so that they never lose their last owner.
  `ALTER TABLE areas ADD COLUMN owner TEXT;
   ALTER TABLE areas ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
   -- Holds all that usage is counted from.
   CREATE INDEX areas_by_owner ON areas (owner, bytes) WHERE owner IS NOT NULL;

   CREATE TABLE colormap_owners (
     owner TEXT NOT NULL,
     id    TEXT NOT NULL REFERENCES colormaps (id),
     bytes INTEGER NOT NULL,
     PRIMARY KEY (owner, id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX colormap_owners_by_id ON colormap_owners (id);
   INSERT INTO colormap_owners SELECT '', id, octet_length(content) FROM colormaps;

   -- Written to find out whether anything can be written.
   CREATE TABLE write_checks (
     number INTEGER PRIMARY KEY,
     count  INTEGER NOT NULL
   ) STRICT;`,
  // Elevation models, their layers (files as ingested, and overview mosaics), and files with an index of their bounds
  // (dem-boxes.ts). A record is the last column: comparing bounds does not read it.
  `CREATE TABLE dems (
     name   TEXT PRIMARY KEY,
     record TEXT NOT NULL
   ) STRICT;
   CREATE TABLE dem_layers (
     number   INTEGER PRIMARY KEY,
     dem      TEXT NOT NULL REFERENCES dems (name) ON DELETE CASCADE,
     overview INTEGER NOT NULL,
     revision TEXT NOT NULL,
     UNIQUE (dem, overview)
   ) STRICT;
   CREATE TABLE dem_files (
     number     INTEGER PRIMARY KEY,
     id         TEXT NOT NULL UNIQUE,
     layer      INTEGER NOT NULL REFERENCES dem_layers (number) ON DELETE CASCADE,
     west       REAL NOT NULL,
     east       REAL NOT NULL,
     south      REAL NOT NULL,
     north      REAL NOT NULL,
     resolution REAL NOT NULL,
     record     TEXT NOT NULL
   ) STRICT;
   -- Holds all that a layer is searched and summarized by.
   CREATE INDEX dem_files_in_order ON dem_files (layer, id, west, east, south, north, resolution);
   CREATE VIRTUAL TABLE dem_boxes USING rtree (number, west, east, low, high);`,
  // Tasks, which are also the queue. `lease_until` and `ready_at` are milliseconds of the machine's monotonic clock. Long
  // texts are the last columns: counting and queueing do not read them.
  `CREATE TABLE tasks (
     number          INTEGER PRIMARY KEY,
     id              TEXT NOT NULL UNIQUE,
     owner           TEXT NOT NULL,
     kind            TEXT NOT NULL,
     reference       TEXT NOT NULL,
     digest          TEXT NOT NULL,
     state           TEXT NOT NULL,
     priority        INTEGER NOT NULL,
     turn            INTEGER NOT NULL,
     token           INTEGER NOT NULL,
     attempts        INTEGER NOT NULL,
     deaths          INTEGER NOT NULL,
     worker          TEXT,
     lease_until     INTEGER,
     ready_at        INTEGER NOT NULL,
     done            INTEGER NOT NULL,
     total           INTEGER NOT NULL,
     timeout_s       INTEGER NOT NULL,
     estimated_bytes INTEGER NOT NULL,
     result_bytes    INTEGER NOT NULL,
     created_at      TEXT NOT NULL,
     started_at      TEXT,
     ended_at        TEXT,
     error           TEXT,
     body            TEXT NOT NULL,
     result          TEXT
   ) STRICT;
   CREATE INDEX tasks_in_queue ON tasks (priority DESC, turn, number) WHERE state = 'queued';
   CREATE INDEX tasks_queued_turn ON tasks (turn) WHERE state = 'queued';
   CREATE INDEX tasks_running ON tasks (turn) WHERE state = 'running';
   CREATE INDEX tasks_of_owner ON tasks (owner, state, turn, estimated_bytes, result_bytes);
   CREATE INDEX tasks_by_reference ON tasks (owner, reference);
   CREATE INDEX tasks_by_end ON tasks (ended_at) WHERE ended_at IS NOT NULL;
   CREATE INDEX tasks_by_state ON tasks (state, kind);`,
  // Secrets of the service, such as the one that signs links.
  `CREATE TABLE secrets (
     name  TEXT PRIMARY KEY,
     value TEXT NOT NULL
   ) STRICT;`,
  // Measurements of areas in scenes as JSON; numbers rise, so that the oldest can go.
  `CREATE TABLE scene_statistics (
     number   INTEGER PRIMARY KEY AUTOINCREMENT,
     key      TEXT NOT NULL UNIQUE,
     measured TEXT NOT NULL
   ) STRICT;`,
  // Who is told when a task is over. However a task ends, its callback is due with the same commit. The number of rotations
  // of a key's callback secret is all that is stored of the secret.
  `CREATE TABLE callbacks (
     number       INTEGER PRIMARY KEY,
     task_id      TEXT NOT NULL UNIQUE REFERENCES tasks (id) ON DELETE CASCADE,
     owner        TEXT NOT NULL,
     url          TEXT NOT NULL,
     form         TEXT NOT NULL,
     public_url   TEXT NOT NULL,
     state        TEXT NOT NULL,
     token        INTEGER NOT NULL,
     attempts     INTEGER NOT NULL,
     -- On the clock of the machine; null while nothing is to be sent. A lease moves it ahead.
     ready_at     INTEGER,
     next_at      TEXT,
     last_status  INTEGER,
     last_error   TEXT,
     delivered_at TEXT
   ) STRICT;
   CREATE INDEX callbacks_due ON callbacks (ready_at) WHERE ready_at IS NOT NULL;
   CREATE TRIGGER callbacks_of_ended AFTER UPDATE OF state ON tasks
     WHEN NEW.state IN ('finished', 'failed') AND OLD.state <> NEW.state
   BEGIN
     UPDATE callbacks SET ready_at = 0 WHERE task_id = NEW.id;
   END;
   CREATE TRIGGER callbacks_of_cancelled AFTER UPDATE OF state ON tasks
     WHEN NEW.state = 'cancelled' AND OLD.state <> NEW.state
   BEGIN
     UPDATE callbacks SET state = 'cancelled', ready_at = NULL WHERE task_id = NEW.id;
   END;
   CREATE TRIGGER callbacks_of_retried AFTER UPDATE OF state ON tasks
     WHEN NEW.state = 'queued' AND OLD.state IN ('failed', 'cancelled')
   BEGIN
     UPDATE callbacks SET state = 'waiting', token = token + 1, attempts = 0, ready_at = NULL, next_at = NULL,
       last_status = NULL, last_error = NULL, delivered_at = NULL WHERE task_id = NEW.id;
   END;
   CREATE TABLE callback_rotations (
     key_id TEXT PRIMARY KEY,
     count  INTEGER NOT NULL
   ) STRICT;`,
  // Rates of keys. `full_at`: when all tokens are back, in microseconds of the machine's monotonic clock. One tree of small
  // rows, so that a request changes one page.
  `CREATE TABLE rates (
     owner   TEXT NOT NULL,
     name    TEXT NOT NULL,
     full_at INTEGER NOT NULL,
     PRIMARY KEY (owner, name)
   ) STRICT, WITHOUT ROWID;`,
  tasksApartStep,
  // Where running processes store results, so that they notice when they do not share them.
  `CREATE TABLE result_places (
     node     TEXT PRIMARY KEY,
     store_id TEXT NOT NULL,
     place    TEXT NOT NULL,
     seen_at  INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;`,
  tasksAloneStep,
  // Scenes of live catalogs that were used, and which process asks for one (`until_at`: milliseconds since 1970). Records
  // are kept apart: noting a use rewrites a short row. Numbers are never used again: one with a version names a record.
  `CREATE TABLE known_scenes (
     number     INTEGER PRIMARY KEY AUTOINCREMENT,
     view_id    TEXT NOT NULL UNIQUE,
     scene_id   TEXT NOT NULL,
     product_id TEXT,
     dataset    TEXT NOT NULL,
     version    TEXT NOT NULL,
     used_at    TEXT NOT NULL,
     held_until TEXT NOT NULL DEFAULT '',
     checked_at TEXT NOT NULL,
     item_state TEXT,
     catalog    TEXT NOT NULL,
     item_url   TEXT NOT NULL
   ) STRICT;
   CREATE TABLE known_records (
     number INTEGER PRIMARY KEY REFERENCES known_scenes (number) ON DELETE CASCADE,
     hit    TEXT NOT NULL,
     rest   BLOB NOT NULL
   ) STRICT;
   -- Holds all that decides which scene goes next.
   CREATE INDEX known_scenes_by_use ON known_scenes (used_at, number, held_until);
   CREATE INDEX known_scenes_by_scene_id ON known_scenes (scene_id);
   CREATE INDEX known_scenes_by_product_id ON known_scenes (product_id) WHERE product_id IS NOT NULL;
   INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
     ('known_scenes', 'known_scenes_by_use', '100000 2 1 1'),
     ('known_scenes', 'known_scenes_by_scene_id', '100000 1'),
     ('known_scenes', 'known_scenes_by_product_id', '100000 1'),
     ('known_scenes', 'sqlite_autoindex_known_scenes_1', '100000 1');
   CREATE TABLE known_scene_claims (
     view_id  TEXT PRIMARY KEY,
     owner    TEXT NOT NULL,
     until_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX known_scene_claims_by_end ON known_scene_claims (until_at);`,
  // Saved renderings, and under which terms they can be used without a key (`share_id`).
  `CREATE TABLE recipes (
     owner           TEXT NOT NULL,
     id              TEXT NOT NULL,
     name            TEXT NOT NULL,
     content         TEXT NOT NULL,
     bytes           INTEGER NOT NULL,
     created_at      TEXT NOT NULL,
     share_id        TEXT UNIQUE,
     expires_at      TEXT,
     rate_per_minute INTEGER,
     PRIMARY KEY (owner, id)
   ) STRICT;
   CREATE INDEX recipes_by_name ON recipes (owner, name, id);`,
  // Descriptions of cloud masks as JSON, and packed cells of them; numbers rise, so that the oldest can go.
  `CREATE TABLE coverage_masks (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     key    TEXT NOT NULL UNIQUE,
     mask   TEXT NOT NULL
   ) STRICT;
   CREATE TABLE coverage_cells (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     key    TEXT NOT NULL,
     cell   INTEGER NOT NULL,
     pixels BLOB NOT NULL,
     UNIQUE (key, cell)
   ) STRICT;`,
  // Fields of keys, with numbers for their owners and what these have stored. Long texts are the last columns. The index
  // of names holds all that a search for text or crop looks at. The spatial index has the owner as a third dimension.
  `CREATE TABLE field_owners (
     number INTEGER PRIMARY KEY,
     owner  TEXT NOT NULL UNIQUE,
     fields INTEGER NOT NULL DEFAULT 0,
     bytes  INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE TABLE fields (
     number      INTEGER PRIMARY KEY,
     owner       INTEGER NOT NULL REFERENCES field_owners (number),
     id          TEXT NOT NULL,
     external_id TEXT,
     name        TEXT NOT NULL,
     grp         TEXT,
     crop        TEXT,
     sown_on     TEXT,
     hectares    REAL NOT NULL,
     west        REAL NOT NULL,
     south       REAL NOT NULL,
     east        REAL NOT NULL,
     north       REAL NOT NULL,
     hilbert     INTEGER NOT NULL,
     created_at  TEXT NOT NULL,
     updated_at  TEXT NOT NULL,
     version     INTEGER NOT NULL,
     digest      TEXT NOT NULL,
     bytes       INTEGER NOT NULL,
     folded      TEXT NOT NULL,
     properties  TEXT NOT NULL,
     geometry    TEXT NOT NULL
   ) STRICT;
   CREATE UNIQUE INDEX fields_by_id ON fields (owner, id);
   CREATE UNIQUE INDEX fields_by_external_id ON fields (owner, external_id) WHERE external_id IS NOT NULL;
   CREATE INDEX fields_by_name ON fields (owner, name, id, crop, folded);
   CREATE INDEX fields_by_update ON fields (owner, updated_at, id);
   CREATE INDEX fields_by_size ON fields (owner, hectares, id);
   CREATE INDEX fields_in_order ON fields (owner, hilbert, id);
   CREATE INDEX fields_of_group_by_name ON fields (owner, grp, name, id);
   CREATE INDEX fields_of_group_in_order ON fields (owner, grp, hilbert, id);
   CREATE VIRTUAL TABLE field_boxes USING rtree (number, low, high, west, east, south, north);
   INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
     ('fields', 'fields_by_id', '1000000 100000 1'),
     ('fields', 'fields_by_external_id', '1000000 100000 1'),
     ('fields', 'fields_by_name', '1000000 100000 2 1 1 1'),
     ('fields', 'fields_by_update', '1000000 100000 500 1'),
     ('fields', 'fields_by_size', '1000000 100000 2 1'),
     ('fields', 'fields_in_order', '1000000 100000 1 1'),
     ('fields', 'fields_of_group_by_name', '1000000 100000 1000 2 1'),
     ('fields', 'fields_of_group_in_order', '1000000 100000 1000 1 1');
   CREATE TABLE field_values (
     field      INTEGER NOT NULL REFERENCES fields (number) ON DELETE CASCADE,
     expression TEXT NOT NULL,
     value      REAL,
     date       TEXT NOT NULL,
     PRIMARY KEY (field, expression)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE field_shares (
     owner           TEXT NOT NULL,
     grp             TEXT NOT NULL,
     share_id        TEXT NOT NULL UNIQUE,
     expires_at      TEXT,
     rate_per_minute INTEGER NOT NULL,
     PRIMARY KEY (owner, grp)
   ) STRICT;`,
  // References to the outlines of fields, which work like those of areas.
  `ALTER TABLE fields ADD COLUMN ref TEXT;
   CREATE UNIQUE INDEX fields_by_ref ON fields (ref);
   INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('fields', 'fields_by_ref', '1000000 1');`,
  // What owners are to be told: subscriptions, what they have measured in scenes, and the events they have made.
  `CREATE TABLE subscriptions (
     id            TEXT PRIMARY KEY,
     owner         TEXT NOT NULL,
     name          TEXT NOT NULL,
     content       TEXT NOT NULL,
     area          TEXT,
     callback_url  TEXT,
     mail_to       TEXT,
     is_paused     INTEGER NOT NULL,
     created_at    TEXT NOT NULL,
     since         TEXT NOT NULL,
     checked_at    TEXT,
     next_check_at INTEGER NOT NULL DEFAULT 0,
     leased_until  INTEGER NOT NULL DEFAULT 0,
     token         TEXT,
     last_position INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE INDEX subscriptions_by_owner ON subscriptions (owner, name, id);
   CREATE INDEX subscriptions_by_check ON subscriptions (next_check_at, id) WHERE is_paused = 0;
   CREATE TABLE watched_scenes (
     subscription TEXT NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
     view_id      TEXT NOT NULL,
     day          TEXT NOT NULL,
     readings     TEXT NOT NULL,
     PRIMARY KEY (subscription, view_id)
   ) STRICT;
   CREATE INDEX watched_scenes_by_day ON watched_scenes (subscription, day);
   CREATE TABLE watch_events (
     subscription TEXT NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
     position     INTEGER NOT NULL,
     id           TEXT NOT NULL,
     made_at      TEXT NOT NULL,
     event        TEXT NOT NULL,
     PRIMARY KEY (subscription, position),
     UNIQUE (subscription, id)
   ) STRICT;
   CREATE TABLE watch_sendings (
     subscription TEXT NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
     channel      TEXT NOT NULL,
     position     INTEGER NOT NULL,
     attempts     INTEGER NOT NULL DEFAULT 0,
     due_at       INTEGER NOT NULL DEFAULT 0,
     leased_until INTEGER NOT NULL DEFAULT 0,
     token        TEXT,
     last_error   TEXT,
     PRIMARY KEY (subscription, channel)
   ) STRICT;`,
  // Mosaics of periods, which are measured again when another scene joins them.
  `ALTER TABLE watched_scenes ADD COLUMN sources TEXT NOT NULL DEFAULT '';`,
  // What each key has used, by day.
  `CREATE TABLE key_usage (
     day       TEXT NOT NULL,
     key_id    TEXT NOT NULL,
     requests  INTEGER NOT NULL,
     tiles     INTEGER NOT NULL,
     bytes     INTEGER NOT NULL,
     tasks     INTEGER NOT NULL,
     thread_ms INTEGER NOT NULL,
     PRIMARY KEY (day, key_id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX key_usage_by_key ON key_usage (key_id, day);`,
  // The trace that a task was ordered in.
  `ALTER TABLE tasks ADD COLUMN traceparent TEXT;`,
  // People who sign in, their sessions, and the keys that they make.
  `ALTER TABLE keys ADD COLUMN parent TEXT;
   CREATE TABLE people (
     key_id     TEXT PRIMARY KEY,
     issuer     TEXT NOT NULL,
     subject    TEXT NOT NULL,
     email      TEXT,
     name       TEXT,
     created_at TEXT NOT NULL,
     seen_at    TEXT NOT NULL,
     UNIQUE (issuer, subject)
   ) STRICT;
   CREATE TABLE sessions (
     token_hash TEXT PRIMARY KEY,
     key_id     TEXT NOT NULL,
     state_hash TEXT NOT NULL UNIQUE,
     created_at TEXT NOT NULL,
     expires_at TEXT NOT NULL
   ) STRICT;
   CREATE INDEX sessions_by_key ON sessions (key_id);
   CREATE INDEX sessions_by_end ON sessions (expires_at);`,
  // What an operator says of datasets.
  `CREATE TABLE dataset_texts (
     dataset TEXT PRIMARY KEY,
     content TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;`,
  // How far syncs are. A table with row ids, because notes may have megabytes.
  `CREATE TABLE sync_notes (
     sync    TEXT NOT NULL,
     name    TEXT NOT NULL,
     content TEXT NOT NULL,
     PRIMARY KEY (sync, name)
   ) STRICT;`,
  // The files of scenes as lists show them: unpacking records takes longer than all else of a page.
  `ALTER TABLE records ADD COLUMN files TEXT;
   CREATE TABLE file_layouts (
     id      TEXT PRIMARY KEY,
     content TEXT NOT NULL
   ) STRICT;`,
];
