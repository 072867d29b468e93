import assert from 'node:assert/strict';
import { toWireSensor } from '../../src/http/reference.ts';
import { sensors } from '../../src/sensors/index.ts';
import type { ViewerSensor } from '../../web/scenes/sensor.ts';
import { parseSensors } from '../../web/scenes/sensor.ts';

/** All sensors as the viewer reads them from the server. */
export const viewerSensors: readonly ViewerSensor[] = parseSensors({ sensors: sensors.map(toWireSensor) });

/** One of them. */
export function viewerSensorOf(dataset: string): ViewerSensor {
  const sensor = viewerSensors.find((one) => one.dataset === dataset);
  assert.ok(sensor, dataset);
  return sensor;
}
