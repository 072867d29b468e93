import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { SwathError } from '../../errors.ts';
import { toWire } from '../../errors.ts';
import { HANG_MS } from '../../testing/wait-for.ts';
import type { OpenMeteoAnswer, OpenMeteoServer } from '../testing/open-meteo-server.ts';
import { startOpenMeteoServer } from '../testing/open-meteo-server.ts';
import type { WeatherProvider } from '../weather-provider.ts';
import { makeOpenMeteoFetch } from './ask-server.ts';
import type { OpenMeteoDeps } from './make-open-meteo.ts';
import { makeOpenMeteo } from './make-open-meteo.ts';

const NOW_MS = Date.UTC(2026, 4, 20, 10, 20, 30);
const KEY = 'very-secret-key';
/** For a server that is silent: a slow machine takes longer than this for an answer that comes. */
const SHORT_MS = 300;
const LONG_MS = HANG_MS;
/** Of each request in these tests: much more than it should take, much less than no limit at all. */
const BOUND_MS = HANG_MS / 2;

interface Setup {
  readonly server: OpenMeteoServer;
  readonly provider: WeatherProvider;
  readonly clock: { nowMs: number };
  /** Whether the provider waits for a short time only, and how often it has asked: also what never got to the server. */
  readonly asking: Asking;
}

interface Asking {
  isShort: boolean;
  count: number;
}

/** Runs a check with a server and a provider of it. */
async function withServer(check: (setup: Setup) => Promise<void>, more: Partial<OpenMeteoDeps> = {}) {
  const clock = { nowMs: NOW_MS };
  const server = await startOpenMeteoServer({ nowMs: () => clock.nowMs });
  const asking = { isShort: false, count: 0 };
  try {
    await check({ server, provider: makeProvider(server.url, clock, more, asking), clock, asking });
  } finally {
    await server.stop();
  }
}

function makeProvider(
  url: string,
  clock: { nowMs: number },
  more: Partial<OpenMeteoDeps> = {},
  asking: Asking = { isShort: false, count: 0 },
) {
  const servers = { forecastUrl: url, archiveUrl: url };
  const privateNetworks = ['127.0.0.0/8'];
  const [short, long] = [SHORT_MS, LONG_MS].map((timeoutMs) =>
    makeOpenMeteoFetch({ ...servers, privateNetworks, timeoutMs }),
  );
  return makeOpenMeteo({
    ...servers,
    fetch: (...request) => {
      asking.count += 1;
      return (asking.isShort ? short! : long!)(...request);
    },
    key: KEY,
    models: { forecast: null, archive: null },
    limits: { perMinute: 0, perHour: 0, perDay: 0 },
    retryDelayMs: 1,
    nowMs: () => clock.nowMs,
    ...more,
  });
}

const readForecast = (provider: WeatherProvider, nowMs = NOW_MS) =>
  provider.readForecast({ where: { type: 'Point', coordinates: [30, 50] }, hours: 72, nowMs });

const readHistory = (provider: WeatherProvider) =>
  provider.readHistory({
    where: { type: 'Point', coordinates: [30, 50] },
    from: '2020-02-10',
    to: '2020-02-11',
    utcOffsetHours: 0,
    variables: ['temperature', 'precipitation'],
    isHourly: true,
  });

/** The error of a request that must fail in time, as the one that makes callers ask the next provider. */
async function failOf(read: Promise<unknown>): Promise<SwathError> {
  const startMs = performance.now();
  const error = await read.then(
    () => assert.fail('it was answered'),
    (thrown: unknown) => thrown as SwathError,
  );
  assert.ok(performance.now() - startMs < BOUND_MS);
  assert.deepEqual([error.tag, error.code], ['unavailable', 'weather-unavailable'], String(error.cause));
  const shown = JSON.stringify(toWire(error)) + error.message;
  assert.ok(!shown.includes(KEY), 'the key is in the error');
  assert.ok(!error.message.includes('127.0.0.1'));
  return error;
}

const send = (response: ServerResponse, status: number, body: string, headers = {}): true => {
  response.writeHead(status, headers).end(body);
  return true;
};

