/** What users do with the viewer, against a real service with a season of the demo world: flows that share both. */
import './demo/find.ts';
import './demo/compare.ts';
import './demo/film.ts';
import './demo/share.ts';
