/** What users do with the viewer, against a real service with a season of the demo world: flows that share both. */
import './demo/area.ts';
import './demo/find.ts';
