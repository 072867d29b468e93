/**
 * The first script of the page: the requests of every start are sent while the browser loads the rest of the page, which is
 * a hundred times larger. They are in a file of their own, which `main.ts` imports too.
 */
import './first-requests.ts';

void import('./main.ts');
