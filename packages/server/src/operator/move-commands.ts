import { open, unlink } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { listKeyHashes } from '../access/key-store.ts'
import type { Db } from '../db/db.ts'
import { type Exported, exportOrganization } from '../move/export.ts'
import { type Imported, importOrganization } from '../move/import.ts'
import { beginMove, cancelMove, endMove } from '../move/move.ts'
import { Refusal } from '../organizations/refusal.ts'
import { argument } from './arguments.ts'
import { runCommand } from './run.ts'
import type { Terminal } from './terminal.ts'

interface Json {
  readonly json?: boolean
}

/** Requests take no longer: of their bodies 60 s at most. */
const defaultDrainSeconds = 60
const defaultTimeoutSeconds = 300

/** Adds `org begin-move`, `org export`, `org import`, `org end-move`, `org cancel-move` and `org routes`. */
export function addMoveCommands(org: Command, terminal: Terminal): void {
  addClosing(org, terminal)
  addFileCommands(org, terminal)
  addEnding(org, terminal)
  org
    .command('routes')
    .description('print the SHA-256 of each API key of an organization with the name of a cell, for the map of an edge')
    .argument('<id>', 'id of the organization', argument.id)
    .argument('<cell>', 'name of the cell')
    .option('--json', 'print JSON')
    .action((id: string, cell: string, { json }: Json) =>
      runCommand(
        terminal,
        json,
        async (db) => ({ organizationId: id, cell, keys: await listKeyHashes(db, id) }),
        ({ keys }) => keys.map((key) => `${key} ${cell}\n`).join(''),
      ),
    )
}

function addClosing(org: Command, terminal: Terminal): void {
  org
    .command('begin-move')
    .description('close an organization for its move to another installation; calls get SERVICE_BUSY, nothing is sent')
    .argument('<id>', 'id of the organization', argument.id)
    .addOption(
      new Option('--drain-seconds <seconds>', 'how long requests that have begun may run')
        .argParser(argument.seconds)
        .default(defaultDrainSeconds),
    )
    .addOption(
      new Option('--timeout-seconds <seconds>', 'how long to wait for what runs')
        .argParser(argument.seconds)
        .default(defaultTimeoutSeconds),
    )
    .option('--json', 'print JSON')
    .action(
      (id: string, { drainSeconds, timeoutSeconds, json }: Json & { drainSeconds: number; timeoutSeconds: number }) =>
        runCommand(
          terminal,
          json,
          async (db) => {
            await beginMove(db, id, { drainSeconds, timeoutSeconds })
            return { organizationId: id, closed: true }
          },
          () => 'The organization is closed. Export it, or run org cancel-move.\n',
        ),
    )
  org
    .command('cancel-move')
    .description('open an organization again whose move was begun; only where its file was not imported')
    .argument('<id>', 'id of the organization', argument.id)
    .option('--json', 'print JSON')
    .action((id: string, { json }: Json) =>
      runCommand(
        terminal,
        json,
        async (db) => {
          await cancelMove(db, id)
          return { organizationId: id, closed: false }
        },
        () => 'The organization works here again. Its numbers are being connected.\n',
      ),
    )
}

function addFileCommands(org: Command, terminal: Terminal): void {
  org
    .command('export')
    .description('write all data of an organization, as of one moment, into a file')
    .argument('<id>', 'id of the organization', argument.id)
    .argument('<file>', 'the new file; it holds credentials and messages')
    .option('--json', 'print JSON')
    .action((id: string, file: string, { json }: Json) =>
      runCommand(
        terminal,
        json,
        async (db, { secretsKeys }) => ({ ...(await exportTo(file, db, id, secretsKeys)), file }),
        ({ name, rows, tables, closed }) =>
          `${name}: ${rows} rows of ${tables} tables.${closed ? '' : ' It was not closed, so it cannot be imported. See org begin-move.'}\n`,
      ),
    )
  org
    .command('import')
    .description('store an organization that org export wrote on another installation, and connect its numbers')
    .argument('<file>', 'the file of org export')
    .option('--json', 'print JSON')
    .action((file: string, { json }: Json) =>
      runCommand(
        terminal,
        json,
        (db, { secretsKeys }) => importFrom(file, db, secretsKeys),
        ({ name, rows }) => `${name}: ${rows} rows. Lead its callers here, then run org end-move at the other side.\n`,
      ),
    )
}

function addEnding(org: Command, terminal: Terminal): void {
  org
    .command('end-move')
    .description('refuse the calls of an organization that has moved with ORGANIZATION_MOVED, and delete its data here')
    .argument('<id>', 'id of the organization', argument.id)
    .argument('<address>', 'where it is now, such as https://b.msg.example.com', argument.origin)
    .option('--json', 'print JSON')
    .action((id: string, address: string, { json }: Json) =>
      runCommand(
        terminal,
        json,
        async (db) => ({ organizationId: id, movedTo: address, erased: await endMove(db, id, address) }),
        ({ erased }) => `The organization has moved to ${address}. ${erased} rows were deleted here.\n`,
      ),
    )
}

/** Exports an organization into a new file that only its owner reads. Of a failed export no file stays. */
async function exportTo(file: string, db: Db, id: string, secretsKeys: string | undefined): Promise<Exported> {
  const handle = await open(file, 'wx', 0o600).catch((error: Error) => {
    throw new Refusal(`The file cannot be written: ${error.message}`, 2)
  })
  try {
    return await exportOrganization(db, id, secretsKeys, (text) => handle.appendFile(text))
  } catch (error) {
    await unlink(file)
    throw error
  } finally {
    await handle.close()
  }
}

async function importFrom(file: string, db: Db, secretsKeys: string | undefined): Promise<Imported> {
  const handle = await open(file).catch((error: Error) => {
    throw new Refusal(`The file cannot be read: ${error.message}`, 2)
  })
  try {
    return await importOrganization(db, handle.readLines(), secretsKeys)
  } finally {
    await handle.close()
  }
}
