/** Cloud and data in the area of a search: fields that are measured, and not looked up. */

import type { FieldFilter, HitPage, SceneHit, SceneQuery, SceneStore } from '../../catalog/index.ts';
import { matchesFilters } from '../../catalog/index.ts';
import type { MeasureCoverage, SceneCoverage } from '../../coverage/index.ts';
import type { AreaGeometry } from '../../geo/index.ts';
import { badInput } from '../errors.ts';
import type { ApiRequest } from '../kit/endpoint.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import { json } from '../kit/json-schema.ts';
import { limits } from '../kit/limits.ts';
import { parseFilter } from './filters.ts';

/** Fields that are measured in the search's shape, for all datasets. */
export const AREA_FIELDS = ['cloudCoverageInArea', 'dataCoverageInArea'] as const;
type AreaField = (typeof AREA_FIELDS)[number];

export const isAreaField = (name: string): name is AreaField =>
  (AREA_FIELDS as readonly string[]).includes(name);

/** What a search asks about its area. */
export interface InAreaRequest {
  readonly area: AreaGeometry;
  readonly filters: readonly FieldFilter[];
  /** Null for the order of the query. */
  readonly sort: SceneQuery['sort'] | null;
  /** Where the scenes that are measured begin, in the order of the query. */
  readonly from: number;
}

/** What a body says about these fields. */
interface AskedInArea {
  /** Filters by name, as they came. */
  readonly filters: readonly (readonly [name: string, filter: unknown])[];
  readonly sort: SceneQuery['sort'];
  readonly fields: ReadonlySet<string> | null;
  /** Null if it is left out. */
  readonly from: number | null;
  readonly shape: SceneQuery['shape'];
}

/** Reads what a search asks about its area; null if it asks nothing. Refuses a search without an area. */
export function parseInArea({ filters, sort, fields, from, shape }: AskedInArea): InAreaRequest | null {
  const own = filters.filter(([name]) => isAreaField(name));
  const isSorted = isAreaField(sort.field);
  const isNarrowed = own.length > 0 || isSorted;
  if (from !== null && !isNarrowed) {
    throw badInput(
      'lone-measure-from',
      `measureFrom needs a filter or an order by ${AREA_FIELDS.join(' or ')}; other searches have pages.`,
    );
  }
  const shown = AREA_FIELDS.find((name) => fields?.has(name));
  const [name] = [...own.map(([field]) => field), ...(isSorted ? [sort.field] : []), shown];
  if (name === undefined) return null;
  if (shape === undefined || shape.geometry.type === 'Point') {
    throw badInput('no-area', `${name} needs an area: search.shape must be a Polygon or a MultiPolygon.`);
  }
  return {
    area: shape.geometry,
    filters: own.map(([field, filter]) =>
      parseFilter({ name: field, type: 'number', isWord: false }, filter),
    ),
    sort: isSorted ? sort : null,
    from: from ?? 0,
  };
}

