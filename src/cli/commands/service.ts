import { command, topic } from './command.ts';

/** `swath serve`. */
export const serve = topic({
  name: 'serve',
  summary: 'start the service (search, map tiles, viewer)',
  about: [
    'Settings are environment variables. The common ones: SWATH_PORT, the port to listen on (8080); SWATH_HOST, the address to listen on (127.0.0.1; 0.0.0.0 for all); SWATH_DATA, the data directory (./data).',
  ],
  commands: [
    command('serve', {
      about:
        'Starts the service. It runs until Ctrl-C or SIGTERM and then finishes the requests in flight. The first start creates an API key, prints the address of the map with it, and fills an empty catalog with the demo world; SWATH_DEMO=off leaves the catalog empty.',
    }),
  ],
});

/** `swath doctor`. */
export const doctor = topic({
  name: 'doctor',
  summary: 'show versions, settings and limits, and check the data directory',
  about: [],
  commands: [
    command('doctor', {
      about:
        'Prints versions, the settings in force and the limits, and checks the data directory: free disk space and every page of the database. It changes nothing.',
    }),
  ],
  fails: 'something is wrong',
});
