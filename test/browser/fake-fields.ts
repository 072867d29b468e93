/** Fields, their statistics and subscriptions, as a server that answers like Swath has them. */

/** A field as it is answered. */
interface FakeField {
  readonly id: string;
  readonly name: string;
  readonly group: string | null;
  readonly crop: string | null;
  readonly sown_on: string | null;
  readonly hectares: number;
  readonly bbox: readonly number[];
  readonly version: number;
  readonly updated_at: string;
  readonly last_values: readonly object[];
  readonly geometry: { readonly type: 'Polygon'; readonly coordinates: number[][][] };
}

interface FakeAnswer {
  readonly status: number;
  readonly text: string;
}

interface FakeRequest {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
}

const answer = (status: number, body: unknown): FakeAnswer => ({ status, text: JSON.stringify(body) });
const refuse = (status: number, error: string, code: string): FakeAnswer =>
  answer(status, { status: false, error, code, request_id: 'fake-1' });

const toBox = ({ coordinates }: FakeField['geometry']): readonly number[] => {
  const [lons, lats] = [0, 1].map((axis) => coordinates.flat().map((position) => position[axis] ?? 0)) as [
    number[],
    number[],
  ];
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
};

/** Fields in rows of ten, 0.02° wide, from a corner on. */
export const makeSquares = (count: number, [west, north]: readonly [number, number]) =>
  Array.from({ length: count }, (_, i) => {
    const [left, top] = [west + 0.03 * (i % 10), north - 0.03 * Math.floor(i / 10)];
    return {
      type: 'Feature',
      properties: { name: `Field ${i + 1}`, crop: i % 3 === 0 ? 'maize' : 'wheat' } as Record<
        string,
        unknown
      >,
      geometry: {
        type: 'Polygon' as const,
        coordinates: [
          [
            [left, top],
            [left + 0.02, top],
            [left + 0.02, top - 0.02],
            [left, top - 0.02],
            [left, top],
          ],
        ],
      },
    };
  });

const DAY_MS = 86_400_000;
const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

interface SeriesOrder {
  readonly expressions: string | readonly string[];
  readonly date_start: string;
  readonly date_end: string;
}

/** A scene every ten days up to 21 June 2026, newest first: green in summer, and a little more each year. */
const toSeries = ({ expressions, date_start, date_end }: SeriesOrder): object => {
  if (typeof expressions === 'string') return { results: [], errors: [] };
  const last = Date.UTC(2026, 5, 21);
  const dates = Array.from({ length: 200 }, (_, i) => toDay(last - 10 * i * DAY_MS)).filter(
    (date) => date >= date_start && date <= date_end,
  );
  const results = dates.map((date) => {
    const [year, yearDay] = [Number(date.slice(0, 4)), (Date.parse(date) / DAY_MS) % 365.25];
    const average = 0.45 + 0.05 * (year - 2025) - 0.3 * Math.cos((2 * Math.PI * yearDay) / 365.25);
    const metrics = {
      average,
      min: 0,
      max: 1,
      std: 0.1,
      median: average,
      p10: average - 0.1,
      p90: average + 0.08,
    };
    return {
      date,
      scene_id: `scene-${date}`,
      view_id: `S2/${date}`,
      cloud: 0,
      notes: [],
      values: Object.fromEntries(expressions.map((name) => [name, metrics])),
    };
  });
  return { results, errors: [] };
};

/** Days of weather that is the same all year round. */
const toWeather = ({ start_date, end_date }: { readonly start_date: string; readonly end_date: string }) => {
  const count = (Date.parse(end_date) - Date.parse(start_date)) / DAY_MS + 1;
  return Array.from({ length: count }, (_, i) => ({
    date: toDay(Date.parse(start_date) + i * DAY_MS),
    temperature_min: 8,
    temperature_max: 22,
    rainfall: i % 4 === 0 ? 9 : 0,
    growing_degree_days: 5,
    reference_evapotranspiration: 3,
    water_balance: (i % 4 === 0 ? 9 : 0) - 3,
  }));
};

