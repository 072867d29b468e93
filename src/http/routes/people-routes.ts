import type { Route } from '../kit/endpoint.ts';
import { administered, open, read } from '../kit/endpoint.ts';
import type { AccountDeps } from '../people/account.ts';
import { account } from '../people/account.ts';
import type { KeysDeps } from '../people/keys.ts';
import { createKey, listKeys, revokeKey } from '../people/keys.ts';
import type { PeopleDeps } from '../people/people.ts';
import { changePerson, listPeople } from '../people/people.ts';
import type { SignInDeps } from '../people/sign-in.ts';
import { beginSignIn, finishSignIn, signOut } from '../people/sign-in.ts';
import type { UsageDeps } from '../usage.ts';
import { usage } from '../usage.ts';

/** What these routes need. */
export type PeopleRouteDeps = SignInDeps & AccountDeps & KeysDeps & PeopleDeps & UsageDeps;

/** People, their keys, and what keys use. */
export const peopleRoutes = (deps: PeopleRouteDeps): readonly Route[] => [
  open.get('/auth/sign-in', 'signIn', beginSignIn(deps)),
  open.get('/auth/callback', 'finishSignIn', finishSignIn(deps)),
  open.post('/auth/sign-out', 'signOut', signOut(deps)),
  read.get('/api/account', 'getAccount', account(deps)),
  read.get('/api/keys', 'listKeys', listKeys(deps), { cost: 5 }),
  read.post('/api/keys', 'createKey', createKey(deps), { cost: 20 }),
  read.remove('/api/keys/:key_id', 'revokeKey', revokeKey(deps), { cost: 20 }),
  administered.get('/api/people', 'listPeople', listPeople(deps), { cost: 5 }),
  administered.patch('/api/people/:person_id', 'changePerson', changePerson(deps), { cost: 5 }),
  read.get('/api/usage', 'getUsage', usage(deps), { cost: 10 }),
];
