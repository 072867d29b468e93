import type { Store } from '../adapters/store/index.ts';
import type { Log } from '../http/index.ts';
import type { Keys } from '../keys/index.ts';
import { makeReadLinks } from '../keys/index.ts';
import type { GuardedFetch } from '../net/index.ts';
import { makeGuardedFetch, portOf } from '../net/index.ts';
import type { Config } from '../settings/index.ts';
import { toProxy } from '../settings/index.ts';
import { makePeople, makeProvider, makeSignInSeal } from '../sign-in/index.ts';

interface PeopleDeps {
  readonly config: Config;
  readonly store: Pick<Store, 'people' | 'sessions' | 'secrets'>;
  readonly keys: Keys;
  readonly log: Log;
}

const SUBJECT = { file: 'the sign-in provider', server: 'the sign-in provider' } as const;

/** Builds the service that signs people in and manages them. */
export function startPeople({ config, store, keys, log }: PeopleDeps) {
  const { oidcIssuer: issuer, oidcClientId: clientId } = config;
  const now = (): Date => new Date();
  const people = makePeople({
    people: store.people,
    sessions: store.sessions,
    keys,
    secrets: store.secrets,
    admission: { ...config.oidcRoles, ...config.oidcAllow, admin: config.oidcAdmin },
    sessionHours: config.sessionHours,
    now,
  });
  if (issuer === null || clientId === null) return { people, signIn: null };
  const provider = makeProvider({
    issuer,
    clientId,
    clientSecret: config.oidcClientSecret ?? config.oidcClientSecretFile,
    scopes: config.oidcScopes,
    fetchFrom: makeFetchFrom(config, issuer),
    nowMs: Date.now,
  });
  const readSeal = makeReadLinks(store.secrets, 'sign-ins', makeSignInSeal);
  return { people, signIn: { issuer, provider, people, readSeal, now, log } };
}

/**
 * Makes requests to one origin each. The operator names the issuer, which may be in a private network; other hosts that its
 * description names must be public.
 */
function makeFetchFrom(config: Config, issuer: string): (origin: string) => GuardedFetch {
  const own = new URL(issuer).origin;
  const fetches = new Map<string, GuardedFetch>();
  return (origin) => {
    const known = fetches.get(origin);
    if (known !== undefined) return known;
    const url = new URL(origin);
    const isOwn = origin === own;
    const fetch = makeGuardedFetch({
      policy: {
        hosts: [url.hostname],
        ports: [portOf(url)],
        ...(isOwn ? { allowHttp: url.protocol === 'http:', privateNetworks: ['0.0.0.0/0', '::/0'] } : {}),
      },
      proxy: toProxy(config),
      subject: SUBJECT,
    });
    fetches.set(origin, fetch);
    return fetch;
  };
}
