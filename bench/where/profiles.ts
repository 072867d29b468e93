import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A CPU profile as V8 writes it: times in microseconds of the clock of `process.hrtime`. */
interface Profile {
  readonly startTime: number;
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

/** What a thread did, as shares of its samples in a span of time; together 1, the largest first. */
export interface ThreadProfile {
  readonly shares: ReadonlyMap<string, number>;
  /** Samples in which it worked, as milliseconds: those of a thread that has to wait for a core count too. */
  readonly busyMs: number;
}

/** Code that belongs to a stage, by how its address or the name of a function begins. The first that fits counts. */
type Stages = readonly (readonly [stage: string, pattern: RegExp])[];

/** Stages of the main thread, from socket to socket. */
export const MAIN_STAGES: Stages = [
  ['collect garbage', /^\(garbage collector\)/],
  [
    'write the answer',
    /^(?:writev|writeUtf8String|writeBuffer|writeLatin1String) |node:_http_outgoing|node:internal\/streams/,
  ],
  ['messages to threads', /^postMessage |node:internal\/worker|node:internal\/per_context\/messageport/],
  ['count and log', /prom-client|src\/http\/metrics|src\/log/],
  [
    'receive and parse',
    /node:_http_|node:net|node:internal\/stream_base|src\/http\/server\/(?:connections|server)\.ts/,
  ],
  ['key, limits, route', /src\/http\/server|src\/http\/routes|src\/keys|src\/usage/],
  ['path and query', /src\/http|src\/sensors/],
  ['find the scene', /src\/catalog|src\/adapters|src\/async|src\/live/],
  ['plan', /src\/render|src\/color|src\/proj|src\/raster|src\/bandmath|src\/geo|src\/lru|src\/files/],
  ['queue', /src\/pool/],
];

/** Stages of a pixel thread. */
export const PIXEL_STAGES: Stages = [
  ['collect garbage', /^\(garbage collector\)/],
  ['messages', /^postMessage |src\/pool|node:internal\/worker|node:internal\/per_context\/messageport/],
  ['read and expand', /src\/blocks|src\/sources|src\/formats\/tiff|src\/raster\/window-plane/],
  ['warp', /src\/raster\/warp/],
  ['band math', /src\/raster\/band-math|src\/bandmath/],
  ['colour', /src\/color/],
  ['encode', /src\/formats/],
  ['steps between', /src\//],
];

/** The profiles that a service has left in a folder, in the order in which its threads started: the main thread first. */
export function readProfiles(folder: string): readonly Profile[] {
  const threadOf = (name: string): number => Number(name.split('.')[4]);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.cpuprofile'))
    .sort((a, b) => threadOf(a) - threadOf(b))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Profile);
}

/** Whether a thread ran WebAssembly: pixel threads do. */
export const hasPixels = ({ nodes }: Profile): boolean =>
  nodes.some(({ callFrame }) => callFrame.url.startsWith('wasm://'));

/** Divides what a thread did from `fromUs` to `toUs` into stages: the innermost frame that a stage knows decides. */
export function toStages(profile: Profile, stages: Stages, fromUs: number, toUs: number): ThreadProfile {
  const nodes = toNodes(profile);
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  );
  const known = new Map<number, string>();
  const stageOf = (id: number): string => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const { functionName, url } = (nodes.get(id) as ProfileNode).callFrame;
    const name = `${functionName} ${url}`;
    const parent = parents.get(id);
    const own = stages.find(([, pattern]) => pattern.test(name))?.[0];
    const stage = own ?? (parent === undefined ? 'Node and V8' : stageOf(parent));
    known.set(id, stage);
    return stage;
  };
  return sumUp(profile, fromUs, toUs, stageOf);
}

/** Divides it by the functions themselves, without those that they call. */
export function toFunctions(profile: Profile, fromUs: number, toUs: number): ThreadProfile {
  const nodes = toNodes(profile);
  return sumUp(profile, fromUs, toUs, (id) => {
    const { functionName, url } = (nodes.get(id) as ProfileNode).callFrame;
    return `${functionName || '(anonymous)'} ${url.replace(/^.*\/(?=(src|node_modules)\/)/, '')}`;
  });
}

const toNodes = ({ nodes }: Profile): ReadonlyMap<number, ProfileNode> =>
  new Map(nodes.map((node) => [node.id, node]));

/** Adds up the samples of a span by what they are named. */
function sumUp(
  profile: Profile,
  fromUs: number,
  toUs: number,
  nameOf: (id: number) => string,
): ThreadProfile {
  const nodes = toNodes(profile);
  const spent = new Map<string, number>();
  let atUs = profile.startTime;
  let busyUs = 0;
  for (const [i, id] of profile.samples.entries()) {
    const tookUs = profile.timeDeltas[i] ?? 0;
    atUs += tookUs;
    if (atUs < fromUs || atUs > toUs || nodes.get(id)?.callFrame.functionName === '(idle)') continue;
    busyUs += tookUs;
    const name = nameOf(id);
    spent.set(name, (spent.get(name) ?? 0) + tookUs);
  }
  const shares = [...spent].map(([stage, us]) => [stage, us / busyUs] as const);
  return { shares: new Map(shares.sort(([, a], [, b]) => b - a)), busyMs: busyUs / 1000 };
}
