import { CliError } from '../errors/cli-error.ts'
import { exitCodes, usageFailure } from '../errors/exit-codes.ts'
import { readAddress, sameHost } from './address.ts'
import type { ConfigFile, Profile } from './config-file.ts'
import type { FoundProject, Owner } from './project-file.ts'

/** The source of a value. `name` is the profile or the file. */
export type Source =
  | { readonly kind: 'flag' }
  | { readonly kind: 'environment' }
  | { readonly kind: 'project'; readonly name: string }
  | { readonly kind: 'profile'; readonly name: string }

/** The credentials for an address. */
export interface Credentials {
  readonly apiKey?: string | undefined
  readonly token?: string | undefined
  readonly tokenExpiresAt?: string | undefined
  readonly email?: string | undefined
  readonly owner?: Owner | undefined
  readonly simToken?: string | undefined
}

/** The address that a command calls, and its credentials. */
export interface Target {
  readonly baseUrl: string
  readonly addressFrom: Source
  readonly credentials: Credentials
  /** Undefined when nothing is stored for the address. */
  readonly credentialsFrom: Source | undefined
}

/** Everything that selects the target. */
export interface Sources {
  /** The flags --profile and --base-url. There is no flag for a key: it would show in the list of processes. */
  readonly flags: { readonly profile?: string | undefined; readonly baseUrl?: string | undefined }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly project: FoundProject
  readonly config: ConfigFile
}

/** A source with an address and optional credentials. */
interface Candidate {
  readonly from: Source
  readonly baseUrl: string | undefined
  readonly credentials: Credentials
}

/** Returns a readable description of a source. */
export function describeSource(source: Source): string {
  if (source.kind === 'flag') return 'a flag'
  if (source.kind === 'environment') return 'the environment'
  return source.kind === 'project' ? `the project file ${source.name}` : `the profile ${source.name}`
}

/** Returns whether the key belongs to one number: it may call fewer routes than an account key. */
export function isNumberKey(apiKey: string | undefined): boolean {
  return apiKey?.startsWith('msn_') === true
}

/** Returns an environment variable without surrounding blanks; an empty one counts as not set. */
export function variable(env: Sources['env'], name: string): string | undefined {
  return env[name]?.trim() || undefined
}

function requireAddress(address: string, where: string): string {
  if (readAddress(address)) return address.trim().replace(/(?<!\/)\/+$/, '')
  throw usageFailure(`The address in ${where} is not an http or https URL.`, 'Example: https://example.com/api/v1.')
}

function profileCandidate(config: ConfigFile, name: string): Candidate | undefined {
  const profile: Profile | undefined = config.profiles[name]
  if (profile === undefined) return undefined
  const { baseUrl, ...credentials } = profile
  return { from: { kind: 'profile', name }, baseUrl, credentials }
}

function namedProfile(config: ConfigFile, name: string, where: string): Candidate {
  const candidate = profileCandidate(config, name)
  if (candidate) return candidate
  const names = Object.keys(config.profiles)
  const known = names.length === 0 ? 'No profiles are stored.' : `Stored profiles: ${names.join(', ')}.`
  throw usageFailure(`Profile ${name} from ${where} does not exist. ${known}`, 'Create one with msgctl login.')
}

/** Returns the simulator token of the project file, if the file belongs to the service at this address. */
function simTokenFor(project: FoundProject, baseUrl: string | undefined): string | undefined {
  if (!project || !('project' in project) || baseUrl === undefined) return undefined
  return sameHost(project.project.baseUrl, baseUrl) ? project.project.simToken : undefined
}

/** Returns the sources in order of precedence. */
function candidates({ flags, env, project, config }: Sources): Candidate[] {
  if (flags.profile !== undefined) return [namedProfile(config, flags.profile, 'the flag --profile')]
  const found: Candidate[] = []
  const apiKey = variable(env, 'MSG_API_KEY')
  if (apiKey !== undefined) {
    // An address on the command line is the user's choice; an address in a file could be someone else's.
    const baseUrl = variable(env, 'MSG_BASE_URL') ?? flags.baseUrl
    const simToken = simTokenFor(project, baseUrl)
    found.push({ from: { kind: 'environment' }, baseUrl, credentials: { apiKey, simToken } })
  }
  const named = variable(env, 'MSG_PROFILE')
  if (named !== undefined) return [...found, namedProfile(config, named, 'the variable MSG_PROFILE')]
  if (project && 'project' in project) {
    const { file, baseUrl, apiKey: key, owner, simToken } = project.project
    found.push({ from: { kind: 'project', name: file }, baseUrl, credentials: { apiKey: key, owner, simToken } })
  }
  const current = config.current === undefined ? undefined : profileCandidate(config, config.current)
  return current ? [...found, current] : found
}