/** Unusable responses of the server, by what is wrong with them. */
const FAULTS: Readonly<Record<string, OpenMeteoServer['fault']>> = {
  'silence until the time is over': () => true,
  'a byte now and then': (request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(' '), 20);
    request.socket.on('close', () => clearInterval(timer));
    return true;
  },
  'an answer that is cut off': (request, response) => {
    response.writeHead(200, { 'content-length': 1_000 });
    response.write('{"latitude":', () => request.socket.destroy());
    return true;
  },
  'JSON that is cut off': (_, response) => send(response, 200, '{"latitude":50,"hourly":{"time":[1,2'),
  'an empty answer': (_, response) => send(response, 200, ''),
  'a page with status 200': (_, response) => send(response, 200, '<html>maintenance</html>'),
  'a page of a proxy': (_, response) => send(response, 502, '<html>Bad Gateway</html>'),
  'a server error': (_, response) => send(response, 500, '{"error":true,"reason":"Internal Server Error"}'),
  'an error with status 200': (_, response) => send(response, 200, '{"error":true,"reason":"broken"}'),
  'a refusal of the request': (_, response, { href }) =>
    send(response, 400, JSON.stringify({ error: true, reason: `Invalid URL ${href}` })),
  'a wrong key': (_, response) =>
    send(response, 403, '{"error":true,"reason":"The supplied API key is invalid."}'),
  'too many requests': (_, response) =>
    send(response, 429, '{"error":true,"reason":"Minutely API request limit exceeded."}'),
  'too many requests, with a time': (_, response) => send(response, 429, '', { 'retry-after': '120' }),
  'NaN in the text': (_, response) => send(response, 200, '{"latitude":NaN}'),
  'an enormous answer': (_, response) => {
    response.writeHead(200);
    const chunk = ' '.repeat(2 ** 16);
    const write = (): void => {
      while (response.write(chunk));
      response.once('drain', write);
    };
    write();
    return true;
  },
  'an enormous announced answer': (_, response) => {
    response.writeHead(200, { 'content-length': 1e12 }).flushHeaders();
    return true;
  },
  'deep nesting': (_, response) => send(response, 200, '['.repeat(1e5)),
  null: (_, response) => send(response, 200, 'null'),
  'a number': (_, response) => send(response, 200, '7'),
  'no location': (_, response) => send(response, 200, '[]'),
  'text that is not UTF-8': (_, response) => {
    response.writeHead(200).end(Buffer.from([0x22, 0xff, 0xfe, 0x22]));
    return true;
  },
};

/** Those after which there is nothing to wait for but the time to be over. */
const ENDLESS = ['silence until the time is over', 'a byte now and then', 'an enormous announced answer'];

/** Answers in which one thing is wrong. */
const CHANGES: Readonly<Record<string, (answer: OpenMeteoAnswer) => unknown>> = {
  'two locations instead of one': (answer) => [answer, answer],
  'another location': (answer) => ({ ...answer, longitude: answer.longitude + 10 }),
  'no latitude': ({ latitude: _, ...rest }) => rest,
  'a latitude as text': (answer) => ({ ...answer, latitude: '50' }),
  'an elevation as text': (answer) => ({ ...answer, elevation: '100' }),
  'an elevation above all mountains': (answer) => ({ ...answer, elevation: 1e6 }),
  'no units': ({ hourly_units: _, ...rest }) => rest,
  'no hours': ({ hourly: _, ...rest }) => rest,
  'hours as an array': (answer) => ({ ...answer, hourly: [] }),
  'temperatures in Fahrenheit': (answer) => withUnits(answer, 'temperature_2m', '°F'),
  'precipitation in inches': (answer) => withUnits(answer, 'precipitation', 'inch'),
  'units that are missing': (answer) => withUnits(answer, 'precipitation', undefined),
  'undefined units of known values': (answer) => withUnits(answer, 'precipitation', 'undefined'),
  'times as text': (answer) => withUnits(answer, 'time', 'iso8601'),
  'no variable': (answer) => withHours(answer, 'precipitation', undefined),
  'a value too few': (answer) => withHours(answer, 'precipitation', answer.hourly.precipitation!.slice(1)),
  'a value too many': (answer) => withHours(answer, 'precipitation', [...answer.hourly.precipitation!, 0]),
  'a time too few': (answer) => withHours(answer, 'time', answer.hourly.time.slice(1)),
  'other days': (answer) =>
    withHours(
      answer,
      'time',
      answer.hourly.time.map((time) => time + 86_400),
    ),
  'a time twice': (answer) => withHours(answer, 'time', answer.hourly.time.with(3, answer.hourly.time[2]!)),
  'numbers as text': (answer) => withHours(answer, 'precipitation', answer.hourly.precipitation!.map(String)),
  'NaN as text': (answer) => withHours(answer, 'precipitation', answer.hourly.precipitation!.with(5, 'NaN')),
  'a temperature of no Earth': (answer) =>
    withHours(answer, 'temperature_2m', answer.hourly.temperature_2m!.with(5, 290)),
  'rain below 0': (answer) => withHours(answer, 'precipitation', answer.hourly.precipitation!.with(5, -1)),
  'an array in an array': (answer) =>
    withHours(answer, 'precipitation', answer.hourly.precipitation!.with(5, [1])),
};

