import type { TestContext } from 'node:test';
import { openTestStore } from '../../../adapters/sqlite/testing/test-store.ts';
import { makeKeys } from '../../../keys/index.ts';
import type { Admission } from '../../../sign-in/index.ts';
import { makePeople, makeProvider, makeSignInSeal } from '../../../sign-in/index.ts';
import { makeFakeProvider } from '../../../sign-in/testing/fake-provider.ts';
import { makeTestApp } from '../../testing/make-test-app.ts';

/** The service with a sign-in provider, and a browser that stores cookies and follows redirects. */
export async function makePeopleApp(t: TestContext, more: Partial<Admission> = {}) {
  const clock = { nowMs: Date.parse('2026-11-18T12:00:00Z') };
  const now = () => new Date(clock.nowMs);
  const nowMs = () => clock.nowMs;
  const { store, close } = openTestStore();
  t.after(close);
  const keys = makeKeys({ store: store.keys, configuredSecret: null, now });
  const fake = makeFakeProvider({ nowMs });
  const issuer = 'https://id.example.org';
  const people = makePeople({
    people: store.people,
    sessions: store.sessions,
    keys,
    secrets: store.secrets,
    admission: { domains: [], rules: [], roles: [], defaultRole: 'read', admin: null, ...more },
    sessionHours: 12,
    now,
  });
  const provider = makeProvider({
    issuer,
    clientId: 'swath',
    clientSecret: null,
    scopes: 'openid email',
    fetchFrom: () => fake.fetch,
    nowMs,
  });
  const seal = makeSignInSeal('a-secret-for-tests', nowMs);
  const warnings: { code?: string }[] = [];
  const log = { warn: (fields: object) => void warnings.push(fields) };
  const { call } = makeTestApp({
    now,
    keyStore: store.keys,
    findSession: people.identify,
    people: {
      signIn: { issuer, provider, people, readSeal: async () => seal, now, log },
      people,
      keys,
    },
  });

  function makeBrowser() {
    const cookies = new Map<string, string>();
    /** A request as the browser of the viewer sends it. */
    async function send(path: string, { headers = {}, ...init }: RequestInit = {}): Promise<Response> {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const own = { ...(cookie === '' ? {} : { cookie }), origin: 'http://swath.test' };
      const answer = await call(path, {
        ...init,
        key: null,
        headers: { ...own, ...(headers as Record<string, string>) },
      });
      const [pair = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
      const at = pair.indexOf('=');
      if (at > 0) cookies.set(pair.slice(0, at), pair.slice(at + 1));
      return answer;
    }
    /** Signs in at the provider; returns the path of the callback, with its code. */
    async function visitProvider(returnTo = '/'): Promise<string> {
      const begun = await send(`/auth/sign-in?return=${encodeURIComponent(returnTo)}`);
      const reply = fake.answer({ method: 'GET', url: begun.headers.get('location') ?? '' });
      return (reply.headers?.location ?? '').replace('http://swath.test', '');
    }
    return {
      cookies,
      send,
      visitProvider,
      signIn: async (returnTo?: string) => send(await visitProvider(returnTo)),
      post: (path: string, body: unknown, init: RequestInit = {}) =>
        send(path, { method: 'POST', body: JSON.stringify(body), ...init }),
      patch: (path: string, body: unknown) => send(path, { method: 'PATCH', body: JSON.stringify(body) }),
    };
  }
  return { makeBrowser, call, fake, keys, people, store, clock, warnings };
}

/** The JSON of an answer. */
export const read = async <Value>(answer: Response): Promise<Value> => (await answer.json()) as Value;
