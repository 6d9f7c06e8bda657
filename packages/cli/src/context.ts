import type { MessagingClient } from '@msgctl/client'
import type { AdminClient } from '@msgctl/client/admin'
import { type ConfigFile, readConfig, type StoredSession } from './config/config-file.ts'
import { type FoundProject, findProject } from './config/project-file.ts'
import { asPerson, asUser, keepSession } from './config/sign-in.ts'
import { resolveTarget, type Target } from './config/target.ts'
import { usageFailure } from './errors/exit-codes.ts'
import type { Host } from './host.ts'
import { connect, connectAdmin, selectCredential } from './http/connect.ts'
import type { HeldRequest } from './http/transport.ts'
import { requireConfirmation, requireTyped } from './input/prompt.ts'
import { fieldsFrom } from './output/columns.ts'
import { createPrinter, isMachineFormat, type OutputFormat, outputFormats, type Printer } from './output/print.ts'
import { sanitizeText } from './output/sanitize.ts'

/** The options of every command. */
export interface GlobalOptions {
  readonly profile?: string
  readonly baseUrl?: string
  readonly json?: true
  readonly output?: OutputFormat
  readonly fields?: string
  readonly dryRun?: true
  readonly yes?: true
  readonly quiet?: true
  readonly utc?: true
  readonly jq?: string
  readonly verbose?: true
}

/** What a command can use: the host, the service, and the output to the user. */
export interface Context {
  readonly host: Host
  readonly options: GlobalOptions
  /** Read on first use. */
  readonly config: ConfigFile
  readonly project: FoundProject
  /** Throws a CliError when no source names a service. */
  readonly target: Target
  readonly print: Printer
  /** Writes a line on stderr, except in machine-readable formats. */
  note(text: string): void
  /** Writes a line on stderr in every format, because a script must not miss it; not with --quiet. */
  warn(text: string): void
  /**
   * Reports what a command without a response has done, or would do in a dry run: prints `record` in machine-readable
   * formats, and `sentence` as a note otherwise.
   */
  done(record: Readonly<Record<string, unknown>>, sentence: string): Promise<void>
  /** Records that something was changed. Calls of the clients below record it themselves. */
  changed(): void
  /** The timeout of one request. */
  readonly timeoutMs: number
  /** Returns a client with the key of the target, or the token of the signed-in user if there is no key. */
  client(): Promise<MessagingClient>
  /** Does the same with a client for the routes of people, organizations and assistants. */
  admin(): Promise<AdminClient>
  /** Returns a client without credentials for paths beside the API, such as the controls of the simulator. */
  besideApi(): Promise<MessagingClient>
  /** Runs `task` as the signed-in user, for calls that a key may not make. */
  asUser<T>(task: (client: MessagingClient) => Promise<T>): Promise<T>
  /** Runs `task` as the signed-in user with a client for the routes of people and organizations. */
  asPerson<T>(task: (client: AdminClient) => Promise<T>): Promise<T>
  /** Stores a new session of the signed-in user, which the next commands use. */
  keepSession(session: StoredSession): void
  /** Returns a client for the public routes of people: links, invitations. */
  visitor(): Promise<AdminClient>
  /** Asks for confirmation, unless --yes or --dry-run is set. Throws a CliError when the user declines. */
  confirm(question: string): Promise<void>
  /** Asks for the name to be typed before a change that cannot be undone. Otherwise like `confirm`. */
  confirmTyped(question: string, name: string): Promise<void>
  /** The request that a dry run did not send. */
  held(): HeldRequest | undefined
}

const defaultTimeoutSeconds = 30

function selectFormat(options: GlobalOptions, config: () => ConfigFile): OutputFormat {
  if (options.json && options.output !== undefined && options.output !== 'json') {
    throw usageFailure('--json and --output select different formats; use one of them.')
  }
  if (options.jq !== undefined && options.output !== undefined && options.output !== 'json') {
    throw usageFailure('--jq needs the format json; omit --output.')
  }
  if (options.json || options.jq !== undefined) return 'json'
  if (options.output !== undefined) return options.output
  const stored = config().settings.output
  return outputFormats.find((format) => format === stored) ?? 'table'
}

/** Returns a function that creates its value on the first call. */
function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Creates the context of one run. Throws a usage error when the global options contradict each other. */
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
  const format = selectFormat(options, config)
  const note = (text: string) => {
    if (!isMachineFormat(format)) warn(text)
  }
  const print = createPrinter(host, {
    format,
    isFormatGiven: format !== 'table' || options.output !== undefined || config().settings.output !== undefined,
    utc: options.utc === true,
    jq: options.jq,
    fields: fieldsFrom(options.fields),
    changed: () => hasChanged,
    warn,
    note,
  })
  let held: HeldRequest | undefined
  const hold = (request: HeldRequest) => {
    held ??= request
  }
  const { signal } = host
  const trace = (line: string) => void host.stderr.write(`${sanitizeText(line)}\n`)
  let isClockReported = false
  const clockDiffers = (aheadMs: number) => {
    if (isClockReported) return
    isClockReported = true
    const distance = `${Math.round(Math.abs(aheadMs) / 60_000)} min ${aheadMs > 0 ? 'ahead of' : 'behind'}`
    warn(`The clock of this machine is ${distance} that of the service. Times such as +2h count by it: set it right.`)
  }
  const watched = { signal, changed, clockDiffers, ...(options.dryRun && { hold }), ...(options.verbose && { trace }) }
  const timeoutMs = () => (config().settings.timeout ?? defaultTimeoutSeconds) * 1000

  const signInContext = () => ({
    host,
    config: config(),
    target: target(),
    timeoutMs: timeoutMs(),
    ...watched,
  })

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
    warn,
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
    admin() {
      const credential = selectCredential(target(), host.now())
      return connectAdmin({ baseUrl: target().baseUrl, credential, timeoutMs: timeoutMs(), ...watched })
    },
    besideApi: () =>
      connect({
        baseUrl: new URL(target().baseUrl).origin,
        credential: undefined,
        timeoutMs: timeoutMs(),
        besideApi: true,
        ...watched,
      }),
    asUser: (task) => asUser(signInContext(), task),
    asPerson: (task) => asPerson(signInContext(), task),
    keepSession: (session) => keepSession(signInContext(), session),
    visitor: () =>
      connectAdmin({ baseUrl: target().baseUrl, credential: undefined, timeoutMs: timeoutMs(), ...watched }),
    async confirm(question) {
      if (!options.yes && !options.dryRun) await requireConfirmation(host, question)
    },
    async confirmTyped(question, name) {
      if (!options.yes && !options.dryRun) await requireTyped(host, question, name)
    },
    held: () => held,
  }
}
