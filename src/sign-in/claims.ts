/** Decides by a person's claims whether they may sign in, and with which role. */

import { isObject } from '../json.ts';
import type { Role } from '../keys/index.ts';
import { includesRole } from '../keys/index.ts';

/** A value that a claim must have, or hold in its list; dots in the name lead into objects. */
export interface ClaimRule {
  readonly claim: string;
  readonly value: string;
}

/** Who may sign in and with which role. */
export interface Admission {
  /** Domains of verified e-mail addresses; a person needs one of these or of `rules`, unless both are empty. */
  readonly domains: readonly string[];
  readonly rules: readonly ClaimRule[];
  /** Roles by claims: the highest that matches. If there are any, the provider decides at each sign-in. */
  readonly roles: readonly (ClaimRule & { readonly role: Role })[];
  /** The role of people without a match. */
  readonly defaultRole: Role;
  /** Who becomes an administrator: the first person, a verified e-mail address, or no one. */
  readonly admin: 'first' | { readonly email: string } | null;
}

type Claims = Readonly<Record<string, unknown>>;

/** The address of a person, in lower case, if the provider has verified it. */
export function findVerifiedEmail({ email, email_verified: isVerified }: Claims): string | null {
  return typeof email === 'string' && (isVerified === true || isVerified === 'true')
    ? email.toLowerCase()
    : null;
}

/** Whether a person may sign in. */
export function isAdmitted(claims: Claims, { domains, rules }: Admission): boolean {
  if (domains.length === 0 && rules.length === 0) return true;
  const email = findVerifiedEmail(claims);
  const domain = email === null ? undefined : /@([^@]+)$/.exec(email)?.[1];
  return (domain !== undefined && domains.includes(domain)) || rules.some((rule) => matches(claims, rule));
}

/** The role that the claims give; null if administrators of this service decide. */
export function findClaimedRole(claims: Claims, { roles, defaultRole }: Admission): Role | null {
  if (roles.length === 0) return null;
  return roles
    .filter((rule) => matches(claims, rule))
    .reduce<Role>((best, { role }) => (includesRole(role, best) ? role : best), defaultRole);
}

function matches(claims: Claims, { claim, value }: ClaimRule): boolean {
  // Names such as https://example.org/groups hold dots that lead nowhere.
  const found = Object.hasOwn(claims, claim) ? claims[claim] : follow(claims, claim.split('.'));
  return Array.isArray(found) ? found.includes(value) : found === value;
}

const follow = (value: unknown, [name, ...rest]: readonly string[]): unknown =>
  name === undefined
    ? value
    : isObject(value) && Object.hasOwn(value, name)
      ? follow(value[name], rest)
      : undefined;
