import type { Scene } from '../../web/scenes/scene.ts';
import { viewerSensorOf } from './viewer-sensors.ts';

/** A scene of June 2026, as the viewer has it. */
export const makeViewerScene = (day: number, dataset = 'sentinel2'): Scene => {
  const sensor = viewerSensorOf(dataset);
  const viewId = `${sensor.abbreviation}/31/T/DH/2026/6/${day}/0`;
  return {
    viewId,
    id: `scene_${dataset}_${day}`,
    sensor,
    date: `2026-06-${day}`,
    tms: `https://imagery.example/api/render/${viewId}/{band}/{z}/{x}/{y}`,
    outline: {
      type: 'Polygon',
      coordinates: [
        [
          [2, 42],
          [3, 42],
          [3, 43],
          [2, 42],
        ],
      ],
    },
    cloudPercent: 3,
    sunElevationDeg: 60,
    coveragePercent: 100,
    thumbnail: null,
  };
};