/** A page of hits with what was measured of them. */
export interface MeasuredPage extends HitPage {
  /** By hit; one that was not measured has none. */
  readonly coverageOf: ReadonlyMap<SceneHit, SceneCoverage>;
  /** `meta.in_area` of the answer. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** What the main thread does for a scene whose mask has to be read: its record, and the plan. */
const READ_COST_MS = 0.5;

interface InAreaDeps {
  readonly scenes: Pick<SceneStore, 'searchHits'>;
  readonly measureCoverage: MeasureCoverage;
}

/** Finds scenes and measures them in the area; filters and sorts by what was measured if the search does. */
export async function searchInArea(
  { scenes, measureCoverage }: InAreaDeps,
  { query, inArea }: { readonly query: SceneQuery; readonly inArea: InAreaRequest },
  { ticket, pay }: Pick<ApiRequest, 'ticket' | 'pay'>,
): Promise<MeasuredPage> {
  const { area, filters, sort, from } = inArea;
  const isPage = filters.length === 0 && sort === null;
  const found = await scenes.searchHits(
    isPage ? query : { ...query, offset: from, limit: limits.measuredScenes },
  );
  const candidates = found.hits.slice(0, limits.measuredScenes);
  const measured = await measureCoverage(
    { hits: candidates, area, onRead: (count) => pay(count * READ_COST_MS) },
    ticket,
  );
  const coverageOf = new Map(measured.map((coverage, i) => [candidates[i] as SceneHit, coverage]));
  const problems = listProblems(candidates, measured);
  const counts = { candidates: found.found, measured: measured.length };
  if (isPage) {
    const remaining = found.hits.length - measured.length;
    const advice =
      'Some hits of this page were not measured, to bound the work of one search. Send it again, or ask for fewer hits with limit.';
    return {
      ...found,
      coverageOf,
      meta: { ...counts, remaining, ...(remaining === 0 ? {} : { advice }), problems },
    };
  }
  const end = from + measured.length;
  const remaining = Math.max(0, found.found - end);
  const rest = {
    next: { measureFrom: end },
    advice: `Only the first scenes were measured, to bound the work of one search. Narrow it by dates, cloudCoverage or a smaller shape; or send it again with "measureFrom": ${end} for the next scenes.`,
  };
  const matching = candidates
    .slice(0, measured.length)
    .filter((hit) => matchesFilters(toAreaFields(coverageOf.get(hit)), filters));
  if (sort !== null) matching.sort(makeCompare(sort, coverageOf));
  return {
    ...found,
    found: matching.length,
    hits: matching.slice(query.offset, query.offset + query.limit),
    coverageOf,
    meta: { ...counts, remaining, ...(remaining === 0 ? {} : rest), problems },
  };
}

/** The fields of a hit; null where they were not measured. */
export const toAreaFields = (coverage: SceneCoverage | undefined): Record<AreaField, number | null> => ({
  cloudCoverageInArea: coverage?.cloudPercent ?? null,
  dataCoverageInArea: coverage?.dataPercent ?? null,
});

/** By a measured field, null last in both directions; equal ones stay in the order of the query. */
function makeCompare(
  { field, descending }: SceneQuery['sort'],
  coverageOf: ReadonlyMap<SceneHit, SceneCoverage>,
) {
  const toValue = (hit: SceneHit): number | null => toAreaFields(coverageOf.get(hit))[field as AreaField];
  return (a: SceneHit, b: SceneHit): number => {
    const [one, other] = [toValue(a), toValue(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return descending ? other - one : one - other;
  };
}

/** Problems that a list has at most; more kinds than these are rare. */
const MAX_PROBLEMS = 20;

interface Problem {
  readonly dataset: string;
  readonly code: string;
  readonly message: string;
  scenes: number;
  /** The first of them. */
  readonly view_id: string;
}

/** Why percentages are null, each reason once for a dataset. */
function listProblems(hits: readonly SceneHit[], measured: readonly SceneCoverage[]): readonly Problem[] {
  const problems = new Map<string, Problem>();
  for (const [i, { problem }] of measured.entries()) {
    if (problem === null) continue;
    const { dataset, viewId } = hits[i] as SceneHit;
    const key = `${dataset} ${problem.code} ${problem.message}`;
    const known = problems.get(key);
    if (known === undefined) problems.set(key, { dataset, ...problem, scenes: 1, view_id: viewId });
    else known.scenes += 1;
  }
  return [...problems.values()].slice(0, MAX_PROBLEMS);
}

const percentSchema = (description: string): JsonSchema =>
  json.nullable(json.number({ min: 0, max: 100 }), { description });

/** The fields of hits, for the documentation. */
export const areaHitFields: Readonly<Record<string, JsonSchema>> = {
  'cloudCoverageInArea?': percentSchema(
    'Where the search asks for it: percentage of clouds among the pixels of search.shape with data; null if unknown.',
  ),
  'dataCoverageInArea?': percentSchema(
    'Where the search asks for it: percentage of search.shape with data of the scene; null if unknown.',
  ),
};

/** `meta.in_area` of an answer, for the documentation. */
export const inAreaSchema = json.named(
  'SearchedArea',
  json.object(
    {
      candidates: json.integer({ min: 0, description: 'Scenes that match all other filters.' }),
      measured: json.integer({ min: 0, description: 'How many of them were measured for this answer.' }),
      remaining: json.integer({
        min: 0,
        description: 'How many of them were not, and are not in the answer.',
      }),
      'next?': json.object(
        { measureFrom: json.integer({ min: 1 }) },
        {
          description: 'The field of the body to change for the remaining scenes; absent if there are none.',
        },
      ),
      'advice?': json.string({ description: 'What to do about remaining scenes.' }),
      problems: json.list(
        json.object({
          dataset: json.string(),
          code: json.string(),
          message: json.string(),
          scenes: json.integer({ min: 1 }),
          view_id: json.string({ description: 'One of these scenes.' }),
        }),
        { description: 'Why fields are null.' },
      ),
    },
    { description: 'Present if the search asks for cloudCoverageInArea or dataCoverageInArea.' },
  ),
);
