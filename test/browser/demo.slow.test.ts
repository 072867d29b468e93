/** What users do with the viewer, against a real service with a season of the demo world: flows that share both. */
import './demo/clear-view.ts';
import './demo/contrast.ts';
import './demo/area.ts';
import './demo/profile.ts';
import './demo/find.ts';
import './demo/terrain.ts';
import './demo/download.ts';
import './demo/colormap-editor.ts';
import './demo/series.ts';
import './demo/fields.ts';
import './demo/zones.ts';
import './demo/compare.ts';
import './demo/film.ts';
import './demo/report.ts';
import './demo/share.ts';
import './demo/together.ts';
// Last: they add scenes to the service.
import './demo/jobs.ts';
