/**
 * Steps that bring a database to the newest shape. Forward only: a released step is never edited, only followed.
 * The position in the list is the `user_version` of SQLite after the step.
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
];
