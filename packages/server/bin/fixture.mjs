// Runs the server for `@msgctl/server/fixture`: it ends with the process that started it, by whatever signal that died.
process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM')).resume()
await import('../dist/bundle/main.js')
