import { limits } from '@msgctl/contract/limits'
import { usageFailure } from '../../errors/exit-codes.ts'
import type { Host } from '../../host.ts'
import { readTable, shownCell, variableFaults } from '../../input/csv-table.ts'
import { numberFault } from '../../input/phone-list.ts'
import { readFileOrInput } from '../../input/read-input.ts'
import type { RowError, RowPosition } from '../../input/row-errors.ts'

/** Where the people of a campaign come from: exactly one of the three. */
export interface PeopleSource {
  /** A CSV file, or `-` for stdin. */
  readonly csv?: string
  /** A JSON file, or `-` for stdin. */
  readonly file?: string
  /** Phones with commas between them. */
  readonly recipients?: string
}

/** One person, as the service takes it. */
interface Recipient {
  readonly phone: string
  readonly variables?: Readonly<Record<string, string>>
}

/** Everybody of a source: those who can be sent, with their places in the same order, and what is wrong with the others. */
export interface People {
  readonly recipients: readonly Recipient[]
  readonly places: readonly RowPosition[]
  readonly bad: readonly RowError[]
}

/** A row before it is judged. */
interface RecipientEntry {
  readonly at: RowPosition
  readonly recipient: Recipient
  readonly faults: readonly string[]
}

/** As large as the largest body that the service takes. */
const maxFileBytes = 16 * 1024 * 1024

const shape = { required: ['phone'], optional: [], example: 'phone,name' }

/**
 * The people of a campaign. Throws a usage failure when not exactly one source is given, when it cannot be read or is of
 * another form, and when it holds nobody, or more than a campaign takes.
 */
export async function readPeople(host: Host, source: PeopleSource): Promise<People> {
  const candidates = await toEntries(host, source)
  if (candidates.length === 0) throw usageFailure('There is nobody on the list.')
  if (candidates.length > limits.campaignRecipients) {
    const most = limits.campaignRecipients
    throw usageFailure(`These are ${candidates.length} people; one campaign goes to ${most} at most.`)
  }
  const judged = candidates.map((candidate) => ({ ...candidate, fault: faultOf(candidate) }))
  const good = judged.filter(({ fault }) => fault === '')
  return {
    recipients: good.map(({ recipient }) => recipient),
    places: good.map(({ at }) => at),
    bad: judged.filter(({ fault }) => fault !== '').map(({ at, fault }) => ({ at, fault })),
  }
}

function faultOf({ recipient, faults }: RecipientEntry): string {
  const phoneFault = faults.length > 0 && recipient.phone === '' ? undefined : numberFault(recipient.phone)
  const all = [...faults, phoneFault, ...variableFaults(recipient.variables ?? {})]
  return all.filter((fault) => fault !== undefined).join('; ')
}

function toEntries(host: Host, { csv, file, recipients }: PeopleSource): Promise<RecipientEntry[]> | RecipientEntry[] {
  if ([csv, file, recipients].filter((source) => source !== undefined).length !== 1) {
    throw usageFailure('Say who gets it: one of --csv, --file and --recipients.')
  }
  if (csv !== undefined) return fromCsv(host, csv)
  if (file !== undefined) return fromJson(host, file)
  const phones = (recipients ?? '').split(',').map((phone) => phone.trim())
  return phones.map((phone, index) => ({ at: { entry: index + 1 }, recipient: { phone }, faults: [] }))
}

async function fromCsv(host: Host, file: string): Promise<RecipientEntry[]> {
  return (await readTable(host, file, shape)).map(({ line, cell, variables, faults }) => {
    // An empty cell is no value, so that the service can tell who lacks one.
    const filled = Object.entries(variables).filter(([, value]) => value !== '')
    const known = filled.length > 0 ? { variables: Object.fromEntries(filled) } : {}
    return { at: { line }, recipient: { phone: cell('phone'), ...known }, faults }
  })
}

async function fromJson(host: Host, file: string): Promise<RecipientEntry[]> {
  const text = await readFileOrInput(host, file, maxFileBytes)
  const what = file === '-' ? 'What came on stdin' : `The file ${file}`
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch (error) {
    throw usageFailure(`${what} is not JSON: ${(error as Error).message}`)
  }
  if (!Array.isArray(list)) {
    throw usageFailure(
      `${what} is no list.`,
      'It looks like [{"phone": "+12025550100", "variables": {"name": "Jane"}}]',
    )
  }
  return list.map((entry, index) => ({ at: { entry: index + 1 }, ...fromEntry(entry) }))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An entry is a phone, or an object with a phone and, if wanted, variables that are text. */
function fromEntry(entry: unknown): Omit<RecipientEntry, 'at'> {
  if (typeof entry === 'string') return { recipient: { phone: entry }, faults: [] }
  if (!isRecord(entry) || typeof entry.phone !== 'string') {
    return { recipient: { phone: '' }, faults: ['has no phone that is text'] }
  }
  const { phone, variables } = entry
  if (variables === undefined) return { recipient: { phone }, faults: [] }
  if (!isRecord(variables)) return { recipient: { phone }, faults: ['its variables are no object'] }
  const others = Object.keys(variables).filter((name) => typeof variables[name] !== 'string')
  const texts = Object.entries(variables).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  return {
    recipient: { phone, variables: Object.fromEntries(texts) },
    faults: others.map((name) => `the variable ${shownCell(name)} is not text`),
  }
}