/** Fields of one key, in memory. */
export const makeFakeFields = () => {
  const fields = new Map<string, FakeField>();
  const tables: string[] = [];
  const subscriptions = new Map<string, Record<string, unknown>>();
  let [lastNumber, lastTime] = [0, 0];
  const now = (): string => new Date(Date.UTC(2026, 5, 1) + 1000 * ++lastTime).toISOString();
  const store = (given: Readonly<Record<string, unknown>>): FakeField => {
    const id = (++lastNumber).toString(16).padStart(16, '0');
    const text = (name: string): string | null => (given[name] as string | null | undefined) ?? null;
    const geometry = given.geometry as FakeField['geometry'];
    const field: FakeField = {
      id,
      name: text('name') ?? id,
      group: text('group'),
      crop: text('crop'),
      sown_on: text('sown_on'),
      hectares: 10 + lastNumber,
      bbox: toBox(geometry),
      version: 1,
      updated_at: now(),
      last_values: [],
      geometry,
    };
    fields.set(id, field);
    return field;
  };
  const fake = {
    /** As for a key that may only read. */
    mayChange: true,
    /** The values of a field, oldest first: of as many days, five apart, up to 21 June 2026. */
    valuesOf: (number: number): readonly number[] => [0.3, 0.5, 0.2 + 0.005 * number],
    /** Makes fields without asking. */
    add: (features: readonly { readonly properties: object; readonly geometry: object }[]) => {
      for (const { properties, geometry } of features) store({ ...properties, geometry });
    },
    answer({ method, url, body }: FakeRequest): FakeAnswer | null {
      const path = url.pathname;
      const isWrite = method !== 'GET';
      if (/^\/api(?:\/fields(?:\/import)?|\/subscriptions)?$/.test(path) && isWrite && !fake.mayChange)
        return refuse(403, 'This key may only read.', 'role-needed');
      if (path === '/api/fields' && method === 'GET')
        return answer(200, {
          fields: [...fields.values()].map(({ geometry: _, ...listed }) => listed),
          next: null,
          may_change: fake.mayChange,
        });
      if (path === '/api/fields') return answer(201, store(JSON.parse(body) as Record<string, unknown>));
      if (path === '/api/fields/export') return answer(200, toCollection());
      if (path === '/api/fields/import') return answer(200, importFile(url, body));
      const [, id = ''] = /^\/api\/fields\/([0-9a-f]{16})$/.exec(path) ?? [];
      if (id !== '') return answerField(id, method, body);
      if (path === '/api' && method === 'POST') {
        tables.push(toTable(JSON.parse(body) as TableOrder));
        return answer(202, { task_id: String(tables.length - 1) });
      }
      if (path.startsWith('/api/subscriptions')) return answerSubscriptions(path, method, body);
      if (path === '/api/statistics') return answer(200, toSeries(JSON.parse(body) as SeriesOrder));
      if (path === '/api/cz/backend/forecast-history')
        return answer(200, toWeather(JSON.parse(body) as Parameters<typeof toWeather>[0]));
      if (path === '/api/cz/backend/forecast') return answer(200, []);
      if (path === '/api/tasks')
        return answer(200, {
          tasks: tables.map((_, i) => ({
            task_id: String(i),
            type: 'mt_stats',
            state: 'finished',
            created_at: '2026-06-21T00:00:00Z',
            result_url: `https://imagery.example/api/results/${i}`,
          })),
          next: null,
        });
      const table = tables[Number(/^\/api\/results\/(\d+)$/.exec(path)?.[1] ?? Number.NaN)];
      return table === undefined ? null : { status: 200, text: table };
    },
  };

  /** Each has told of the first field, twice. */
  const answerSubscriptions = (path: string, method: string, body: string): FakeAnswer | null => {
    const [, id = '', events] = /^\/api\/subscriptions\/(\w+)(\/events)?$/.exec(path) ?? [];
    const known = subscriptions.get(id);
    if (id === '' && method === 'GET') return answer(200, { subscriptions: [...subscriptions.values()] });
    if (id === '') {
      const order = JSON.parse(body) as Record<string, unknown>;
      const made = {
        ...order,
        id: `s${subscriptions.size + 1}`,
        expressions: [order.expression],
        paused: false,
        checked_at: '2026-06-21T12:00:00Z',
      };
      subscriptions.set(made.id, made);
      return answer(201, made);
    }
    if (known === undefined) return refuse(404, 'There is no such subscription.', 'unknown-subscription');
    if (events !== undefined) {
      const [field] = fields.values();
      const event = { field_id: field?.id, field_name: field?.name, expression: 'NDVI', compared: 0.5 };
      const told = ['2026-06-11', '2026-06-21'].map((date, i) => ({
        ...event,
        id: `${id}-${i}`,
        date: `${date}T10:00:00Z`,
        value: 0.3 - 0.1 * i,
      }));
      return answer(200, { events: told, next: 2 });
    }
    // Nothing was sent by e-mail.
    if (method === 'GET')
      return answer(200, {
        ...known,
        sending: [
          { channel: 'email', arrived: 0, failed_attempts: 2, next_attempt_at: '2026-06-21T12:00:00Z' },
        ],
      });
    if (method === 'DELETE') subscriptions.delete(id);
    else subscriptions.set(id, { ...known, ...(JSON.parse(body) as object) });
    return method === 'DELETE' ? { status: 204, text: '' } : answer(200, known);
  };
  interface TableOrder {
    readonly params: { readonly bm_type: readonly string[] };
  }
  const toTable = ({ params }: TableOrder): string => {
    const rows = [...fields.values()].flatMap(({ id, name }, i) => {
      const values = fake.valuesOf(i);
      return values.map((value, k) => {
        const date = new Date(Date.UTC(2026, 5, 21 - 5 * (values.length - 1 - k))).toISOString().slice(0, 10);
        return `${id},"${name}",${date},${value},0,100`;
      });
    });
    return [`field_id,name,date,${params.bm_type[0]}_average,cloud_percent,data_percent`, ...rows, ''].join(
      '\n',
    );
  };
  const toCollection = (): object => ({
    type: 'FeatureCollection',
    features: [...fields.values()].map(({ id, geometry }) => ({
      type: 'Feature',
      properties: { id },
      geometry,
    })),
  });
  const importFile = (url: URL, body: string): object => {
    const { features } = JSON.parse(body) as { features: ReturnType<typeof makeSquares> };
    const group = url.searchParams.get('group');
    const report = features.map(({ properties, geometry }, i) => {
      const line = { row: i + 1, id: null, field: null, code: null, message: null, warning: null };
      if (properties.crossed === true)
        return {
          ...line,
          status: 'refused',
          code: 'area-self-crossing',
          message: 'The area is not valid: ring 1 crosses itself.',
        };
      const { id } = store({ ...properties, geometry, ...(group === null ? {} : { group }) });
      return { ...line, field: id, status: 'created' };
    });
    const count = (status: string): number => report.filter((line) => line.status === status).length;
    return {
      rows: report.length,
      created: count('created'),
      updated: 0,
      unchanged: 0,
      refused: count('refused'),
      report,
    };
  };
  const answerField = (id: string, method: string, body: string): FakeAnswer => {
    const field = fields.get(id);
    if (field === undefined) return refuse(404, 'There is no such field.', 'no-such-field');
    if (method === 'DELETE') {
      fields.delete(id);
      return { status: 204, text: '' };
    }
    if (method === 'PATCH') {
      const changed = {
        ...field,
        ...(JSON.parse(body) as object),
        version: field.version + 1,
        updated_at: now(),
      };
      fields.set(id, changed);
      return answer(200, changed);
    }
    return answer(200, field);
  };
  return fake;
};
