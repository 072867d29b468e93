import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readError } from '../testing/make-test-app.ts';
import { readCookie, toCookie } from './session-cookie.ts';
import { makePeopleApp, read } from './testing/make-people-app.ts';

interface Account {
  readonly key: string;
  readonly role: string;
  readonly person: { readonly email: string; readonly name: string } | null;
}

test('a user signs in, gets a cookie that scripts cannot read, and signs out', async (t) => {
  const { makeBrowser, store } = await makePeopleApp(t);
  const { signIn, send, post, cookies } = makeBrowser();
  const answer = await signIn('/?scene=S2L2A/x#map=1/2/3');
  assert.deepEqual(
    [answer.status, answer.headers.get('location')],
    [303, 'http://swath.test/?scene=S2L2A/x#map=1/2/3'],
  );
  const cookie = answer.headers.get('set-cookie') ?? '';
  assert.match(cookie, /^swath-session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/);
  const account = await read<Account>(await send('/api/account'));
  assert.deepEqual([account.role, account.person], ['read', { email: 'one@example.org', name: 'One' }]);
  const token = cookies.get('swath-session') ?? '';
  assert.equal(await store.sessions.find(token), null, 'only its hash is stored');
  const out = await post('/auth/sign-out', {});
  assert.equal(out.status, 204);
  assert.match(out.headers.get('set-cookie') ?? '', /^swath-session=; .*Max-Age=0/);
  cookies.set('swath-session', token);
  const after = await send('/api/account');
  assert.deepEqual([after.status, (await readError(after)).code], [401, 'session-ended']);
});

test('a user who signs in again keeps the same account and data', async (t) => {
  const { makeBrowser, fake } = await makePeopleApp(t);
  const keyOf = async () => {
    const browser = makeBrowser();
    await browser.signIn();
    return (await read<Account>(await browser.send('/api/account'))).key;
  };
  const first = await keyOf();
  fake.behaviour.person = { sub: 'one', email: 'new@example.org', email_verified: true };
  assert.equal(await keyOf(), first);
  fake.behaviour.person = { sub: 'two', email: 'one@example.org', email_verified: true };
  assert.notEqual(await keyOf(), first, 'an address is not an identity');
});

test('no return address leads to another host', async (t) => {
  const { makeBrowser } = await makePeopleApp(t);
  const hostile = [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '@evil.example',
    '.evil.example',
    '/\r\nset-cookie: a=b',
    `/${'x'.repeat(3_000)}`,
  ];
  for (const returnTo of hostile) {
    const answer = await makeBrowser().signIn(returnTo);
    assert.equal(answer.headers.get('location'), 'http://swath.test/', JSON.stringify(returnTo));
  }
});

/** Where a failed sign-in leads to. */
const failed = (code: string): string => `http://swath.test/?sign_in=${code}`;

test('a sign-in can be finished only once, in the browser that started it, and in time', async (t) => {
  const { makeBrowser, clock, fake } = await makePeopleApp(t);
  const [victim, attacker] = [makeBrowser(), makeBrowser()];
  const callback = await victim.visitProvider();
  const elsewhere = await attacker.send(callback);
  assert.equal(
    elsewhere.headers.get('location'),
    failed('bad-sign-in'),
    'a link with a code of somebody else',
  );
  await attacker.visitProvider();
  assert.equal((await attacker.send(callback)).headers.get('location'), failed('bad-sign-in'));
  assert.ok(!attacker.cookies.get('swath-session'));

  const sealed = victim.cookies.get('swath-sign-in') ?? '';
  assert.equal((await victim.send(callback)).headers.get('location'), 'http://swath.test/');
  victim.cookies.set('swath-sign-in', sealed);
  const replayed = await victim.send(callback);
  assert.equal(replayed.headers.get('location'), failed('provider-failed'), 'the code was used');
  const again = new URL(callback, 'http://swath.test');
  const begun = JSON.parse(Buffer.from(sealed.split('.')[0] ?? '', 'base64url').toString()) as {
    nonce: string;
  };
  const fresh = await victim.visitProvider();
  again.searchParams.set('code', new URL(fresh, 'http://swath.test').searchParams.get('code') ?? '');
  victim.cookies.set('swath-sign-in', sealed);
  fake.behaviour.change = (claims) => ({ ...claims, nonce: begun.nonce });
  const second = await victim.send(again.pathname + again.search);
  assert.equal(second.headers.get('location'), failed('provider-failed'), 'PKCE ties a code to its sign-in');
  fake.behaviour.change = (claims) => claims;

  const late = makeBrowser();
  const slow = await late.visitProvider();
  clock.nowMs += 900_001;
  assert.equal((await late.send(slow)).headers.get('location'), failed('bad-sign-in'));
});

test('a tampered sign-in cookie is refused', async (t) => {
  const { makeBrowser } = await makePeopleApp(t);
  const browser = makeBrowser();
  const callback = await browser.visitProvider();
  const [text = '', signature = ''] = (browser.cookies.get('swath-sign-in') ?? '').split('.');
  const begun = JSON.parse(Buffer.from(text, 'base64url').toString()) as object;
  const evil = Buffer.from(JSON.stringify({ ...begun, returnTo: '@evil.example' })).toString('base64url');
  for (const sealed of [`${evil}.${signature}`, text, `${text}.`, `${text}.${signature}.x`, 'x.y']) {
    browser.cookies.set('swath-sign-in', sealed);
    assert.equal((await browser.send(callback)).headers.get('location'), failed('bad-sign-in'), sealed);
  }
});