/** Returns an address given without a key: by the flag, or by MSG_BASE_URL alone. */
function givenAddress({ flags, env }: Sources): { readonly baseUrl: string; readonly from: Source } | undefined {
  if (flags.baseUrl !== undefined) {
    return { baseUrl: requireAddress(flags.baseUrl, 'the flag --base-url'), from: { kind: 'flag' } }
  }
  const baseUrl = variable(env, 'MSG_BASE_URL')
  if (baseUrl === undefined || flags.profile !== undefined || variable(env, 'MSG_API_KEY') !== undefined)
    return undefined
  return { baseUrl: requireAddress(baseUrl, 'MSG_BASE_URL'), from: { kind: 'environment' } }
}

/** Returns the given address with the credentials that a source has for exactly that host, and no others. */
function forAddress(sources: Sources, baseUrl: string, addressFrom: Source): Target {
  const candidateTargets = candidates(sources)
  const others = Object.keys(sources.config.profiles).map((name) => profileCandidate(sources.config, name))
  const named = sources.flags.profile ?? variable(sources.env, 'MSG_PROFILE')
  const all = named === undefined ? [...candidateTargets, ...others] : candidateTargets
  const match = all.find((each) => each?.baseUrl !== undefined && sameHost(each.baseUrl, baseUrl))
  if (match === undefined && named !== undefined) {
    throw usageFailure(
      `Profile ${named} belongs to another address than ${baseUrl}; its key is not sent elsewhere.`,
      'Omit the address or the profile, or run msgctl login for this address.',
    )
  }
  return { baseUrl, addressFrom, credentials: match?.credentials ?? {}, credentialsFrom: match?.from }
}

function notConfigured(message: string, advice: string): CliError {
  return new CliError(message, { code: 'NOT_CONFIGURED', exitCode: exitCodes.auth, advice })
}

/**
 * Throws when the nearest project file cannot be used and neither a flag nor the environment selects a target. In a
 * project, falling back to the current profile would call the wrong service.
 */
function requireUsableProject({ flags, env, project }: Sources): void {
  const decided = flags.profile ?? variable(env, 'MSG_API_KEY') ?? variable(env, 'MSG_PROFILE')
  if (decided !== undefined || project === undefined || !('refused' in project)) return
  throw notConfigured(
    `Cannot use ${project.file}: ${project.refused}.`,
    'Fix or remove the file, or select a target with --profile, --base-url or MSG_PROFILE.',
  )
}

/**
 * Returns the address and its credentials from the first source that is set: flag, environment, project file, profile.
 * Both come from the same source, or the key is stored for the host of the given address. The key of the environment is
 * stored for no host: without MSG_BASE_URL it is sent only to the address in --base-url. Throws a CliError that names
 * what is missing.
 */
export function resolveTarget(sources: Sources): Target {
  const given = givenAddress(sources)
  if (given) return forAddress(sources, given.baseUrl, given.from)
  requireUsableProject(sources)
  const [first] = candidates(sources)
  if (first === undefined) {
    const advice = 'Run msgctl login, or set MSG_BASE_URL and MSG_API_KEY.'
    throw notConfigured('No service is configured.', advice)
  }
  if (first.baseUrl === undefined) {
    throw usageFailure(
      'MSG_API_KEY is set, but MSG_BASE_URL is not. No file can choose the address for a key of the environment.',
      'Set MSG_BASE_URL, pass --base-url, or unset MSG_API_KEY.',
    )
  }
  const baseUrl = requireAddress(first.baseUrl, describeSource(first.from))
  return { baseUrl, addressFrom: first.from, credentials: first.credentials, credentialsFrom: first.from }
}
