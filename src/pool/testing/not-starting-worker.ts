/** A worker script that fails before it is ready. */
throw new Error('This worker never starts.');