test('a token of another sign-in, client or issuer, or one that is unsigned or tampered with, is refused', async (t) => {
  const { makeBrowser, fake, warnings } = await makePeopleApp(t);
  const { behaviour } = fake;
  const attempt = async () => {
    const browser = makeBrowser();
    const answer = await browser.signIn();
    assert.ok(!browser.cookies.get('swath-session'));
    return answer.headers.get('location');
  };
  let stolen = '';
  behaviour.forge = (token) => {
    stolen = token;
    return token;
  };
  await makeBrowser().signIn();
  behaviour.forge = () => stolen;
  assert.equal(await attempt(), failed('bad-id-token'), 'a real token of another sign-in');
  behaviour.forge = (token) => token;
  for (const change of [{ aud: 'other' }, { iss: 'https://evil.example' }, { exp: 1 }, { nonce: 'x' }]) {
    behaviour.change = (claims) => ({ ...claims, ...change });
    assert.equal(await attempt(), failed('bad-id-token'), JSON.stringify(change));
  }
  behaviour.change = (claims) => claims;
  for (const signing of ['none', 'HS256'] as const) {
    behaviour.signing = signing;
    assert.equal(await attempt(), failed('bad-id-token'), signing);
  }
  assert.ok(warnings.every(({ code }) => code === 'bad-id-token'));
  assert.ok(!JSON.stringify(warnings).includes(stolen.split('.')[2] ?? '-'), 'no token is logged');
});

test('an expired session ends, and does not become a guest', async (t) => {
  const { makeBrowser, clock } = await makePeopleApp(t);
  const { signIn, send } = makeBrowser();
  await signIn();
  clock.nowMs += 12 * 3_600_000 - 1;
  assert.equal((await send('/api/account')).status, 200);
  clock.nowMs += 1;
  assert.deepEqual((await readError(await send('/api/account'))).code, 'session-ended');
});

test('pages of other origins cannot change anything with the cookie', async (t) => {
  const { makeBrowser, keys } = await makePeopleApp(t);
  const { signIn, post, send } = makeBrowser();
  await signIn();
  const before = (await keys.list()).length;
  for (const origin of ['https://evil.example', 'http://swath.test:81', 'https://swath.test', 'null', '']) {
    const answer = await post('/api/keys', { label: 'stolen' }, { headers: { origin } });
    assert.deepEqual([answer.status, (await readError(answer)).code], [403, 'other-origin'], origin);
    const out = await post('/auth/sign-out', {}, { headers: { origin } });
    assert.equal(out.status, 403, origin);
  }
  assert.equal((await keys.list()).length, before);
  assert.equal((await send('/api/account')).status, 200, 'still signed in');
  const preflight = await send('/api/keys', {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example' },
  });
  assert.equal(preflight.headers.get('access-control-allow-credentials'), null);
});

test('only admitted users can sign in, and the configured or first one becomes an administrator', async (t) => {
  const named = await makePeopleApp(t, { domains: ['example.org'], admin: { email: 'boss@example.org' } });
  const roleOf = async (app: typeof named, person: object) => {
    app.fake.behaviour.person = { sub: JSON.stringify(person), ...person };
    const browser = app.makeBrowser();
    const location = (await browser.signIn()).headers.get('location');
    if (location !== 'http://swath.test/') return location;
    return (await read<Account>(await browser.send('/api/account'))).role;
  };
  assert.equal(
    await roleOf(named, { email: 'a@evil.example', email_verified: true }),
    failed('not-admitted'),
  );
  assert.equal(await roleOf(named, { email: 'boss@example.org' }), failed('not-admitted'), 'not verified');
  assert.equal(await roleOf(named, { email: 'a@example.org', email_verified: true }), 'read');
  assert.equal(await roleOf(named, { email: 'Boss@example.org', email_verified: true }), 'admin');
  const first = await makePeopleApp(t, { admin: 'first' });
  assert.deepEqual([await roleOf(first, { n: 1 }), await roleOf(first, { n: 2 })], ['admin', 'read']);
  assert.equal(await roleOf(first, { n: 1 }), 'admin');
});

test('with claims configured, the provider assigns the role at each sign-in', async (t) => {
  const { makeBrowser, fake } = await makePeopleApp(t, {
    roles: [{ claim: 'groups', value: 'gis', role: 'ingest' }],
  });
  const roleWith = async (groups: readonly string[]) => {
    fake.behaviour.person = { sub: 'one', groups };
    const browser = makeBrowser();
    await browser.signIn();
    return (await read<Account>(await browser.send('/api/account'))).role;
  };
  assert.deepEqual([await roleWith(['gis']), await roleWith([])], ['ingest', 'read']);
});

test('over https the cookies are restricted to this host', () => {
  const publicUrl = 'https://maps.example.org';
  assert.equal(
    toCookie('session', 'abc', { publicUrl, maxAgeS: 60 }),
    '__Host-swath-session=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
  );
  const headers = (cookie: string) => new Headers({ cookie });
  assert.equal(readCookie(headers('a=b; __Host-swath-session=abc'), 'session', publicUrl), 'abc');
  // Another host of the domain could have set this one.
  assert.equal(readCookie(headers('swath-session=abc'), 'session', publicUrl), null);
});
