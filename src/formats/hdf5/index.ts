export { type Hdf5Thread, makeHdf5Thread } from './hdf5-thread.ts';
