import { sensors } from '../sensors/index.ts';
import { describeExitStatuses } from './exit-status.ts';
import type { Terminal } from './terminal.ts';

const main = `Swath: self-hosted satellite imagery.

Usage: swath <command> [options]

Commands:
  serve      start the service (search, map tiles, viewer)
  ingest     add scenes from product folders or from STAC, elevation models, soil moisture and weather
  scenes     list, show and remove scenes
  dem        list, remove and order elevation models
  soilmoisture  list and remove data cubes of soil moisture
  weather    list and remove weather
  export     write the catalog as STAC items
  keys       create, list and revoke API keys, and delete what they stored
  tasks      list, show, cancel and retry tasks, and remove old results
  callbacks  list, show and send again the callbacks of tasks
  demo       make or remove the demo world, and ask for its truth
  doctor     show versions, settings and limits, and check the data directory

Options:
  -h, --help     this text, or "swath <command> --help"
  -V, --version  the version

Settings are environment variables such as SWATH_PORT and SWATH_DATA; "swath doctor" shows those in force.
Exit status: ${describeExitStatuses()}.`;

const LINE_CHARS = 115;

/** Words in lines that begin with an indent, separated by commas. */
function wrap(words: readonly string[], indent: string): string {
  const lines: string[] = [];
  for (const word of words) {
    const longer = `${lines.at(-1)}, ${word}`;
    if (lines.length > 0 && longer.length < LINE_CHARS) lines[lines.length - 1] = longer;
    else lines.push(`${indent}${word}`);
  }
  return lines.join(',\n');
}

