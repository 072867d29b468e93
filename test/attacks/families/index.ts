import type { Family } from '../attack.ts';
import { browserScripts } from './browser-scripts.ts';
import { changedFiles } from './changed-files.ts';
import { endlessUploads } from './endless-uploads.ts';
import { floods } from './floods.ts';
import { greedyKeys } from './greedy-keys.ts';
import { hostileOrders } from './hostile-orders.ts';
import { hostileSources } from './hostile-sources.ts';
import { http2 } from './http2.ts';
import { killedProcesses } from './killed-processes.ts';
import { logs } from './logs.ts';
import { oddHttp } from './odd-http.ts';
import { ogc } from './ogc.ts';
import { openMetrics } from './open-metrics.ts';
import { pathForms } from './path-forms.ts';
import { publicRecipes } from './public-recipes.ts';
import { rudeConnections } from './rude-connections.ts';
import { secrets } from './secrets.ts';
import { slowClients } from './slow-clients.ts';
import { smallRequests } from './small-requests.ts';
import { smuggledRequests } from './smuggled-requests.ts';
import { stac } from './stac.ts';
import { storeFailures } from './store-failures.ts';
import { stuckThreads } from './stuck-threads.ts';
import { unreadAnswers } from './unread-answers.ts';

/** Every attack there is, in the order they run. */
export const families: readonly Family[] = [
  slowClients,
  unreadAnswers,
  greedyKeys,
  changedFiles,
  endlessUploads,
  storeFailures,
  pathForms,
  oddHttp,
  floods,
  rudeConnections,
  openMetrics,
  smuggledRequests,
  http2,
  stuckThreads,
  hostileSources,
  hostileOrders,
  smallRequests,
  killedProcesses,
  browserScripts,
  secrets,
  publicRecipes,
  stac,
  ogc,
  logs,
];
