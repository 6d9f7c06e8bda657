import type { Command } from 'commander'
import { isThisMachine, readAddress, sameHost } from '../../config/address.ts'
import { type Profile, saveProfile } from '../../config/config-file.ts'
import { signIn } from '../../config/sign-in.ts'
import { isNumberKey, variable } from '../../config/target.ts'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { canPrompt } from '../../host.ts'
import { connect } from '../../http/connect.ts'
import { askChoice, askSecret, askText } from '../../input/prompt.ts'
import { readLine } from '../../input/read-input.ts'
import { examples, type Run } from '../../program.ts'

interface LoginOptions {
  readonly withKey?: true
  readonly email?: string
  readonly passwordStdin?: true
  readonly owner?: true
}

const maxSecretBytes = 4096

const localAddress = 'http://127.0.0.1:3000/api/v1'

/** Returns the address to store; a bare origin gets the path /api/v1. */
function addressFrom(text: string): string {
  const url = readAddress(text)
  if (url === undefined)
    throw usageFailure('The address is not an http or https URL.', 'Example: https://example.com/api/v1.')
  const path = url.pathname.replace(/(?<!\/)\/+$/, '')
  return url.origin + (path === '' ? '/api/v1' : path)
}

function findUsableProject({ project }: Context) {
  return project && 'project' in project ? project.project : undefined
}

async function askAddress(context: Context, options: LoginOptions): Promise<string> {
  const { host, config } = context
  const given = context.options.baseUrl ?? variable(host.env, 'MSG_BASE_URL')
  if (given !== undefined) return addressFrom(given)
  const nearby = findUsableProject(context)?.baseUrl
  if (options.owner && nearby !== undefined) return nearby
  const stored = config.profiles[selectProfileName(context)]?.baseUrl
  // A profile is the choice of this user. A project file may be that of another: it is used only when confirmed.
  const isChosen = isProfileNamed(context) || nearby === undefined
  if (stored !== undefined && isChosen && !canPrompt(host)) return stored
  const initial = (isChosen ? stored : nearby) ?? nearby ?? localAddress
  for (;;) {
    const typed = await askText(host, 'Address of the API', initial, 'Pass the address with --base-url.')
    // An address without a scheme, such as 127.0.0.1:3000, is tried with the usual one.
    const address = [typed, `http${/^(localhost|127\.)/.test(typed) ? '' : 's'}://${typed}`].find((each) =>
      readAddress(each),
    )
    if (address !== undefined) return addressFrom(address)
    context.note(`${typed} is not an http or https address. Example: https://example.com`)
  }
}

/** Asks for confirmation before a key or password is sent in clear text. */
async function requireSafeAddress(context: Context, baseUrl: string): Promise<void> {
  const url = new URL(baseUrl)
  if (url.protocol === 'https:' || isThisMachine(url)) return
  await context.confirm(`${url.origin} does not use https: others on the network can read the key. Continue?`)
}

/** Returns the owner of the credential, so that an invalid one is not stored. A number's key may not call GET /me. */
async function describeOwner(context: Context, baseUrl: string, profile: Profile): Promise<string> {
  const { apiKey, token } = profile
  const credential = apiKey !== undefined ? { apiKey } : { token: token ?? '' }
  const client = await connect({ baseUrl, credential, timeoutMs: context.timeoutMs, signal: context.host.signal })
  if (isNumberKey(apiKey)) return `the number ${(await client.numbers.status()).containerId}`
  const { organization, memberRole } = await client.account.me()
  return `${organization.name} as ${memberRole}`
}

async function keyProfile(context: Context, baseUrl: string, fromStdin: boolean): Promise<Profile> {
  const instead = 'Pass the key on stdin with --with-key.'
  const typed = fromStdin ? await readLine(context.host, maxSecretBytes) : await askSecret(context.host, 'Key', instead)
  const apiKey = typed.trim()
  if (!/^[\x21-\x7e]{8,}$/.test(apiKey)) throw usageFailure('The key is not valid.', 'A key begins with msk_ or msn_.')
  return { baseUrl, apiKey }
}

