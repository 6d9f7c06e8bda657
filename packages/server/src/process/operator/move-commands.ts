import { type FileHandle, open, unlink } from 'node:fs/promises'
import { limits } from '@msgctl/contract'
import { openSecrets } from '@msgctl/network/secrets'
import { Option } from 'commander'
import { listKeyHashes } from '#api/access/key-store.ts'
import { findMoveState } from '#people/organizations/move-store.ts'
import { Refusal } from '#people/organizations/refusal.ts'
import type { Db } from '#platform/db/db.ts'
import { exportOrganization } from '#upkeep/move/export.ts'
import { giveData } from '#upkeep/move/give-data.ts'
import { type Imported, importOrganization } from '#upkeep/move/import.ts'
import { beginMove, cancelMove, endMove, requireEndable } from '#upkeep/move/move.ts'
import { argument } from './arguments.ts'
import type { OperatorCommand } from './command.ts'
import { confirmByName } from './confirm.ts'
import { sanitize } from './print.ts'

interface EndOptions {
  readonly receipt: string
  readonly yes?: boolean
}

/** Requests take no longer: of their bodies 60 s at most. */
const defaultDrainSeconds = 60
const defaultTimeoutSeconds = 300

/**
 * Adds `org begin-move`, `org export`, `org data`, `org import`, `org end-move`, `org cancel-move` and `org routes`.
 */
export function addMoveCommands(org: OperatorCommand): void {
  addClosing(org)
  addFileCommands(org)
  addEnding(org)
  org
    .command('routes')
    .description('print the SHA-256 of each API key of an organization with the name of a cell, for the map of an edge')
    .argument('<id>', 'id of the organization', argument.id)
    .argument('<cell>', 'name of the cell')
    .runs(
      async ({ db }, id: string, cell: string) => ({ organizationId: id, cell, keys: await listKeyHashes(db, id) }),
      ({ keys, cell }) => keys.map((key) => `${key} ${cell}\n`).join(''),
    )
}

function addClosing(org: OperatorCommand): void {
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
    .runs(
      async (
        { db },
        id: string,
        { drainSeconds, timeoutSeconds }: { drainSeconds: number; timeoutSeconds: number },
      ) => {
        await beginMove(db, id, { drainSeconds, timeoutSeconds })
        return { organizationId: id, closed: true }
      },
      () => 'The organization is closed. Export it, or run msgctl-server org cancel-move.\n',
    )
  org
    .command('cancel-move')
    .description('open an organization again whose move was begun, or ended less than 7 days ago')
    .argument('<id>', 'id of the organization', argument.id)
    .option('-y, --yes', 'do not ask for the name of an organization whose move has ended')
    .runs(
      async ({ db, terminal }, id: string, { yes }: { yes?: boolean }) => {
        const state = await findMoveState(db, id)
        if (state?.movedTo) {
          const effect =
            `It works at ${state.movedTo} since its move. Stop it there first, or both installations send; ` +
            'what happened there since then is not here.'
          await confirmByName(terminal, { effect, name: state.name, yes })
        }
        await cancelMove(db, id)
        return { organizationId: id, closed: false }
      },
      () => 'The organization works here again. Its numbers are being connected.\n',
    )
}

function addFileCommands(org: OperatorCommand): void {
  org
    .command('export')
    .description('write a closed organization into a file for its move, sealed with SECRETS_KEYS')
    .argument('<id>', 'id of the organization', argument.id)
    .argument('<file>', 'the new file')
    .runs(
      async ({ db, config: { secretsKeys } }, id: string, file: string) => {
        const exported = await writeNewFile(file, (handle) =>
          exportOrganization(db, id, secretsKeys, (bytes) => handle.appendFile(bytes)),
        )
        return { ...exported, file }
      },
      ({ name, rows, tables, digest }) => `${sanitize(name)}: ${rows} rows of ${tables} tables. SHA-256 ${digest}\n`,
    )
  org
    .command('data')
    .description('write the data of an organization into a file for the organization itself, while it runs')
    .argument('<id>', 'id of the organization', argument.id)
    .argument('<file>', 'the new file, of lines of JSON')
    .runs(
      async ({ db }, id: string, file: string) => {
        const given = await writeNewFile(file, (handle) => giveData(db, id, (text) => handle.appendFile(text)))
        return { ...given, file }
      },
      ({ name, rows, tables }) =>
        `${sanitize(name)}: ${rows} records of ${tables} kinds, without credentials. They hold messages of people.\n`,
    )
  org
    .command('import')
    .description('store an organization that org export wrote in another installation, and connect its numbers')
    .argument('<file>', 'the file of org export')
    .runs(
      ({ db, config: { secretsKeys } }, file: string) => importFrom(file, db, secretsKeys),
      ({ name, rows, receipt }) =>
        `${sanitize(name)}: ${rows} rows. Lead its callers here, then run msgctl-server org end-move at the ` +
        `other side with this receipt:\n${receipt}\n`,
    )
}

function addEnding(org: OperatorCommand): void {
  org
    .command('end-move')
    .description('refuse the calls of an organization that has moved, and delete its data here 7 days later')
    .argument('<id>', 'id of the organization', argument.id)
    .argument('<address>', 'where it is now, such as https://b.msg.example.com', argument.origin)
    .requiredOption('--receipt <receipt>', 'the receipt that org import printed in the other installation')
    .option('-y, --yes', 'do not ask for the name of the organization')
    .runs(
      async ({ db, config: { secretsKeys }, terminal }, id: string, address: string, { receipt, yes }: EndOptions) => {
        const end = { address, receipt, secrets: openSecrets(secretsKeys) }
        const state = await requireEndable(db, id, end)
        const effect =
          `The calls of this organization will be refused here and led to ${address}. Its data is deleted here ` +
          `in ${limits.erasureDays} days.`
        await confirmByName(terminal, { effect, name: state.name, yes })
        await endMove(db, id, end)
        return { organizationId: id, movedTo: address, keptDays: limits.erasureDays }
      },
      ({ movedTo, keptDays }) =>
        `The organization has moved to ${movedTo}. Its data is deleted here in ${keptDays} days; until then ` +
        `msgctl-server org cancel-move takes that back.\n`,
    )
}

/** Writes a file that only its owner reads. Of one that failed nothing stays. */
async function writeNewFile<T>(file: string, write: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(file, 'wx', 0o600).catch((error: Error) => {
    throw new Refusal(`The file cannot be written: ${error.message}`, 2)
  })
  try {
    return await write(handle)
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
    return await importOrganization(db, handle.createReadStream({ autoClose: false }), secretsKeys)
  } finally {
    await handle.close()
  }
}
