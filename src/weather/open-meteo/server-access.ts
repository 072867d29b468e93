import type { GuardedFetch } from '../../net/index.ts';
import type { AskServer } from './ask-server.ts';
import { makeAskServer } from './ask-server.ts';
import type { CallLimits } from './call-budget.ts';
import { makeCallBudget } from './call-budget.ts';
import type { OpenMeteoApi } from './hourly-variables.ts';
import type { OpenMeteoServers } from './open-meteo-fetch.ts';

/** How the servers are reached. */
export interface ServerAccess {
  readonly ask: Readonly<Record<OpenMeteoApi, AskServer>>;
  /** The whole address of a path, with the key. */
  readonly toUrl: (api: OpenMeteoApi, path: string) => string;
}

interface AccessDeps extends OpenMeteoServers {
  readonly fetch: GuardedFetch;
  /** Sent as `apikey`; null for none. */
  readonly key: string | null;
  readonly limits: CallLimits;
  readonly retryDelayMs: number;
  readonly nowMs: () => number;
}

/** Builds the way to the servers; both count their calls together. */
export function makeServerAccess(deps: AccessDeps): ServerAccess {
  const { forecastUrl, archiveUrl, key, limits, nowMs } = deps;
  const budget = makeCallBudget(limits, nowMs);
  const forecast = makeAskServer({ ...deps, budget });
  // One server for both rests as one.
  const archive = forecastUrl === archiveUrl ? forecast : makeAskServer({ ...deps, budget });
  const urls = { forecast: forecastUrl, archive: archiveUrl } as const;
  return {
    ask: { forecast, archive },
    toUrl(api, path) {
      const url = `${urls[api]}${path}`;
      if (key === null) return url;
      return `${url}${path.includes('?') ? '&' : '?'}apikey=${encodeURIComponent(key)}`;
    },
  };
}
