import { limits } from '@msgctl/contract/limits'
import { usageFailure } from '../../errors/exit-codes.ts'
import type { Host } from '../../host.ts'
import { readTable, shownCell, variableFaults } from '../../input/csv.ts'
import type { RowError, RowPosition } from '../../input/invalid-rows.ts'
import { readFileOrInput } from '../../input/read-input.ts'
import { asRequested, readWrittenPhones, type WrittenPhone } from '../../input/written-phone.ts'

/** The source of a campaign's recipients: exactly one of the three. */
export interface RecipientSource {
  /** A CSV file, or `-` for stdin. */
  readonly csv?: string
  /** A JSON file, or `-` for stdin. */
  readonly file?: string
  /** Phones separated by commas. */
  readonly recipients?: string
}

/** One recipient in the form of the API. */
interface Recipient {
  readonly phone: string
  readonly variables?: Readonly<Record<string, string>>
}

/** The recipients of a source: valid ones with their positions in the same order, and the errors of the others. */
export interface RecipientList {
  readonly recipients: readonly Recipient[]
  readonly positions: readonly RowPosition[]
  /** The phones of the valid recipients, as they were written. */
  readonly phones: readonly WrittenPhone[]
  readonly errors: readonly RowError[]
}

/** A row before validation. */
interface RecipientEntry {
  readonly at: RowPosition
  readonly recipient: Recipient
  readonly faults: readonly string[]
}

/** The size of the largest body that the service accepts. */
const maxFileBytes = 16 * 1024 * 1024

const shape = { required: ['phone'], optional: [], example: 'phone,name' }

/**
 * Reads the recipients of a campaign. Throws a usage error unless exactly one source is given, and when the source
 * cannot be read, has another format, is empty, or has more recipients than a campaign may have.
 */
export async function readRecipients(host: Host, source: RecipientSource): Promise<RecipientList> {
  const entries = await toEntries(host, source)
  if (entries.length === 0) throw usageFailure('The recipient list is empty.')
  if (entries.length > limits.campaignRecipients) {
    const max = limits.campaignRecipients
    throw usageFailure(`The list has ${entries.length} recipients; the maximum of a campaign is ${max}.`)
  }
  const written = await readWrittenPhones(
    entries.map(({ recipient }) => recipient.phone),
    { lid: false },
  )
  const checked = entries.flatMap((entry, index) => {
    const phone = written[index]
    return phone ? [{ ...entry, phone, fault: findFault(entry, phone) }] : []
  })
  const valid = checked.filter(({ fault }) => fault === '')
  return {
    recipients: valid.map(({ recipient, phone }) => ({ ...recipient, phone: asRequested(phone) })),
    phones: valid.map(({ phone }) => phone),
    positions: valid.map(({ at }) => at),
    errors: checked.filter(({ fault }) => fault !== '').map(({ at, fault }) => ({ at, fault })),
  }
}

function findFault({ recipient, faults }: RecipientEntry, { fault }: WrittenPhone): string {
  const phoneFault = faults.length > 0 && recipient.phone === '' ? undefined : fault
  const all = [...faults, phoneFault, ...variableFaults(recipient.variables ?? {})]
  return all.filter((one) => one !== undefined).join('; ')
}

function toEntries(
  host: Host,
  { csv, file, recipients }: RecipientSource,
): Promise<RecipientEntry[]> | RecipientEntry[] {
  if ([csv, file, recipients].filter((source) => source !== undefined).length !== 1) {
    throw usageFailure('Select the recipients with exactly one of --csv, --file and --recipients.')
  }
  if (csv !== undefined) return fromCsv(host, csv)
  if (file !== undefined) return fromJson(host, file)
  const phones = (recipients ?? '').split(',').map((phone) => phone.trim())
  return phones.map((phone, index) => ({ at: { entry: index + 1 }, recipient: { phone }, faults: [] }))
}

async function fromCsv(host: Host, file: string): Promise<RecipientEntry[]> {
  return (await readTable(host, file, shape)).map(({ line, cell, variables, faults }) => {
    // An empty cell is left out, so that the service reports who lacks a value.
    const filled = Object.entries(variables).filter(([, value]) => value !== '')
    const known = filled.length > 0 ? { variables: Object.fromEntries(filled) } : {}
    return { at: { line }, recipient: { phone: cell('phone'), ...known }, faults }
  })
}

async function fromJson(host: Host, file: string): Promise<RecipientEntry[]> {
  const text = await readFileOrInput(host, file, maxFileBytes)
  const source = file === '-' ? 'The input on stdin' : `The file ${file}`
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch (error) {
    throw usageFailure(`${source} is not JSON: ${(error as Error).message}`)
  }
  if (!Array.isArray(list)) {
    throw usageFailure(
      `${source} is not a JSON array.`,
      'Example: [{"phone": "+12025550100", "variables": {"name": "Jane"}}]',
    )
  }
  return list.map((entry, index) => ({ at: { entry: index + 1 }, ...fromEntry(entry) }))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses an entry: a phone, or an object with a phone and optional variables, which must be text. */
function fromEntry(entry: unknown): Omit<RecipientEntry, 'at'> {
  if (typeof entry === 'string') return { recipient: { phone: entry }, faults: [] }
  if (!isRecord(entry) || typeof entry.phone !== 'string') {
    return { recipient: { phone: '' }, faults: ['phone must be text'] }
  }
  const { phone, variables } = entry
  if (variables === undefined) return { recipient: { phone }, faults: [] }
  if (!isRecord(variables)) return { recipient: { phone }, faults: ['variables must be an object'] }
  const others = Object.keys(variables).filter((name) => typeof variables[name] !== 'string')
  const texts = Object.entries(variables).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  return {
    recipient: { phone, variables: Object.fromEntries(texts) },
    faults: others.map((name) => `the variable ${shownCell(name)} must be text`),
  }
}

/** Formats a number of recipients. */
export function shownRecipients(count: number): string {
  return count === 1 ? '1 recipient' : `${count.toLocaleString('en-US')} recipients`
}