async function userProfile(context: Context, baseUrl: string, options: LoginOptions): Promise<Profile> {
  const { host, timeoutMs } = context
  const owner = options.owner ? findUsableProject(context)?.owner : undefined
  const email =
    owner?.email ?? options.email ?? (await askText(host, 'E-mail', '', 'Pass the e-mail address with --email.'))
  const instead = 'Pass the password on stdin with --password-stdin.'
  const [firstLine, secondLine] = options.passwordStdin ? (await readLine(host, maxSecretBytes)).split(/\r?\n/) : []
  const password = owner?.password ?? firstLine ?? (await askSecret(host, 'Password', instead))
  const askCode = async () =>
    secondLine ?? (await askSecret(host, 'Code of the authenticator', 'Pass the code on stdin, below the password.'))
  const { token, expiresAt } = await signIn(baseUrl, { email, password }, { timeoutMs, signal: host.signal, askCode })
  return { baseUrl, token, tokenExpiresAt: expiresAt, email }
}

function requireOwner(context: Context, baseUrl: string): void {
  const project = findUsableProject(context)
  if (project?.owner === undefined) {
    throw usageFailure('No project file with an owner was found.', 'Run this in the folder of the .msgctl.json.')
  }
  if (!sameHost(project.baseUrl, baseUrl)) {
    throw usageFailure(`The owner in ${project.file} belongs to ${project.baseUrl}.`, 'Omit --base-url.')
  }
}

async function selectLoginKind(context: Context, options: LoginOptions): Promise<'key' | 'user'> {
  const { withKey, email, passwordStdin, owner } = options
  const hasUser = email !== undefined || passwordStdin === true || owner === true
  if (withKey && hasUser) throw usageFailure('--with-key cannot be combined with --email, --password-stdin or --owner.')
  if (withKey) return 'key'
  if (hasUser) return 'user'
  const choices = { key: 'API key', user: 'e-mail and password' }
  return askChoice(context.host, 'Log in with', choices, 'Use --with-key, or --email with --password-stdin.')
}

function isProfileNamed({ options, host }: Context): boolean {
  return (options.profile ?? variable(host.env, 'MSG_PROFILE')) !== undefined
}

/** Returns the name of the profile to store: the selected one, else the current one. */
function selectProfileName({ options, host, config }: Context): string {
  return options.profile ?? variable(host.env, 'MSG_PROFILE') ?? config.current ?? 'default'
}

/**
 * Returns the profile to keep: a key and a sign-in for the same host are stored together. Asks for confirmation before
 * a profile of another host is replaced.
 */
async function profileToKeep(context: Context, name: string, baseUrl: string): Promise<Profile | undefined> {
  const before = context.config.profiles[name]
  if (before === undefined || sameHost(before.baseUrl, baseUrl)) return before
  await context.confirm(`Replace the profile ${name} of ${before.baseUrl}? Use --profile NAME to store another one.`)
  return undefined
}

async function login(context: Context, options: LoginOptions): Promise<void> {
  const { host } = context
  const baseUrl = await askAddress(context, options)
  await requireSafeAddress(context, baseUrl)
  const name = selectProfileName(context)
  const kept = await profileToKeep(context, name, baseUrl)
  if (options.owner) requireOwner(context, baseUrl)
  const fresh =
    (await selectLoginKind(context, options)) === 'key'
      ? await keyProfile(context, baseUrl, options.withKey === true)
      : await userProfile(context, baseUrl, options)
  const who = await describeOwner(context, baseUrl, fresh)
  const record = { profile: name, baseUrl, who }
  if (context.options.dryRun) {
    return context.done({ dryRun: true, ...record }, `Would store the profile ${name} for ${baseUrl}: ${who}.`)
  }
  saveProfile(host, name, { ...kept, ...fresh })
  await context.done(record, `Logged in to ${baseUrl}: ${who}. Stored as profile ${name}.`)
}

export function register(command: Command, run: Run): void {
  examples(
    command,
    'msgctl login',
    'msgctl login --base-url https://example.com/api/v1 --profile live --with-key < key.txt',
    'msgctl login --email ada@example.com --password-stdin < password.txt',
    'msgctl login --owner',
  )
    .option('--with-key', 'read a key from stdin')
    .option('--email <address>', 'sign in as this user')
    .option('--password-stdin', 'read the password from stdin, and a code below it')
    .option('--owner', 'sign in as the owner in the nearest .msgctl.json')
    .addHelpText(
      'after',
      '\nThe profile is stored as --profile, else MSG_PROFILE, else the current profile, else default.',
    )
    .action(run(login))
}
