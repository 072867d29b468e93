import { listClassPresets, measureClasses } from '../classes/classes.ts';
import { orderExplanation, statisticsExplanation } from '../explain/explain-schema.ts';
import { explainable } from '../explain/explainable.ts';
import type { Route } from '../kit/endpoint.ts';
import { linked, read, write } from '../kit/endpoint.ts';
import { orderCollection } from '../statistics/collection-file.ts';
import { pollPhenology, readPhenology } from '../statistics/phenology.ts';
import { readStatisticsNow } from '../statistics/statistics.ts';
import { taskResult } from '../tasks/result.ts';
import {
  createTask,
  deleteTask,
  downloadHost,
  estimateTask,
  readTask,
  statisticsHost,
} from '../tasks/task.ts';
import { listTasks } from '../tasks/task-list.ts';
import { comingDays, weatherForecast, weatherHistory, weatherNormals } from '../weather/weather.ts';
import { makeZones } from '../zones/zones.ts';
import type { Services } from './services.ts';

/** Weather, tasks with their results, and numbers of areas. */
export const orderRoutes = ({
  results,
  shared,
  pictures,
  mosaics,
  zones,
  classes,
  weather,
  tasks,
  files,
}: Services): readonly Route[] => {
  const history = weatherHistory(weather);
  const forecast = weatherForecast(weather, 'padded');
  return [
    // Programs know several addresses of the same weather.
    read.post('/api/cz/backend/forecast-history', 'getWeatherHistory', history, { cost: 10 }),
    read.post('/weather/forecast-history', 'getWeatherHistoryOfWeatherHost', history, { cost: 10 }),
    read.post('/api/cz/backend/forecast', 'getComingDays', comingDays(weather), { cost: 5 }),
    read.post('/api/forecast/weather', 'getForecast', weatherForecast(weather, 'plain'), { cost: 5 }),
    read.post('/api/forecast/weather/forecast', 'getPaddedForecast', forecast, { cost: 5 }),
    read.post('/api/forecast/weather/forecast/world', 'getPaddedWorldForecast', forecast, { cost: 5 }),
    read.post('/api/weather/normals', 'getWeatherNormals', weatherNormals(weather), { cost: 10 }),

    read.get('/api/tasks', 'listTasks', listTasks(tasks), { cost: 5 }),
    read.post(
      '/api/tasks/estimate',
      'estimateTask',
      explainable(estimateTask({ ...tasks, ...mosaics, explainer: pictures.explainer }), orderExplanation),
      { cost: 10 },
    ),
    write.post('/api', 'createDownload', createTask(tasks, downloadHost), { cost: 10 }),
    read.get('/api/:task_id', 'pollDownload', readTask(tasks, downloadHost), { cost: 5 }),
    write.remove('/api/:task_id', 'deleteDownload', deleteTask(tasks, downloadHost)),
    // The names under which requests are counted are stored: nodes of two versions share them.
    write.post('/api/gdw/api', 'createTask', createTask(tasks, statisticsHost), {
      cost: 10,
      countedAs: 'statistics orders',
    }),
    read.get('/api/gdw/api/:task_id', 'pollTask', readTask(tasks, statisticsHost), {
      cost: 5,
      countedAs: 'statistics polls',
    }),
    write.remove('/api/gdw/api/:task_id', 'deleteTask', deleteTask(tasks, statisticsHost)),
    write.post(
      '/api/statistics',
      'measureArea',
      explainable(readStatisticsNow(tasks), statisticsExplanation),
      { cost: 20 },
    ),
    write.post('/api/statistics/collection', 'measureCollection', orderCollection({ ...tasks, ...files }), {
      cost: 20,
    }),
    write.post('/api/phenology', 'measureSeasons', readPhenology(tasks), { cost: 20 }),
    read.get('/api/phenology/:task_id', 'readSeasons', pollPhenology(tasks), { cost: 5 }),
    read.post('/api/zones', 'makeZones', makeZones(zones), { cost: 20 }),
    read.post('/api/classes', 'measureClasses', measureClasses(classes), { cost: 20 }),
    read.get('/api/classes/presets', 'listClassPresets', listClassPresets(shared.maxAgeS)),
    linked.get('/api/results/:id/:file_name', 'getResult', taskResult(results)),
  ];
};