const withUnits = (answer: OpenMeteoAnswer, name: string, units: string | undefined) => ({
  ...answer,
  hourly_units: { ...answer.hourly_units, [name]: units },
});

const withHours = (answer: OpenMeteoAnswer, name: string, values: unknown) => ({
  ...answer,
  hourly: { ...answer.hourly, [name]: values },
});

/** The server is well again, and the rest that it got is over. */
async function checkRecovery({ server, provider, clock, asking }: Setup): Promise<void> {
  asking.isShort = false;
  server.fault = () => false;
  server.alter = (answer) => answer;
  clock.nowMs += 300_000;
  assert.ok((await readForecast(provider, clock.nowMs)) !== null);
  assert.ok((await readHistory(provider)) !== null);
}

for (const [what, fault] of Object.entries(FAULTS)) {
  test(`${what} counts as unavailable in time, and nothing of it is cached`, async () => {
    await withServer(async (setup) => {
      setup.server.fault = fault;
      setup.asking.isShort = ENDLESS.includes(what);
      await failOf(readForecast(setup.provider));
      await failOf(readHistory(setup.provider));
      await checkRecovery(setup);
    });
  });
}

test('answers with one error are refused as a whole, and not cached', async () => {
  for (const [what, change] of Object.entries(CHANGES)) {
    await withServer(async (setup) => {
      setup.server.alter = change;
      const error = await failOf(readForecast(setup.provider)).catch((wrong: Error) => {
        throw new Error(`${what}: ${wrong.message}`);
      });
      assert.match(String(error.cause), /wrong answer/, what);
      await failOf(readHistory(setup.provider));
      await checkRecovery(setup);
    });
  }
});

test('a closed port is unavailable', async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  await failOf(readForecast(makeProvider(`http://127.0.0.1:${port}`, { nowMs: NOW_MS })));
});

test('a private address that is not configured is not called', async () => {
  await withServer(async ({ server, clock }) => {
    const servers = { forecastUrl: server.url, archiveUrl: server.url };
    const fetch = makeOpenMeteoFetch({ ...servers, privateNetworks: [] });
    await failOf(readForecast(makeProvider(server.url, clock, { fetch })));
    assert.equal(server.requests.length, 0);
  });
});

test('redirects are not followed, neither to other hosts nor to the same one', async () => {
  const other = await startOpenMeteoServer({ nowMs: () => NOW_MS });
  try {
    await withServer(async ({ server, provider }) => {
      for (const location of [
        `${other.url}/v1/forecast`,
        'http://169.254.169.254/latest/meta-data/',
        '/v1/archive',
      ]) {
        const before = server.requests.length;
        server.fault = (_, response) => send(response, 302, '', { location });
        await failOf(readForecast(provider));
        assert.ok(server.requests.length <= before + 1, 'a redirect does not pass');
      }
      assert.equal(other.requests.length, 0);
    });
  } finally {
    await other.stop();
  }
});

