/** All that is asked of one service over the demo scene, in one process: a start takes two seconds of a core. */
import './clusters.ts';
import './colormaps.ts';
import './documented-commands.ts';
import './index-truth.ts';
import './points.ts';
import './expressions.ts';
