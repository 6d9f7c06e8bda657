import type { MessagingClient } from '@msgctl/client'
import { type ConfigFile, readConfig } from './config/config-file.ts'
import { type FoundProject, findProject } from './config/project-file.ts'
import { asPerson } from './config/sign-in.ts'
import { resolveTarget, type Target } from './config/target.ts'
import { usageFailure } from './errors/exit-codes.ts'
import type { Host } from './host.ts'
import { connect, selectCredential } from './http/connect.ts'
import type { HeldRequest } from './http/transport.ts'
import { requireYes } from './input/prompt.ts'
import { fieldsFrom } from './output/columns.ts'
import { createPrinter, type OutputFormat, outputFormats, type Printer } from './output/print.ts'
import { sanitizeText } from './output/sanitize.ts'

/** The options every command takes. */
export interface GlobalOptions {
  readonly profile?: string
  readonly baseUrl?: string
  readonly json?: true
  readonly output?: OutputFormat
  readonly fields?: string
  readonly dryRun?: true
  readonly yes?: true
  readonly quiet?: true
}

/** What a command is given: the machine, the service and the ways to talk to a person. */
export interface Context {
  readonly host: Host
  readonly options: GlobalOptions
  /** Read when first asked for. */
  readonly config: ConfigFile
  readonly project: FoundProject
  /** Throws a CliError when no source names a service. */
  readonly target: Target
  readonly print: Printer
  /** A line for people on stderr; programs do not get it. */
  note(text: string): void
  /**
   * What a command without an answer has done, or would do in a dry run: `record` for programs, `sentence` as a note for
   * people.
   */
  done(record: Readonly<Record<string, unknown>>, sentence: string): Promise<void>
  /** Told of each change that was made; calls of the clients below tell it themselves. */
  changed(): void
  /** How long one request may take. */
  readonly timeoutMs: number
  /** A client with the key of the target, or the signed-in person's token where there is no key. */
  client(): Promise<MessagingClient>
  /** A client that sends neither key nor token. */
  anonymous(baseUrl: string): Promise<MessagingClient>
  /** Does `work` as a signed-in person, for what a key may not do. */
  asPerson<T>(work: (client: MessagingClient) => Promise<T>): Promise<T>
  /** Goes on when the person, or --yes, agrees. A dry run changes nothing and does not ask. */
  confirm(question: string): Promise<void>
  /** The change that a dry run held back. */
  held(): HeldRequest | undefined
}

const defaultTimeoutSeconds = 30

function formatOf(options: GlobalOptions, config: () => ConfigFile): OutputFormat {
  if (options.json && options.output !== undefined && options.output !== 'json') {
    throw usageFailure('--json and --output name two formats; give one of them.')
  }
  if (options.json) return 'json'
  if (options.output !== undefined) return options.output
  const stored = config().settings.output
  return outputFormats.find((format) => format === stored) ?? 'table'
}

/** A value that is made when it is first asked for. */
function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** The context of one run. Throws a usage failure when the global options contradict each other. */
export function createContext(host: Host, options: GlobalOptions): Context {
  const config = lazy(() => readConfig(host))
  const project = lazy(() => findProject(host))
  const target = lazy(() => {
    const { profile, baseUrl } = options
    return resolveTarget({ flags: { profile, baseUrl }, env: host.env, project: project(), config: config() })
  })
  let hasChanged = false
  const changed = () => {
    hasChanged = true
  }
  const warn = (text: string) => {
    if (!options.quiet) host.stderr.write(`${sanitizeText(text)}\n`)
  }
  const format = formatOf(options, config)
  const print = createPrinter(host, { format, fields: fieldsFrom(options.fields), changed: () => hasChanged, warn })
  let held: HeldRequest | undefined
  const hold = (request: HeldRequest) => {
    held ??= request
  }
  const { signal } = host
  const watched = { signal, changed, ...(options.dryRun && { hold }) }
  const timeoutMs = () => (config().settings.timeout ?? defaultTimeoutSeconds) * 1000

  const note = (text: string) => {
    if (!print.isMachineReadable) warn(text)
  }

  return {
    host,
    options,
    get config() {
      return config()
    },
    get project() {
      return project()
    },
    get target() {
      return target()
    },
    get timeoutMs() {
      return timeoutMs()
    },
    print,
    note,
    changed,
    async done(record, sentence) {
      if (!print.isMachineReadable) return note(sentence)
      if (options.dryRun) return print.document(record)
      changed()
      await print.record(record, [])
    },
    client() {
      const credential = selectCredential(target(), host.now())
      return connect({ baseUrl: target().baseUrl, credential, timeoutMs: timeoutMs(), ...watched })
    },
    anonymous: (baseUrl) => connect({ baseUrl, credential: undefined, timeoutMs: timeoutMs(), ...watched }),
    asPerson: (work) =>
      asPerson({ host, config: config(), target: target(), timeoutMs: timeoutMs(), ...watched }, work),
    async confirm(question) {
      if (!options.yes && !options.dryRun) await requireYes(host, question)
    },
    held: () => held,
  }
}