test('a temporary failure is retried once', async () => {
  await withServer(async ({ server, provider }) => {
    const only = (count: number, fault: OpenMeteoServer['fault']) => {
      let left = count;
      server.requests.length = 0;
      server.fault = (...args) => left-- > 0 && fault(...args);
    };
    only(1, FAULTS['a page of a proxy']!);
    assert.ok((await readForecast(provider)) !== null);
    assert.equal(server.requests.length, 2);
    only(1, FAULTS['an answer that is cut off']!);
    assert.ok((await readHistory(provider)) !== null);
    assert.equal(server.requests.length, 2);
  });
});

test('a permanent failure is not retried', async () => {
  for (const what of ['silence until the time is over', 'a wrong key', 'too many requests', 'a number']) {
    await withServer(async ({ server, provider, asking }) => {
      server.fault = FAULTS[what]!;
      asking.isShort = ENDLESS.includes(what);
      await failOf(readForecast(provider));
      assert.equal(asking.count, 1, what);
    });
  }
});

test('requests to a server that refuses them are paused for as long as it says', async () => {
  for (const [reason, headers, waitS] of [
    ['Minutely API request limit exceeded. Please try again in one minute.', {}, 30],
    ['Hourly API request limit exceeded. Please try again in the next hour.', {}, 39 * 60 + 30],
    ['', { 'retry-after': '120' }, 120],
  ] as const) {
    await withServer(async ({ server, provider, clock }) => {
      server.fault = (_, response) => send(response, 429, JSON.stringify({ error: true, reason }), headers);
      assert.equal((await failOf(readForecast(provider))).details.retryAfterS, waitS);
      server.fault = () => false;
      clock.nowMs += (waitS - 1) * 1_000;
      assert.equal((await failOf(readForecast(provider, clock.nowMs))).details.retryAfterS, 1);
      assert.equal(server.requests.length, 1, 'it was left alone');
      clock.nowMs += 1_000;
      assert.ok((await readForecast(provider, clock.nowMs)) !== null);
    });
  }
});

test('requests to a server that is down are paused after three attempts', async () => {
  await withServer(async ({ server, provider, clock, asking }) => {
    server.fault = FAULTS['silence until the time is over']!;
    asking.isShort = true;
    for (let i = 0; i < 5; i++) await failOf(readForecast(provider));
    assert.equal(asking.count, 3);
    asking.isShort = false;
    server.fault = () => false;
    clock.nowMs += 30_000;
    assert.ok((await readForecast(provider)) !== null);
  });
});

test('requests that the server refuses as invalid do not pause it', async () => {
  await withServer(async ({ server, provider }) => {
    server.fault = FAULTS['a refusal of the request']!;
    for (let i = 0; i < 5; i++) await failOf(readForecast(provider));
    assert.equal(server.requests.length, 5);
  });
});

test('the server is not called when its quota is exhausted', async () => {
  const limits = { perMinute: 1, perHour: 0, perDay: 0 };
  await withServer(
    async ({ server, provider, clock }) => {
      assert.ok((await readForecast(provider)) !== null);
      assert.ok((await readForecast(provider)) !== null, 'an answer in memory is free');
      const { details } = await failOf(readHistory(provider));
      assert.equal(details.retryAfterS, 60);
      assert.equal(server.requests.length, 1);
      clock.nowMs += 60_000;
      assert.ok((await readHistory(provider)) !== null);
    },
    { limits },
  );
});

test('a caller that disconnects ends the request, and gets the reason', async () => {
  await withServer(async ({ server, provider }) => {
    const leaving = new AbortController();
    const ended = new Promise((resolve) => {
      server.fault = (request) => {
        request.socket.on('close', resolve);
        leaving.abort();
        return true;
      };
    });
    const where = { type: 'Point', coordinates: [30, 50] } as const;
    const read = provider.readForecast({ where, hours: 72, nowMs: NOW_MS, signal: leaving.signal });
    await assert.rejects(read, ({ tag }: SwathError) => tag === 'cancelled');
    await ended;
  });
});
