import { readFileSync } from 'node:fs';
import { isAbsolute, normalize } from 'node:path';
import * as z from 'zod';
import { redactAddresses } from '../net/index.ts';
import type { NetworkSources } from '../sources/index.ts';
import { SettingError } from './setting.ts';

/** Where the files of scenes may be stored, in addition to the data directory. Plain data: threads get it too. */
export interface Sources {
  /** Absolute paths. */
  readonly folders: readonly string[];
  /** Left out: nothing is read over the network. */
  readonly network?: NetworkSources;
}

/** Only the data directory. */
export const noSources: Sources = { folders: [] };

/** The sources in one line, without the secrets. */
export function describeSources({ folders, network }: Sources): string {
  const sources = [
    ...folders,
    ...(network?.hosts ?? []).map((name) => `${network?.allowHttp ? 'http(s)' : 'https'}://${name}`),
    ...(network?.s3 ?? []).flatMap(({ buckets }) => buckets.map((name) => `s3://${name}`)),
  ];
  return sources.length === 0 ? '(the data directory only)' : sources.join(' ');
}

const folder = z
  .string()
  .refine((path) => isAbsolute(path) && normalize(path) === path, 'must be an absolute path without dots');
const host = z
  .string()
  .regex(
    /^(\*\.)?[A-Za-z0-9.-]{1,253}$|^\[[0-9a-fA-F:.]{2,45}\]$/,
    'must be a host name or *.suffix, without scheme and port ("ports" lists ports)',
  );
const secret = z.string().min(1).max(2_048);

/** What may be read over the network, in files of settings; docs/operate/scenes.md explains each word. */
export const networkShape = z.strictObject({
  hosts: z.array(host).max(1_000).optional(),
  allowHttp: z.boolean().optional(),
  ports: z.array(z.int().min(1).max(65_535)).max(100).optional(),
  privateNetworks: z
    .array(z.union([z.cidrv4(), z.cidrv6()]))
    .max(100)
    .optional(),
  tokens: z
    .array(
      z.strictObject({ hosts: z.array(host).min(1).max(100), endpoint: z.url({ protocol: /^https?$/ }) }),
    )
    .max(20)
    .optional(),
  s3: z
    .array(
      z.strictObject({
        buckets: z
          .array(z.string().regex(/^[a-z0-9.-]{3,63}$/, 'must be a bucket name'))
          .min(1)
          .max(1_000),
        region: z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be a region such as eu-central-1'),
        endpoint: z.url({ protocol: /^https?$/ }).optional(),
        pathStyle: z.boolean().optional(),
        requesterPays: z.boolean().optional(),
        credentials: z
          .strictObject({ accessKeyId: secret, secretAccessKey: secret, sessionToken: secret.optional() })
          .optional(),
      }),
    )
    .max(100)
    .optional(),
});

/** The file form of SWATH_SOURCES. */
const fileShape = networkShape.extend({ folders: z.array(folder).max(100).optional() });

/** Amazon's open-data buckets of satellite scenes lie here. */
const DEFAULT_REGION = 'us-west-2';

/**
 * Reads SWATH_SOURCES: entries with spaces between them (`/folder`, `https://host`, `s3://bucket` for public buckets in
 * us-west-2), or the path of a `.json` file for everything else. Errors continue the variable's name.
 */
export function parseSources(text: string): Sources {
  return text.endsWith('.json') && !/\s/.test(text) ? readSourcesFile(text) : parseEntries(text);
}

/** The content of a file that a variable names. */
export function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    // The message of JSON.parse quotes the text, which may hold secrets.
    const why = error instanceof SyntaxError ? 'it is not JSON' : String((error as Error).message);
    throw new SettingError(`names the file ${path}, which cannot be read: ${why}`, null);
  }
}

/** The first problem of a file, by the word that is wrong. */
export function toFileProblem(path: string, content: unknown, { issues }: z.ZodError): SettingError {
  const [issue] = issues;
  const word = issue?.path.join('.') || 'the whole';
  return new SettingError(
    `names the file ${path}, in which ${word} is wrong: ${issue?.message}`,
    toShownValue(content, issue?.path ?? []),
  );
}

function readSourcesFile(path: string): Sources {
  const content = readJsonFile(path);
  const { data, error } = fileShape.safeParse(content);
  if (error !== undefined) throw toFileProblem(path, content, error);
  const { folders = [], ...network } = data;
  // Zod writes missing words as undefined; the rest of the program has them missing.
  const given = JSON.parse(JSON.stringify(network)) as NetworkSources;
  return Object.keys(given).length === 0 ? { folders } : { folders, network: given };
}

/** What stands where a file is wrong; null where nothing does, or where it may be a secret. */
function toShownValue(content: unknown, path: readonly PropertyKey[]): string | null {
  if (path.length === 0 || path.includes('credentials')) return null;
  const value = path.reduce<unknown>(
    (inner, name) => (inner as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[name],
    content,
  );
  return value === undefined || (typeof value === 'object' && value !== null) ? null : String(value);
}

function parseEntries(text: string): Sources {
  const folders: string[] = [];
  const hosts: string[] = [];
  const buckets: string[] = [];
  for (const entry of text.split(/\s+/).filter((word) => word !== '')) {
    const [, scheme, name = ''] = /^(https|s3):\/\/([^/]+)\/?$/.exec(entry) ?? [];
    if (scheme === 'https' && host.safeParse(name).success) hosts.push(name);
    else if (scheme === 's3' && /^[a-z0-9.-]{3,63}$/.test(name)) buckets.push(name);
    else if (folder.safeParse(entry).success) folders.push(entry);
    else {
      throw new SettingError(
        `lists "${redactAddresses(entry).slice(0, 80)}"; each entry must be /absolute/folder, https://host or s3://bucket. Ports, http and private networks need the JSON form: name a .json file (docs/operate/scenes.md, "Where scenes may lie")`,
        null,
      );
    }
  }
  if (hosts.length === 0 && buckets.length === 0) return { folders };
  const s3 = buckets.length === 0 ? [] : [{ buckets, region: DEFAULT_REGION }];
  return { folders, network: { hosts, s3 } };
}
