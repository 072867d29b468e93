import { readFileSync } from 'node:fs';
import type { Role } from '../keys/index.ts';
import { ROLES } from '../keys/index.ts';
import type { Admission } from '../sign-in/index.ts';
import type { SettingsOf } from './setting.ts';
import { parseChoice, parseCount, parseHttpUrl, parseText, SettingError } from './setting.ts';

/** How people sign in. */
export interface SignInConfig {
  readonly oidcIssuer: string | null;
  readonly oidcClientId: string | null;
  readonly oidcClientSecret: string | null;
  readonly oidcClientSecretFile: string | null;
  readonly oidcScopes: string;
  readonly oidcRoles: Pick<Admission, 'roles' | 'defaultRole'>;
  readonly oidcAllow: Pick<Admission, 'domains' | 'rules'>;
  readonly oidcAdmin: Admission['admin'];
  readonly sessionHours: number;
}

/** An issuer is compared letter by letter: it stays as it is written, with its final slash. */
function parseIssuer(text: string): string {
  const url = parseHttpUrl(text);
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
  if (!url.startsWith('https:') && !isLoopback) throw new Error('must be an https address');
  return text;
}

/** Reads `claim:value`. */
function parseRule(text: string, example: string) {
  const at = text.indexOf(':');
  if (at < 1 || at === text.length - 1)
    throw new Error(`must list a claim and its value, such as ${example}`);
  return { claim: text.slice(0, at), value: text.slice(at + 1) };
}

const split = (text: string): readonly string[] =>
  parseText(text)
    .split(',')
    .map((part) => part.trim());

/** Reads `groups:gis=order,groups:admins=admin,*=read`. */
export function parseRoles(text: string): SignInConfig['oidcRoles'] {
  let defaultRole: Role = 'read';
  const roles = split(text).flatMap((part) => {
    const at = part.lastIndexOf('=');
    const role = parseChoice(part.slice(at + 1), ROLES);
    if (part.slice(0, Math.max(0, at)) !== '*')
      return [{ ...parseRule(part.slice(0, Math.max(0, at)), 'groups:gis=order'), role }];
    defaultRole = role;
    return [];
  });
  return { roles, defaultRole };
}

/** Reads `@example.org,groups:gis`. */
export function parseAllow(text: string): SignInConfig['oidcAllow'] {
  const parts = split(text);
  const domains = parts.filter((part) => part.startsWith('@')).map((part) => part.slice(1).toLowerCase());
  if (domains.some((domain) => !/^[a-z0-9.-]+$/.test(domain)))
    throw new Error('must name domains such as @example.org');
  return {
    domains,
    rules: parts.filter((part) => !part.startsWith('@')).map((part) => parseRule(part, 'groups:gis')),
  };
}

function parseAdmin(text: string): Admission['admin'] {
  if (text === 'first') return 'first';
  if (!/^[^\s@]+@[^\s@]+$/.test(parseText(text))) throw new Error('must be "first" or an e-mail address');
  return { email: text.toLowerCase() };
}

function readSecretFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new SettingError('must name a file that can be read', path);
  }
}

/** Settings that do not go together. */
export function findSignInProblems(config: SignInConfig): readonly string[] {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcClientSecretFile } = config;
  return [
    ...((oidcIssuer === null) === (oidcClientId === null)
      ? []
      : ['SWATH_OIDC_ISSUER and SWATH_OIDC_CLIENT_ID must be set together']),
    ...(oidcClientSecret === null || oidcClientSecretFile === null
      ? []
      : ['SWATH_OIDC_CLIENT_SECRET and SWATH_OIDC_CLIENT_SECRET_FILE must not both be set']),
  ];
}

const showRules = (rules: readonly { readonly claim: string; readonly value: string }[]): readonly string[] =>
  rules.map(({ claim, value }) => `${claim}:${value}`);

/** How these settings are read. */
export const signInSettings: SettingsOf<SignInConfig> = {
  oidcIssuer: {
    variable: 'SWATH_OIDC_ISSUER',
    summary:
      'Provider of OpenID Connect at which people sign in to the viewer, as it names itself, such as https://id.example.org/realms/maps. Needs SWATH_OIDC_CLIENT_ID, and SWATH_PUBLIC_URL unless the viewer is opened over http.',
    fallbackText: '(none)',
    fallback: () => null,
    parse: parseIssuer,
  },
  oidcClientId: {
    variable: 'SWATH_OIDC_CLIENT_ID',
    summary: 'The name of Swath at the provider; its redirect address is /auth/callback.',
    fallbackText: '(none)',
    fallback: () => null,
    parse: parseText,
  },
  oidcClientSecret: {
    variable: 'SWATH_OIDC_CLIENT_SECRET',
    summary: 'The secret of Swath at the provider, if it gave one; a public client needs none (PKCE).',
    fallbackText: '(none)',
    fallback: () => null,
    parse: parseText,
    secret: true,
  },
  oidcClientSecretFile: {
    variable: 'SWATH_OIDC_CLIENT_SECRET_FILE',
    summary: 'A file with that secret.',
    fallbackText: '(none)',
    fallback: () => null,
    parse: readSecretFile,
    secret: true,
  },
  oidcScopes: {
    variable: 'SWATH_OIDC_SCOPES',
    summary: 'What Swath asks the provider to say about people; some need one more for groups.',
    fallbackText: 'openid email profile',
    fallback: () => 'openid email profile',
    parse: parseText,
  },
  oidcRoles: {
    variable: 'SWATH_OIDC_ROLES',
    summary:
      'Roles by claims of the provider, such as `groups:gis=order,realm_access.roles:admin=admin,*=read`; `*` is for all others. With any claim the provider decides at each sign-in, without one administrators do in the viewer.',
    fallbackText: '*=read',
    fallback: () => ({ roles: [], defaultRole: 'read' as const }),
    parse: parseRoles,
    show: ({ roles, defaultRole }) =>
      [...showRules(roles).map((rule, i) => `${rule}=${roles[i]?.role}`), `*=${defaultRole}`].join(','),
  },
  oidcAllow: {
    variable: 'SWATH_OIDC_ALLOW',
    summary:
      'Who may sign in: domains of verified e-mail addresses and values of claims, such as `@example.org,groups:gis`; by default everyone whom the provider signs in.',
    fallbackText: '(everyone)',
    fallback: () => ({ domains: [], rules: [] }),
    parse: parseAllow,
    show: ({ domains, rules }) =>
      [...domains.map((domain) => `@${domain}`), ...showRules(rules)].join(',') || '(everyone)',
  },
  oidcAdmin: {
    variable: 'SWATH_OIDC_ADMIN',
    summary:
      'Who gets the role admin: the verified e-mail address of a person, or `first` for the first who signs in.',
    fallbackText: '(none)',
    fallback: () => null,
    parse: parseAdmin,
    show: (admin) => (admin === null ? '(none)' : admin === 'first' ? 'first' : admin.email),
  },
  sessionHours: {
    variable: 'SWATH_SESSION_HOURS',
    summary: 'How long people stay signed in, in hours.',
    fallbackText: '12',
    fallback: () => 12,
    parse: (text) => parseCount(text, 1, 8_760),
  },
};
