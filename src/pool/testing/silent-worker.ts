/** A worker script that stays alive and never reports that it is ready. */
setInterval(() => {}, 1_000);
