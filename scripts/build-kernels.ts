console.log('prepare on', process.version);
