import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readError } from '../testing/make-test-app.ts';
import { makePeopleApp, read } from './testing/make-people-app.ts';

interface Made {
  readonly secret: string;
  readonly key: { readonly id: string; readonly role: string; readonly made_by: string };
}
interface Listed {
  readonly keys: readonly {
    readonly id: string;
    readonly label: string;
    readonly revoked_at: string | null;
  }[];
}
interface ListedPeople {
  readonly people: readonly {
    readonly id: string;
    readonly email: string;
    readonly role: string;
    readonly blocked: boolean;
  }[];
}

/** A service with an administrator and somebody else. */
async function makeOffice(
  t: Parameters<typeof makePeopleApp>[0],
  more: Parameters<typeof makePeopleApp>[1] = {},
) {
  const app = await makePeopleApp(t, { admin: 'first', ...more });
  const enter = async (sub: string) => {
    app.fake.behaviour.person = { sub, email: `${sub}@example.org`, email_verified: true };
    const browser = app.makeBrowser();
    await browser.signIn();
    return browser;
  };
  const boss = await enter('boss');
  const eve = await enter('eve');
  const findEve = async () => {
    const { people } = await read<ListedPeople>(await boss.send('/api/people'));
    return people.find(({ email }) => email.startsWith('eve')) ?? assert.fail('no eve');
  };
  return { ...app, boss, eve, enter, findEve };
}

test('a user creates a key, which is shown once and works for programs until it is revoked', async (t) => {
  const { eve, call } = await makeOffice(t);
  const answer = await eve.post('/api/keys', { label: 'field app', expires: '2026-12-31' });
  assert.deepEqual([answer.status, answer.headers.get('cache-control')], [201, 'no-store']);
  const { secret, key } = await read<Made>(answer);
  assert.equal(key.role, 'read');
  assert.equal((await call('/api/account', { key: secret })).status, 200);
  const listed = await (await eve.send('/api/keys')).text();
  assert.ok(listed.includes('field app') && !listed.includes(secret));
  assert.equal((await eve.send(`/api/keys/${key.id}`, { method: 'DELETE' })).status, 204);
  assert.equal((await call('/api/account', { key: secret })).status, 403);
  const { keys } = await read<Listed>(await eve.send('/api/keys'));
  assert.notEqual(keys[0]?.revoked_at, null);
});

test('nobody can create a key with more rights than their own', async (t) => {
  const { eve, boss, call } = await makeOffice(t);
  for (const role of ['order', 'ingest', 'admin']) {
    const refused = await eve.post('/api/keys', { label: 'up', role });
    assert.deepEqual([refused.status, (await readError(refused)).code], [403, 'role-needed'], role);
  }
  for (const body of [{ label: '' }, { label: 'x'.repeat(101) }, { label: 'a', role: 'root' }, [], 'x'])
    assert.equal((await eve.post('/api/keys', body)).status, 400, JSON.stringify(body));
  assert.equal((await eve.post('/api/keys', { label: 'a', expires: '2020-01-01' })).status, 400);
  const { secret } = await read<Made>(await eve.post('/api/keys', { label: 'mine' }));
  const again = await call('/api/keys', { key: secret, method: 'POST', body: '{"label":"child"}' });
  assert.deepEqual(
    [again.status, (await readError(again)).code],
    [403, 'role-needed'],
    'a key makes no keys',
  );
  const admin = await read<Made>(await boss.post('/api/keys', { label: 'robot', role: 'admin' }));
  const child = await call('/api/keys', { key: admin.secret, method: 'POST', body: '{"label":"child"}' });
  assert.equal((await read<Made>(child)).key.made_by, admin.key.made_by, 'it belongs to the person');
});

test('a change of role limits the keys of a user at once, and blocking ends sessions and keys', async (t) => {
  const { boss, eve, call, findEve, enter } = await makeOffice(t);
  const { id } = await findEve();
  assert.equal((await boss.patch(`/api/people/${id}`, { role: 'ingest' })).status, 204);
  const { secret } = await read<Made>(await eve.post('/api/keys', { label: 'curator', role: 'ingest' }));
  const roleOf = async () => (await read<{ role: string }>(await call('/api/account', { key: secret }))).role;
  assert.equal(await roleOf(), 'ingest');
  await boss.patch(`/api/people/${id}`, { role: 'read' });
  assert.equal(await roleOf(), 'read');
  assert.equal((await boss.patch(`/api/people/${id}`, { blocked: true })).status, 204);
  assert.equal((await readError(await eve.send('/api/account'))).code, 'session-ended');
  assert.equal((await call('/api/account', { key: secret })).status, 403);
  assert.equal((await findEve()).blocked, true);
  assert.ok(!(await enter('eve')).cookies.get('swath-session'), 'a blocked person cannot sign in');
  await boss.patch(`/api/people/${id}`, { blocked: false });
  assert.ok((await enter('eve')).cookies.get('swath-session'));
  assert.equal(await roleOf(), 'read');
});

test('only administrators can see and change other users, and nobody can change their own role', async (t) => {
  const { boss, eve, findEve } = await makeOffice(t);
  const own = (await read<{ key: string }>(await boss.send('/api/account'))).key;
  const { id } = await findEve();
  for (const answer of [
    await eve.send('/api/people'),
    await eve.patch(`/api/people/${id}`, { role: 'admin' }),
    await eve.patch(`/api/people/${own}`, { blocked: true }),
    await eve.send('/api/keys?all=true'),
  ])
    assert.deepEqual([answer.status, (await readError(answer)).code], [403, 'role-needed']);
  const self = await boss.patch(`/api/people/${own}`, { role: 'read' });
  assert.deepEqual([self.status, (await readError(self)).code], [400, 'own-role']);
  assert.equal((await boss.patch('/api/people/zz', { role: 'read' })).status, 404);
  const { keys } = await read<Listed>(await boss.send('/api/keys?all=true'));
  assert.equal(keys.length, 2);
});

test('only an administrator can revoke keys of others, and users cannot revoke their own account key', async (t) => {
  const { boss, eve, findEve } = await makeOffice(t);
  const { key } = await read<Made>(await boss.post('/api/keys', { label: 'of the boss' }));
  const { id: own } = await findEve();
  for (const id of [key.id, own, 'zz']) {
    const answer = await eve.send(`/api/keys/${id}`, { method: 'DELETE' });
    assert.deepEqual([answer.status, (await readError(answer)).code], [404, 'unknown-key'], id);
  }
  const made = await read<Made>(await eve.post('/api/keys', { label: 'of eve' }));
  assert.equal((await boss.send(`/api/keys/${made.key.id}`, { method: 'DELETE' })).status, 204);
});

test('administrators cannot change roles that the provider assigns', async (t) => {
  const { boss, findEve } = await makeOffice(t, { roles: [{ claim: 'groups', value: 'x', role: 'order' }] });
  const answer = await boss.patch(`/api/people/${(await findEve()).id}`, { role: 'admin' });
  assert.deepEqual([answer.status, (await readError(answer)).code], [409, 'roles-from-provider']);
});

test('a user can have at most a hundred active keys', async (t) => {
  const { eve, keys, findEve } = await makeOffice(t);
  const { id } = await findEve();
  for (let i = 0; i < 100; i += 1) await keys.create({ label: `${i}`, role: 'read', parent: id });
  const full = await eve.post('/api/keys', { label: 'one more' });
  assert.deepEqual([full.status, (await readError(full)).code], [402, 'key-limit']);
});
