/** A worker script that stays alive and never says that it is ready. */
setInterval(() => {}, 1_000);
