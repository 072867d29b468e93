import type { LiveCatalog } from '../live/index.ts';
import { presets } from '../live/presets/index.ts';
import { redactAddresses } from '../net/index.ts';
import { findCatalogKeyProblems, withCatalogSources } from './catalog-settings.ts';
import { badInput } from './errors.ts';
import { findBucketProblems } from './object-settings.ts';
import { toProxy } from './proxy-settings.ts';
import type { Setting } from './setting.ts';
import { SettingError } from './setting.ts';
import type { Config } from './settings.ts';
import { settings } from './settings.ts';
import { findSignInProblems } from './sign-in-settings.ts';

/** Set but empty means not set, as in container files that pass every variable through. */
const isSet = (text: string | undefined): text is string => text !== undefined && text !== '';

type Environment = Readonly<Record<string, string | undefined>>;

/** The text of a setting. Variables that other programs read too have a lower-case spelling, which goes first. */
const findText = (
  env: Environment,
  { variable, alias }: Pick<Setting<unknown>, 'variable' | 'alias'>,
): string | undefined =>
  [
    env[variable.startsWith('SWATH_') ? variable : variable.toLowerCase()],
    env[variable],
    alias === undefined ? undefined : env[alias],
  ].find(isSet);

/** Reads all settings; every problem is reported at once, and garbage never falls back to a default. */
export function parseConfig(env: Environment): Config {
  const problems: string[] = [];
  const values = Object.entries(settings).map(([name, setting]) => {
    const text = findText(env, setting);
    if (text === undefined) return [name, setting.fallback()];
    try {
      return [name, setting.parse(text)];
    } catch (error) {
      const got = error instanceof SettingError ? error.got : text;
      const shown = setting.secret || got === null ? '' : ` (got "${redactAddresses(got).slice(0, 80)}")`;
      problems.push(`${setting.variable} ${(error as Error).message}${shown}`);
      return [name, undefined];
    }
  });
  const known = new Set(Object.values(settings).map((setting) => setting.variable));
  for (const variable of Object.keys(env)) {
    if (variable.startsWith('SWATH_') && !known.has(variable)) {
      problems.push(`${variable} is not a setting of Swath; see docs/operate/settings.md for the list`);
    }
  }
  const config = Object.fromEntries(values) as Config;
  if (problems.length === 0)
    problems.push(
      ...findBucketProblems(config),
      ...findCatalogKeyProblems(config),
      ...findSignInProblems(config),
    );
  refuse(problems);
  return Object.freeze(withProxy(withCatalogSources(config)));
}

function refuse(problems: readonly string[]): void {
  if (problems.length === 0) return;
  const many = problems.length === 1 ? 'One setting is' : `${problems.length} settings are`;
  throw badInput('bad-settings', `${many} wrong:\n${problems.map((p) => `  - ${p}`).join('\n')}`);
}

/**
 * The catalog of a name, and settings that allow its files: one of SWATH_CATALOGS, or else a preset, which need not be
 * listed there to be mirrored.
 */
export function withCatalog(
  config: Config,
  name: string,
): { readonly config: Config; readonly catalog: LiveCatalog } {
  const listed = config.liveCatalogs.find((one) => one.name === name);
  if (listed !== undefined) return { config, catalog: listed };
  const preset = presets.find((one) => one.name === name);
  if (preset === undefined) {
    const known = [...new Set([...config.liveCatalogs, ...presets].map((one) => one.name))].join(', ');
    throw badInput(
      'unknown-catalog',
      `There is no catalog "${redactAddresses(name).slice(0, 80)}". Known: ${known}. SWATH_CATALOGS adds others (docs/use/earth.md).`,
    );
  }
  const alone = { ...config, liveCatalogs: [preset] };
  refuse(findCatalogKeyProblems(alone, 'the command names'));
  const changed = withProxy(withCatalogSources(alone));
  return { config: changed, catalog: changed.liveCatalogs[0]! };
}

/** All sources with the proxy that leads to them: they are given to threads. */
function withProxy(config: Config): Config {
  const proxy = toProxy(config);
  if (proxy === undefined) return config;
  const { network } = config.sources;
  return {
    ...config,
    sources: network === undefined ? config.sources : { ...config.sources, network: { ...network, proxy } },
    liveCatalogs: config.liveCatalogs.map((catalog) => ({
      ...catalog,
      sources: { ...catalog.sources, proxy },
    })),
  };
}

/** Settings as `doctor` prints them: name, value in force, where it comes from; secrets stay hidden. */
export function describeConfig(config: Config, env: Environment) {
  return Object.entries(settings).map(([name, setting]) => {
    const value = config[name as keyof Config];
    const show = (setting as Setting<unknown>).show ?? formatValue;
    const shown = setting.secret && value !== null ? '(set, hidden)' : show(value);
    // The sources in force include those of catalogs.
    const isJoined = name === 'sources' && config.liveCatalogs.length > 0;
    return {
      variable: setting.variable,
      value: isJoined ? `${shown} (with those of SWATH_CATALOGS)` : shown,
      fromEnvironment: isJoined || findText(env, setting) !== undefined,
    };
  });
}

function formatValue(value: unknown): string {
  if (value === null) return '(not set)';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return String(value);
}

/** Who may read metrics: by default anyone on this machine, and only key holders if other machines can reach the service. */
export function toMetricsAccess({ metrics, host }: Config): 'open' | 'read' | 'none' {
  const isLoopback = host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
  switch (metrics) {
    case 'auto':
      return isLoopback ? 'open' : 'read';
    case 'open':
      return 'open';
    case 'key':
      return 'read';
    case 'off':
      return 'none';
  }
}
