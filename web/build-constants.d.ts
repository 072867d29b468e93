/** Values that `scripts/build-web.ts` fills in: addresses that hold a hash of the file's content. */
declare const WORLD_URL: string;
declare const WORLD_OUTLINE_URL: string;
declare const MAP_WORKER_URL: string;
declare const ICONS_URL: string;
declare const FILM_WORKER_URL: string;
declare const IMPORT_WORKER_URL: string;
declare const WATER_URL: string;
declare const COUNTRIES_URL: string;
declare const PLACES_URL: string;
declare const SMALL_PLACES_URL: string;
declare const OTHER_NAMES_URL: string;
declare const REPORT_FONT_URL: string;
declare const REPORT_BOLD_FONT_URL: string;
