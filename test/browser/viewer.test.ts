/** The viewer in a real browser: suites that share one, in one process. */
import './viewer/map.ts';
import './viewer/find.ts';
import './viewer/look.ts';
import './viewer/import.ts';
import './viewer/series.ts';
import './viewer/download.ts';
import './viewer/settings.ts';
import './viewer/legend.ts';
import './viewer/sensors.ts';
import './viewer/states.ts';
import './viewer/under-path.ts';
import './viewer/ways-out.ts';
