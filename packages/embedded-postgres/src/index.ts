export { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.ts'
export { EmbeddedPostgresError } from './failure.ts'
export { isRunning } from './lock-file.ts'