const topics: ReadonlyMap<string, string> = new Map([
  [
    'serve',
    `Usage: swath serve

Starts the service and runs until it is told to stop (Ctrl-C or SIGTERM), finishing what is under way.
The first start makes an API key and prints the map's address with it, and fills an empty catalog with the
demo world (SWATH_DEMO=off leaves it empty).

Common settings:
  SWATH_PORT   port to listen on (8080)
  SWATH_HOST   address to listen on (127.0.0.1; 0.0.0.0 for all)
  SWATH_DATA   data directory (./data)`,
  ],
  [
    'ingest',
    `Usage: swath ingest folder <path> [--convert] [--report FILE] [--json]
       swath ingest stac <url, file or directory> [filters] [--convert] [--report FILE] [--json]
       swath ingest dem <folder, file or address> [options]; "swath dem --help" explains it
       swath ingest soilmoisture <file or folder> [options]; "swath soilmoisture --help" explains it
       swath ingest weather <file, folder or address> [options]; "swath weather --help" explains it

folder finds products as their providers ship them, below the path; their files stay where they are. Known are
${wrap(sensors.map(({ title }) => title).toSorted(), '       ')}.
stac   reads items: of a STAC API or a static catalog (http or https), of files and directories (.json, .ndjson).

A scene that is known and has not changed stays as it is, so a run that was stopped is simply repeated. A product
that cannot be read is reported and skipped; nothing of it is stored. Scenes may only lie in the data directory and
where SWATH_SOURCES says ("swath doctor" shows it). A running server sees new scenes at once.

Filters of stac:
      --bbox W,S,E,N      only scenes that touch the box, in degrees
      --date FROM/TO      only scenes of these days (UTC); one day, or one end left out, are possible too
      --cloud PERCENT     only scenes with at most this cloud cover
      --limit N           stop after so many items
      --collection NAME   only this collection; may be given several times

      --convert           afterwards write JPEG 2000 and untiled files as COGs into the data directory
      --report FILE       write what became of each product, as JSON
      --json              print the same to standard output instead of a summary

Exit status 1 when a product was broken.`,
  ],
  [
    'scenes',
    `Usage: swath scenes list [--dataset ID] [--limit N] [--json]
       swath scenes show <view id>
       swath scenes remove <view id> …

list   shows view ids, days and clouds, 100 scenes unless --limit says more, and how many each dataset has.
show   prints all the catalog knows about a scene, as JSON.
remove takes scenes out of the catalog; their files stay.`,
  ],
  [
    'tasks',
    `Usage: swath tasks list [--key ID] [--state STATE] [--limit N] [--json]
       swath tasks show <task id>
       swath tasks cancel <task id> …
       swath tasks retry <task id> …
       swath tasks prune [--days N] [--key ID]

list   shows the newest tasks, 50 unless --limit says more. States are queued, running, finished, failed, cancelled.
show   prints all that is known about a task, as JSON.
cancel ends tasks that are not over; a worker stops within a second or two.
retry  queues tasks again that have failed or were cancelled, with all their attempts.
prune  removes tasks that ended more than N days ago (SWATH_RESULT_DAYS) together with their results, and
       results that belong to no task. A server does the same every ten minutes. --days 0 removes all that is over.`,
  ],
  [
    'callbacks',
    `Usage: swath callbacks list [--key ID] [--state STATE] [--limit N] [--json]
       swath callbacks show <task id>
       swath callbacks retry <task id> …

list   shows the newest callbacks, 50 unless --limit says more. States are waiting, retrying, delivered, failed, cancelled.
show   prints all that is known about the callback of a task, as JSON.
retry  sends callbacks again, with all their attempts, also those that were delivered. A server does it within a second.`,
  ],
  [
    'dem',
    `Usage: swath ingest dem <folder, file or address> [options]
       swath dem list [--json]
       swath dem remove NAME
       swath dem order NAME N

ingest dem adds files to an elevation model, which it makes if there is none of that name:
       a folder with GeoTIFFs (.tif, .tiff), or with terrarium tiles {z}/{x}/{y}.png
       one GeoTIFF, a file or an http(s) or s3 address
       a list (.txt, a file or an address) of names or addresses, such as the tileList.txt of the Copernicus DEM
       a template of terrarium tiles, such as https://host/terrarium/{z}/{x}/{y}.png
       s3://bucket/prefix, of which all GeoTIFFs are taken
   A second run changes only what has changed. All pixels of new and changed local files are read. A file that cannot
   be read is reported and left out, and the others are taken.
   Files may only lie in the data directory and where SWATH_SOURCES says ("swath doctor" shows it).

      --name NAME         name of the model; by default that of the folder or file, or copernicus-glo-30 or -90
      --order N           models of a lower number go before those of a higher one, whatever their resolution (0)
      --unit m|ft|us-ft   unit of the heights, if the files do not say it or say it wrongly
      --band N            band with the heights (1)
      --nodata V          value of voids, for files that state none
      --gaps sea|unknown  what lies where the model has no file; unknown, unless the set itself shows that it is sea
      --attribution TEXT  who must be named with a map of it; known for the Copernicus DEM
      --bbox W,S,E,N      the ground that a template has tiles of, in degrees; by default all
      --prune             take files out of the catalog that are gone from the folder, list or bucket
      --no-check          take local files without reading their pixels first
      --report FILE       write what became of each file, as JSON
      --json              print the same to standard output instead of a summary

list   shows the models in the order in which they are used.
remove takes a model out of the catalog; its files stay.
order  changes the order of a model.

Exit status 1 when a file was broken, or a model was not there.`,
  ],
  [
    'soilmoisture',
    `Usage: swath ingest soilmoisture <file or folder> [options]
       swath soilmoisture list [--json]
       swath soilmoisture remove NAME

ingest soilmoisture copies fields on a regular grid of degrees into a data cube, which it makes if there is none of
that name: NetCDF 3 and 4, HDF5, GeoTIFF (one day a file, the date in its name), folders of Zarr 2 and 3. Fields may
be by day or by hour. A file that was read before and has not changed is skipped, so a run that was stopped is simply
repeated, and a folder that grows day by day is ingested again. All files of a cube have the same grid. A file that
cannot be read is reported, and the others are taken. A running server sees new days at once.

      --name NAME         name of the data cube (default)
      --variable NAME     variable with the soil moisture, if its name is not a known one
      --porosity SHARE    share of the soil that is pores, to make m3 m-3 of % of saturation; such as 0.45
      --report FILE       write what became of each file, as JSON
      --json              print the same to standard output instead of a summary

list   shows the data cubes: days, grid and number of files.
remove deletes a data cube; the files that it was made from stay.

Exit status 1 when a file was broken, or a data cube was not there.`,
  ],
  [
    'weather',
    `Usage: swath ingest weather <file, folder or address> [options]
       swath weather list [--json]
       swath weather remove NAME

ingest weather copies fields on a regular grid of degrees into a data cube, which it makes if there is none of that
name: GRIB 1 and 2, NetCDF 3 and 4, HDF5, GeoTIFF, folders of Zarr 2 and 3. Variables are known by the names that ERA5,
ERA5-Land, AgERA5, E-OBS, GFS, Open-Meteo and CF give them, and their units are converted. Each run of a forecast is a
data cube of its own, such as gfs-20261116t06. A table of weather stations (.csv) is stored under its name. What was
read before and has not changed is skipped, so a run that was stopped is simply repeated. A file that cannot be read is
reported, and the others are taken. A file of an http(s) or s3 address is copied first, if SWATH_SOURCES names it. A
running server sees new weather at once.

      --name NAME         name of the data cube, of the forecast or of the stations (default)
      --kind WORD         history or forecast; found out by model run, reach and name if it is not said
      --run TIME          when the model run began, such as 2026-11-16T06, for files that do not say it
      --runs N            runs of a forecast that are stored (4); older ones are removed when a new one can be used
      --accumulated WORD  sums count from the hour before, from midnight of UTC (day), or from the start of the run;
                          found out if it is not said
      --latitude DEGREES  where the one station of a table is, if the table does not say it
      --longitude DEGREES
      --elevation METRES
      --report FILE       write what became of each file, as JSON
      --json              print the same to standard output instead of a summary

list   shows the data cubes and the stations.
remove deletes a data cube, all runs of a forecast, or stations; the files that they were made from stay.

Exit status 1 when a file was broken, or there was nothing to remove.`,
  ],
  [
    'export',
    `Usage: swath export [--dataset ID] [-o FILE]

Writes the catalog as STAC items, one a line (ndjson), to standard output or to a file, and next to the file the
collections that they belong to, as <dataset>.collection.json. "swath ingest stac FILE" reads them again.`,
  ],
  [
    'keys',
    `Usage: swath keys create [--label TEXT] [--expires DATE] [--rate N] [--read-only]
       swath keys list [--json]
       swath keys revoke <id> [--delete-stored]
       swath keys delete-stored <id>
       swath keys rotate-callback-secret <id>

create prints the key once; only a hash of it is stored. It works at once, also on a running server. The secret that signs
       its callbacks is printed too, to standard error.
  -l, --label TEXT   what the key is for
      --expires DATE last day of validity (UTC), such as 2030-12-31
      --rate N       requests per minute
      --read-only    may search and render, but not create anything
list   shows ids, labels, state and what each key has stored, never the keys themselves.
revoke ends a key at once; on PostgreSQL within SWATH_STORE_CACHE_MS. Links to its results
       stop. What it has stored stays, and works with other keys, unless:
      --delete-stored   delete its areas, colormaps, tasks and results too
delete-stored deletes the areas and colormaps that a key has stored, cancels its tasks and deletes their results, of a
       revoked key too. The id of the key in SWATH_API_KEY is "configured".
rotate-callback-secret ends the secret that signs the callbacks of a key, and prints the new one.`,
  ],
  [
    'demo',
    `Usage: swath demo [--small | --full]
       swath demo --remove
       swath demo truth --at LON,LAT --date DAY [--sensor ABBREVIATION] [--json]

Makes the demo world in the data directory: an invented landscape between sea and mountains, seen by many
sensors, with terrain, weather and soil moisture that agree with it. Files that exist already stay, so a run that
was stopped is simply repeated. "swath serve" does the same by itself in an empty catalog.

      --small     one Sentinel-2 scene and the terrain only, in a few seconds
      --full      full-size scenes for benchmarks: many gigabytes, and long work
      --remove    take the demo's scenes, its elevation model and its soil moisture out and delete all its files

truth  prints what the world is like at a location on a day: height, cover, field, reflectance and indices, and whether a
       cloud hides it from a sensor. The sensor is one of the abbreviations in view ids; S2L2A when left out.`,
  ],
  [
    'doctor',
    `Usage: swath doctor

Prints versions, the settings in force and the limits, and checks the data directory: room on the disk and
every page of the database. Changes nothing. Exit status 1 when something is wrong.`,
  ],
]);

/** Prints the help of a command, or of the program. */
export function printHelp(terminal: Terminal, topic: string | null): void {
  terminal.line((topic === null ? undefined : topics.get(topic)) ?? main);
}
