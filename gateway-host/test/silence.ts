// The Signal library writes sessions with their private keys to the console.
for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) console[name] = () => undefined
