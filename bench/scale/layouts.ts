import type { Client } from 'pg';

/** A way to store scenes that is compared with ours. */
interface Layout {
  readonly name: string;
  /** SQL that makes the table `scenes` of this layout in the current schema, from `swath.scenes`. */
  readonly make: string;
}

const INDEXES = `
  CREATE INDEX ON scenes (number);
  CREATE INDEX ON scenes (dataset, date DESC, scene_id, view_id) INCLUDE (cloud, number);
  CREATE INDEX ON scenes (dataset, scene_id);
  CREATE INDEX ON scenes (dataset, product_id);`;

const toParts = (isByYear: boolean): string => `
  CREATE TABLE scenes (LIKE swath.scenes) PARTITION BY LIST (dataset);
  DO $$ DECLARE d text; y integer; BEGIN
    FOR d IN SELECT DISTINCT dataset FROM swath.tallies LOOP
      EXECUTE format('CREATE TABLE %I PARTITION OF scenes FOR VALUES IN (%L) ${isByYear ? 'PARTITION BY RANGE (date)' : ''}',
        'scenes_' || d, d);
      ${
        isByYear
          ? `FOR y IN SELECT DISTINCT left(date, 4)::integer FROM swath.tallies WHERE dataset = d LOOP
        EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
          'scenes_' || d || '_' || y, 'scenes_' || d, y::text, (y + 1)::text);
      END LOOP;`
          : ''
      }
    END LOOP;
  END $$;
  INSERT INTO scenes SELECT * FROM swath.scenes;
  CREATE UNIQUE INDEX ON scenes (dataset, ${isByYear ? 'date, ' : ''}view_id);${INDEXES}
  CREATE INDEX ON scenes USING gist (footprint);`;

/** The layouts that ours is compared with. */
export const layouts: readonly Layout[] = [
  {
    name: 'one table, plain index',
    make: `CREATE TABLE scenes (LIKE swath.scenes); INSERT INTO scenes SELECT * FROM swath.scenes;
      CREATE UNIQUE INDEX ON scenes (view_id);${INDEXES}
      CREATE INDEX ON scenes USING gist (footprint);`,
  },
  { name: 'parts by dataset', make: toParts(false) },
  { name: 'parts by dataset and year', make: toParts(true) },
];

/** The schema that a layout is made in: one at a time, because each is another copy of the scenes. */
export const LAYOUT_SCHEMA = 'layout';

/** Makes a layout in place of the one before; records and counts are those of the catalog. */
export async function makeLayout(client: Client, { make }: Layout): Promise<void> {
  await client.query(`DROP SCHEMA IF EXISTS ${LAYOUT_SCHEMA} CASCADE; CREATE SCHEMA ${LAYOUT_SCHEMA};
    SET search_path = ${LAYOUT_SCHEMA}, public`);
  await client.query(make);
  await client.query(`CREATE VIEW records AS SELECT * FROM swath.records;
    CREATE VIEW tallies AS SELECT * FROM swath.tallies;
    CREATE VIEW month_tallies AS SELECT * FROM swath.month_tallies;
    CREATE FUNCTION to_plane(area geometry, dataset text) RETURNS geometry LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
      RETURN swath.to_plane(area, dataset)`);
  await client.query('VACUUM (ANALYZE) scenes');
}
