import { Option } from 'commander'
import { Refusal } from '#people/organizations/refusal.ts'
import type { Db } from '#platform/db/db.ts'
import { setAsideKinds, type WorkKind } from '#platform/set-aside/kinds.ts'
import {
  deleteSetAside,
  listSetAside,
  reopen,
  type SetAsideFilter,
  type SetAsideItem,
} from '#platform/set-aside/work-store.ts'
import { argument } from './arguments.ts'
import { OperatorCommand } from './command.ts'
import { table } from './print.ts'
import { ownTerminal, type Terminal } from './terminal.ts'

interface ListOptions {
  readonly kind?: WorkKind | null
  readonly organization?: string | null
  readonly limit: number
}

const defaultLimit = 100

/** Returns the operator's commands for items with which process after process died: `msgctl-server set-aside ...`. */
export function setAsideCommands(terminal: Terminal = ownTerminal): OperatorCommand {
  const command = new OperatorCommand('set-aside', terminal).description(
    'list and retry work that ended process after process',
  )
  command
    .command('list')
    .description('list what was set aside, the latest first')
    .addOption(new Option('--kind <kind>', 'only items of this kind').argParser(argument.workKind))
    .addOption(new Option('--organization <id>', 'only items of this organization').argParser(argument.id))
    .addOption(new Option('--limit <rows>', 'maximum number of rows').argParser(argument.listed).default(defaultLimit))
    .runs(({ db }, { kind = null, organization: organizationId = null, limit }: ListOptions) => {
      return listed(db, { kind, organizationId, limit })
    }, listText)
  const verbs = [
    ['retry', 'let a worker work on an item again, once', retry, 'The next worker that reads it works on it, alone.\n'],
    ['dismiss', 'take an item from the list, when its end is final', dismiss, 'It is not listed any more.\n'],
  ] as const
  for (const [verb, description, execute, text] of verbs) {
    command
      .command(verb)
      .description(description)
      .argument('<kind>', 'kind of the item, as msgctl-server set-aside list shows it', argument.workKind)
      .argument('<item>', 'id of the item')
      .runs(
        ({ db }, kind: WorkKind, item: string) => execute(db, kind, item).then(() => ({ kind, item })),
        () => text,
      )
  }
  return command
}

interface ListedItem extends SetAsideItem {
  /** What to do with it. */
  readonly next: string
}

async function listed(db: Db, filter: SetAsideFilter): Promise<ListedItem[]> {
  const items = await listSetAside(db, filter)
  return items.map((item) => ({ ...item, next: setAsideKinds[item.kind].next }))
}

function listText(items: readonly ListedItem[]): string {
  if (items.length === 0) return 'Nothing was set aside.\n'
  const kinds = [...new Set(items.map(({ kind }) => kind))].sort()
  return [
    table([
      ['KIND', 'ITEM', 'ORGANIZATION', 'SINCE'],
      ...items.map((one) => [one.kind, one.item, one.organizationId ?? '-', one.setAsideAt.toISOString()]),
    ]),
    '\n',
    table(kinds.map((kind) => [kind, `${setAsideKinds[kind].item}: ${setAsideKinds[kind].next}`])),
  ].join('')
}

async function retry(db: Db, kind: WorkKind, item: string): Promise<void> {
  const { stays, next } = setAsideKinds[kind]
  if (!stays) throw new Refusal(`An item of the kind ${kind} is not retried here: ${next}.`)
  if (!(await reopen(db, kind, item))) throw notListed(kind, item)
}

async function dismiss(db: Db, kind: WorkKind, item: string): Promise<void> {
  if (!(await deleteSetAside(db, kind, item))) throw notListed(kind, item)
}

function notListed(kind: WorkKind, item: string): Refusal {
  return new Refusal(`No item of the kind ${kind} with the id ${item} was set aside.`)
}
