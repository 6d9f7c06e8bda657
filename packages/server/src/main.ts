import { EmbeddedPostgresError } from '@msgctl/embedded-postgres'
import { Command } from 'commander'
import { RestoredDatabaseError } from './platform/db/restored-error.ts'
import { version } from './platform/metrics/version.ts'
import { ConfigError, readConfig } from './process/config.ts'
import { openDatabase, requireDatabase } from './process/database.ts'
import { operatorCommands } from './process/operator-commands.ts'
import { runGatewayHost } from './process/quick-start/host-process.ts'
import { type PreparedDemo, prepareDemo, quickStartNotice } from './process/quick-start/quick-start.ts'
import { type RunningServer, startServer } from './process/start.ts'
import { onStopSignals } from './process/stop-signals.ts'

const program = new Command('msgctl-server')
  .description('The messaging service. Settings come from the environment; docs/run/configuration.md lists them.')
  .version(version, '--version', 'print the version')
  .showHelpAfterError()

program
  .command('serve', { isDefault: true })
  .description('run the service: the API, the worker, or both (SERVICES)')
  .usage('[options]')
  // A word that is no command comes here, because this command is the default.
  .argument('[words...]')
  .action(([unknown]: readonly string[]) =>
    unknown === undefined ? serve() : program.error(`error: unknown command '${unknown}'`),
  )

program
  .command('migrate')
  .description('bring the database to the schema of this version, and end')
  .action(async () => {
    const config = readConfig(process.env)
    requireDatabase(config)
    const { ran, stop } = await openDatabase(config)
    await stop()
    for (const name of ran) process.stdout.write(`Applied ${name}\n`)
    process.stdout.write(ran.length > 0 ? 'The database is up to date now.\n' : 'The database was up to date.\n')
  })

for (const command of operatorCommands()) program.addCommand(command)

/** How long work may take to end when there is no database to write its outcome to. */
const endWithinMs = 2000

async function serve(): Promise<void> {
  const config = readConfig(process.env)
  const folder = process.cwd()
  const first: { demo: PreparedDemo | null } = { demo: null }
  const starting = startServer(config, {
    async beforeListening(services) {
      if (config.databaseUrl === null) first.demo = await prepareDemo(services, folder)
    },
    startBeside({ gatewayHostProgram: program, secretsKeys }, databaseUrl) {
      if (config.databaseUrl !== null || program === null || secretsKeys === undefined) return null
      return runGatewayHost({ program, databaseUrl, secretsKeys, env: process.env })
    },
  })
  // A signal during the start waits for it, because each part that started must be stopped.
  onStopSignals(process, async (signal) => stopLogged(await starting, signal))
  const server = await starting
  void server.databaseLost.then(async (error) => {
    process.stderr.write(`The embedded Postgres ended and could not be started again. ${error.message}\n`)
    await server
      .stop(endWithinMs)
      .catch((err: unknown) =>
        server.services.log.error({ event: 'stop_incomplete', err }, 'failed to stop the service'),
      )
    process.exit(1)
  })
  if (config.databaseUrl === null) {
    process.stdout.write(`${quickStartNotice(server, folder, first.demo)}
`)
    server.services.mailer.onKept(({ to, subject }) => {
      process.stdout.write(`Mail to ${to}: ${subject}. Read it with: npx msgctl sim mail
`)
    })
  }
  server.services.log.info(
    {
      event: 'listening',
      address: server.http?.address,
      operations: server.operations?.address,
      services: config.services,
    },
    'listening',
  )
}

async function stopLogged({ services: { log }, stop }: RunningServer, signal: string): Promise<void> {
  log.info({ event: 'stopping', signal }, 'stopping')
  await stop().catch((error: unknown) => {
    log.error({ event: 'stop_incomplete', err: error }, 'failed to stop the service')
    throw error
  })
}

process.on('unhandledRejection', (error) => {
  process.stderr.write(`unhandled rejection: ${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(1)
})

try {
  await program.parseAsync()
} catch (error) {
  const isExplained = [ConfigError, EmbeddedPostgresError, RestoredDatabaseError].some((type) => error instanceof type)
  if (!(isExplained && error instanceof Error)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
