/** The script of the weather thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { toWire } from '../errors.ts';
import type { ReadWeatherDocument } from '../http/index.ts';
import { makeReadWeatherDocument } from '../http/index.ts';
import type { Caller, CallHandlers } from '../pool/index.ts';
import { connectCalls, withTransfer } from '../pool/index.ts';
import { startWeather } from './start-weather.ts';
import type { MainCalls, WeatherCalls, WeatherThreadConfig } from './weather-calls.ts';

if (parentPort === null) throw new Error('The weather thread is started by the service.');

const handlers: CallHandlers<WeatherCalls> = {
  async read(question, signal) {
    const document = await read(question, signal);
    return document === null ? null : withTransfer(document, [document.bytes.buffer]);
  },
};
const main: Caller<MainCalls> = connectCalls<WeatherCalls, MainCalls>(parentPort, handlers);
const read: ReadWeatherDocument = makeReadWeatherDocument(
  startWeather({
    config: workerData as WeatherThreadConfig,
    heights: {
      at: (lon, lat) => main.call('height-at', [lon, lat]),
      meanOf: (bounds) => main.call('mean-height', bounds),
    },
    onFailure: (provider, error) =>
      void main.call('provider-failed', { provider, error: toWire(error) }).catch(() => {}),
  }),
);
