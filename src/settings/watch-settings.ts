import type { SettingsOf } from './setting.ts';
import { parseCount, parseText } from './setting.ts';

/** A server that takes e-mail. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS is used if the server has it. */
  readonly isSecure: boolean;
  readonly user: string | null;
  readonly password: string | null;
}

/** The settings of subscriptions. */
export interface WatchConfig {
  readonly subscriptionsPerKey: number;
  readonly watchSeconds: number;
  readonly watchCatalogMinutes: number;
  readonly mailServer: MailServer | null;
  readonly mailFrom: string | null;
  readonly mailTo: readonly string[];
}

/** How these settings are read. */
export const watchSettings: SettingsOf<WatchConfig> = {
  subscriptionsPerKey: {
    variable: 'SWATH_SUBSCRIPTIONS_PER_KEY',
    summary: 'Max subscriptions of one key; 0 for no limit.',
    fallbackText: '100',
    fallback: () => 100,
    parse: (text) => parseCount(text, 0, 1_000_000),
  },
  watchSeconds: {
    variable: 'SWATH_WATCH_SECONDS',
    summary: 'How often new scenes of the catalog are looked for, for each subscription, in seconds.',
    fallbackText: '30',
    fallback: () => 30,
    parse: (text) => parseCount(text, 1, 86_400),
  },
  watchCatalogMinutes: {
    variable: 'SWATH_WATCH_CATALOG_MINUTES',
    summary:
      'The same for subscriptions to datasets of live catalogs, in minutes: each look asks the servers of others.',
    fallbackText: '60',
    fallback: () => 60,
    parse: (text) => parseCount(text, 1, 100_000),
  },
  mailServer: {
    variable: 'SWATH_SMTP_URL',
    summary:
      'The server that takes e-mail to subscribers, such as smtp://user:password@mail.example.org:587, or smtps:// for TLS from the start; none is sent without it.',
    fallbackText: '(none)',
    fallback: () => null,
    parse: parseMailServer,
    secret: true,
  },
  mailFrom: {
    variable: 'SWATH_MAIL_FROM',
    summary: 'The sender of e-mail, such as swath@example.org.',
    fallbackText: '(none)',
    fallback: () => null,
    parse: parseAddress,
  },
  mailTo: {
    variable: 'SWATH_MAIL_TO',
    summary:
      'Who may be sent e-mail: addresses such as ann@example.org and domains such as @example.org, separated by spaces. Nobody else is.',
    fallbackText: '(nobody)',
    fallback: () => [],
    parse: parseRecipients,
    show: (entries) => entries.join(' '),
  },
};

const ADDRESS = /^[^\s@<>"',;:()[\]\\]{1,64}@[A-Za-z0-9.-]{1,190}$/;
const DOMAIN = /^@[A-Za-z0-9.-]{1,190}$/;

function parseAddress(text: string): string {
  if (!ADDRESS.test(parseText(text))) throw new Error('must be an address such as swath@example.org');
  return text;
}

function parseRecipients(text: string): readonly string[] {
  const entries = parseText(text)
    .split(/\s+/)
    .filter((entry) => entry !== '');
  const wrong = entries.find((entry) => !ADDRESS.test(entry) && !DOMAIN.test(entry));
  if (wrong !== undefined)
    throw new Error('must hold addresses such as ann@example.org and domains such as @example.org');
  return entries.map((entry) => entry.toLowerCase());
}

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

function parseMailServer(text: string): MailServer {
  const url = URL.canParse(text) ? new URL(text) : null;
  const port = url === null ? undefined : PORTS[url.protocol];
  if (
    url === null ||
    port === undefined ||
    url.hostname === '' ||
    (url.pathname !== '' && url.pathname !== '/')
  )
    throw new Error('must be an address such as smtp://user:password@mail.example.org:587');
  const decode = (part: string): string | null => (part === '' ? null : decodeURIComponent(part));
  return {
    host: url.hostname,
    port: url.port === '' ? port : Number(url.port),
    isSecure: url.protocol === 'smtps:',
    user: decode(url.username),
    password: decode(url.password),
  };
}

/** Whether an address may be sent e-mail; null where none is sent. */
export function toMayMail({
  mailServer,
  mailFrom,
  mailTo,
}: Pick<WatchConfig, 'mailServer' | 'mailFrom' | 'mailTo'>): ((address: string) => boolean) | null {
  if (mailServer === null || mailFrom === null) return null;
  return (address) => {
    const small = address.toLowerCase();
    return mailTo.some((entry) => (entry.startsWith('@') ? small.endsWith(entry) : small === entry));
  };
}
