import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPostgresStore } from '../../src/adapters/postgres/index.ts';
import { migrations } from '../../src/adapters/postgres/schema/migrations.ts';
import { makeScene } from '../../src/catalog/testing/make-scene.ts';
import { knownSceneNodesContract } from './known-scene-store-contract.ts';
import { explainCoverage, explainDemSearches, explainFields, explainSearches } from './postgres-plans.ts';
import { addPostgis, makeSchemaName, postgresUrl, withClient } from './postgres-schema.ts';
import type { StoreUnderTest } from './store-contract.ts';
import { storeContract } from './store-contract.ts';

async function openIn(url: string, schema: string): Promise<StoreUnderTest> {
  const store = await openPostgresStore(url, { schema, poolSize: 4 });
  return {
    ...store,
    async reopen() {
      await store.close();
      return openIn(url, schema);
    },
    async close() {
      await store.close();
      await dropSchema(url, schema);
    },
  };
}

const dropSchema = (url: string, schema: string): Promise<unknown> =>
  withClient(url, schema, (client) => client.query(`DROP SCHEMA ${schema} CASCADE`));

function postgresTests(url: string): void {
  storeContract('PostgreSQL', () => openIn(url, makeSchemaName()));

  knownSceneNodesContract('PostgreSQL', async () => {
    const schema = makeSchemaName();
    const openNode = () => openPostgresStore(url, { schema, poolSize: 4 });
    const nodes = [await openNode(), await openNode()] as const;
    return {
      nodes,
      async close() {
        await Promise.all(nodes.map((node) => node.close()));
        await dropSchema(url, schema);
      },
    };
  });

  test('PostgreSQL: nodes that start concurrently create one database', async () => {
    const schema = makeSchemaName();
    const nodes = await Promise.all(
      Array.from({ length: 6 }, () => openPostgresStore(url, { schema, poolSize: 2 })),
    );
    const batch = Array.from({ length: 20 }, (_, i) => makeScene(i + 1));
    // All write the same scenes, each in an order of its own.
    const outcomes = await Promise.all(
      nodes.map(({ scenes }, i) => scenes.putMany([...batch.slice(i), ...batch.slice(0, i)])),
    );
    assert.equal(outcomes.flat().filter((outcome) => outcome === 'added').length, 20);
    assert.equal(await nodes[0]?.scenes.count(), 20);
    await Promise.all(nodes.map((node) => node.ping()));
    await Promise.all(nodes.map((node) => node.close()));
    await dropSchema(url, schema);
  });

  test('PostgreSQL: a database of a newer program is refused and not changed', async () => {
    const schema = makeSchemaName();
    await (await openPostgresStore(url, { schema })).close();
    // The next version expands: programs of this one start again while nodes are upgraded.
    const upgrade = (worksFrom: number) =>
      withClient(url, schema, (client) =>
        client.query('UPDATE shape SET version = 999, works_from = $1', [worksFrom]),
      );
    await upgrade(migrations.length);
    await (await openPostgresStore(url, { schema })).close();
    await upgrade(migrations.length + 1);
    await assert.rejects(openPostgresStore(url, { schema }), { code: 'store-newer', message: /newer Swath/ });
    await dropSchema(url, schema);
  });

  test('PostgreSQL: areas and colormaps from before owners were recorded stay, and belong to no one', async () => {
    const schema = makeSchemaName();
    const step = migrations.findIndex((sql) => sql.includes('CREATE TABLE colormap_owners'));
    await withClient(url, schema, async (client) => {
      await addPostgis(client);
      await client.query(`CREATE SCHEMA ${schema}; CREATE TABLE shape (version integer NOT NULL)`);
      for (const sql of migrations.slice(0, step)) await client.query(sql);
      await client.query(`INSERT INTO areas (ref, digest, feature, geometry) VALUES ('r', 'd', '{"old": 1}', '{}');
        INSERT INTO colormaps VALUES ('c', '{"colors": []}'); INSERT INTO shape VALUES (${step})`);
    });
    const { areas, colormaps, close } = await openPostgresStore(url, { schema });
    assert.equal((await areas.find('r'))?.feature, '{"old": 1}');
    assert.equal(await areas.remove('r', 'key'), false);
    assert.equal((await areas.usage()).size + (await colormaps.usage()).size, 0);
    const content = await colormaps.find('c');
    assert.equal(await colormaps.put({ id: 'c', content: content as never, owner: 'key' }, 1), null);
    assert.equal(await colormaps.remove('c', 'key'), true);
    assert.ok(await colormaps.find('c'), 'others may still use it');
    await close();
    await dropSchema(url, schema);
  });

  test('PostgreSQL: files are read from records whose column of files is missing or belongs to another version', async () => {
    const schema = makeSchemaName();
    const store = await openPostgresStore(url, { schema });
    const scenes = [1, 2, 3].map((i) => makeScene(i));
    await store.scenes.putMany(scenes);
    const datasets = [...new Set(scenes.map(({ dataset }) => dataset))].map((id) => ({ id, filters: [] }));
    const list = async () => {
      const sort = { field: 'date', descending: true } as const;
      const { hits } = await store.scenes.searchHits({
        datasets,
        sort,
        offset: 0,
        limit: 9,
        withFiles: true,
      });
      assert.equal(hits.length, 3);
      assert.deepEqual(await Promise.all(hits.map(({ viewId }) => store.scenes.findHit?.(viewId))), hits);
      return hits;
    };
    const right = await list();
    await withClient(url, schema, async (client) => {
      const change = (column: string) => client.query(`UPDATE records SET files = ${column}`);
      const { rows } = await client.query('SELECT files FROM records WHERE files IS NULL');
      assert.equal(rows.length, 0);
      await change("overlay(substr(files, 1, 40) || '1,2,3,4' placing 'fedcba9876543210' from 1)");
      assert.deepEqual(await list(), right, 'another version');
      await change('NULL');
      assert.deepEqual(await list(), right, 'no column');
      await store.scenes.put({ ...scenes[0]!, cloudPercent: 77 });
      await change("substr(files, 1, 40) || '1,2,3,4'");
      // Where the version is right the column counts: it is read.
      assert.notDeepEqual(
        (await list()).map((hit) => 'files' in hit && hit.files),
        right.map((hit) => 'files' in hit && hit.files),
      );
    });
    await store.close();
    await dropSchema(url, schema);
  });

  test('PostgreSQL: a wrong password and a missing database are distinguished', async () => {
    const wrong = new URL(url);
    wrong.password = 'not-this-one';
    const missing = new URL(url);
    missing.pathname = '/no_such_database';
    const isTrusting = await openPostgresStore(wrong.href, { schema: 'test_trust' }).then(
      (store) => store.close().then(() => true),
      (error: Error & { code: string }) => {
        assert.equal(error.code, 'store-refused');
        assert.doesNotMatch(error.message, /not-this-one/);
        return false;
      },
    );
    // A server that trusts everyone asks for no password; ours does.
    if (isTrusting) await dropSchema(url, 'test_trust');
    await assert.rejects(openPostgresStore(missing.href), { code: 'store-missing', message: /createdb/ });
  });

  test('PostgreSQL: a statement that takes too long is aborted with an explanation', async () => {
    const schema = makeSchemaName();
    await (await openPostgresStore(url, { schema })).close();
    const hasty = await openPostgresStore(url, { schema, statementTimeoutMs: 300 });
    await withClient(url, schema, async (client) => {
      await client.query('BEGIN; LOCK TABLE scenes IN ACCESS EXCLUSIVE MODE');
      await assert.rejects(hasty.scenes.count(), { tag: 'timed-out', code: 'store-timeout' });
      await client.query('ROLLBACK');
    });
    assert.equal(await hasty.scenes.count(), 0, 'the connection goes on working');
    await hasty.close();
    await dropSchema(url, schema);
  });

  test('PostgreSQL: a migration may take longer than a search', async () => {
    const schema = makeSchemaName();
    // No step of it takes less than a millisecond.
    const store = await openPostgresStore(url, { schema, statementTimeoutMs: 1 });
    await store.close();
    await (await openPostgresStore(url, { schema })).close();
    await dropSchema(url, schema);
  });

  test('PostgreSQL: the count and the page come from one snapshot', async () => {
    const schema = makeSchemaName();
    const store = await openPostgresStore(url, { schema, poolSize: 4 });
    const batch = Array.from({ length: 200 }, (_, i) => makeScene((i % 28) + 1, { viewId: `S2/${i}` }));
    let isWriting = true;
    const writing = (async () => {
      // All of them or none of them, again and again.
      for (let round = 0; round < 12; round += 1) {
        await store.scenes.putMany(batch);
        await withClient(url, schema, (client) =>
          client.query(
            'WITH gone AS (DELETE FROM scenes RETURNING number) DELETE FROM records USING gone WHERE records.number = gone.number',
          ),
        );
      }
      isWriting = false;
    })();
    const query = {
      datasets: [{ id: 'sentinel2', filters: [] }],
      sort: { field: 'date', descending: true },
      offset: 0,
      limit: 500,
    } as const;
    const shape = { geometry: { type: 'Point', coordinates: [2.5, 42.5] }, relation: 'intersects' } as const;
    let searches = 0;
    while (isWriting) {
      for (const asked of [
        query,
        { ...query, offset: 10 },
        { ...query, shape },
        { ...query, shape, offset: 10 },
      ]) {
        const { found, hits } = await store.scenes.searchHits(asked);
        assert.deepEqual([found, hits.length], found === 0 ? [0, 0] : [200, 200 - asked.offset]);
        searches += 1;
      }
    }
    await writing;
    assert.ok(searches > 12, `${searches} searches`);
    await store.close();
    await dropSchema(url, schema);
  });

  test('PostgreSQL: every kind of search uses its index', async () => {
    const schema = makeSchemaName();
    await (await openPostgresStore(url, { schema })).close();
    const plans = await withClient(url, schema, explainSearches);
    await dropSchema(url, schema);
    for (const [kind, plan] of Object.entries(plans)) assert.doesNotMatch(plan, /Seq Scan on scenes/, kind);
    // Whether the index alone will do depends on what other tests have open: old rows stay visible for them.
    assert.match(plans.count ?? '', /(using|on) scenes_in_order\b/);
    assert.match(plans.days ?? '', /(using|on) scenes_in_order\b/);
    assert.match(plans.page ?? '', /(using|on) scenes_in_order\b/);
    assert.match(plans.quickCount ?? '', /(using|on) tallies_by_date\b/);
    assert.match(plans.quickDays ?? '', /(using|on) tallies_by_date\b/);
    assert.match(plans.quickMonths ?? '', /(using|on) month_tallies_by_month\b/);
    assert.match(plans.sceneId ?? '', /scenes_by_scene_id/);
    assert.match(plans.point ?? '', /scenes_by_year/);
    assert.match(plans.pointOfYears ?? '', /scenes_by_year/);
    assert.match(plans.pointSince ?? '', /scenes_by_plane/);
    assert.match(plans.polygon ?? '', /scenes_by_plane/);
    assert.equal(plans.datasets?.match(/(using|on) scenes_in_order\b/g)?.length, 2);
    assert.match(plans.name ?? '', /scenes_by_scene_id[\s\S]*scenes_by_product_id/);
  });

  test('PostgreSQL: files of elevation models are looked up by their bounds', async () => {
    const schema = makeSchemaName();
    await (await openPostgresStore(url, { schema })).close();
    const plans = await withClient(url, schema, explainDemSearches);
    await dropSchema(url, schema);
    for (const [kind, plan] of Object.entries(plans)) {
      assert.match(plan, /(using|on) dem_files_by_bounds\b/, kind);
      assert.doesNotMatch(plan, /Seq Scan on dem_files/, kind);
    }
  });

  test('PostgreSQL: fields are looked up in the order of their list, by their boxes, and along the curve', async () => {
    const schema = makeSchemaName();
    await (await openPostgresStore(url, { schema })).close();
    const plans = await withClient(url, schema, explainFields);
    await dropSchema(url, schema);
    const indexes = {
      page: 'fields_by_name',
      group: 'fields_of_group_by_name',
      box: 'fields_by_bounds',
      boxCount: 'fields_by_bounds',
      shapes: 'fields_in_order',
    };
    for (const [kind, index] of Object.entries(indexes)) {
      assert.match(plans[kind] ?? '', new RegExp(`(using|on) ${index}\\b`), kind);
      assert.doesNotMatch(plans[kind] ?? '', /Seq Scan on fields/, kind);
    }
  });

  test('PostgreSQL: cells of cloud masks are looked up by their keys', async () => {
    const schema = makeSchemaName();
    await (await openPostgresStore(url, { schema })).close();
    const plans = await withClient(url, schema, explainCoverage);
    await dropSchema(url, schema);
    assert.match(plans.masks ?? '', /(using|on) coverage_masks_key_key\b/);
    assert.match(plans.cells ?? '', /(using|on) coverage_cells_key_cell_key\b/);
    for (const plan of Object.values(plans)) assert.doesNotMatch(plan, /Seq Scan/);
  });
}

if (postgresUrl !== undefined) postgresTests(postgresUrl);
else test('PostgreSQL', { skip: 'TEST_DATABASE_URL is not set; see CONTRIBUTING.md' }, () => {});
