import { configPath } from '../../config/config-file.ts'
import { describeSource, type Target, variable } from '../../config/target.ts'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'

const explainColumns = defineColumns('what as Setting, value', { field: 'from', title: 'Source', whole: true })

async function explainSources(context: Context): Promise<void> {
  await context.print.list(explain(context), explainColumns)
}

/** One line of `msgctl config explain`. */
interface Explained {
  readonly what: string
  readonly value: string
  readonly from: string
}

const absent = 'not set'

function keyLine({ credentials, credentialsFrom }: Target): Explained {
  const { apiKey, token, email, owner } = credentials
  const from = credentialsFrom === undefined ? '-' : describeSource(credentialsFrom)
  if (apiKey !== undefined) return { what: 'key', value: `${apiKey.slice(0, 10)}...`, from }
  if (token !== undefined) return { what: 'key', value: `none; signed in as ${email ?? 'a user'}`, from }
  return { what: 'key', value: owner ? `none; the owner ${owner.email} can sign in` : 'none for this address', from }
}

function used(context: Context): Explained[] {
  try {
    const { target } = context
    return [{ what: 'address', value: target.baseUrl, from: describeSource(target.addressFrom) }, keyLine(target)]
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    return [{ what: 'address', value: error.message, from: '-' }]
  }
}

function projectLine({ project }: Context): Explained {
  const what = 'project file'
  if (project === undefined) return { what, value: 'none', from: '-' }
  if ('refused' in project) return { what, value: `not used: ${project.refused}`, from: project.file }
  return { what, value: project.project.baseUrl, from: project.project.file }
}

/** Returns the selected address and key, then every source in order of precedence. Keys are shortened. */
function explain(context: Context): Explained[] {
  const { env } = context.host
  const { profile, baseUrl } = context.options
  const { current, profiles } = context.config
  const key = variable(env, 'MSG_API_KEY')
  const currentProfile = current === undefined ? undefined : profiles[current]
  return [
    ...used(context),
    { what: '1. flag --profile', value: profile ?? absent, from: 'command line' },
    { what: '1. flag --base-url', value: baseUrl ?? absent, from: 'command line' },
    { what: '2. MSG_API_KEY', value: key === undefined ? absent : `${key.slice(0, 10)}...`, from: 'environment' },
    { what: '2. MSG_BASE_URL', value: variable(env, 'MSG_BASE_URL') ?? absent, from: 'environment' },
    { what: '2. MSG_PROFILE', value: variable(env, 'MSG_PROFILE') ?? absent, from: 'environment' },
    { ...projectLine(context), what: '3. project file' },
    {
      what: '4. current profile',
      value: currentProfile === undefined ? 'none' : `${current}: ${currentProfile.baseUrl}`,
      from: configPath(context.host),
    },
  ]
}

/** `config explain`. */
export const explainVerb = verb('explain', 'show the selected address and key, and every source', explainSources, [
  'msgctl config explain',
  'msgctl config explain --base-url https://example.com/api/v1 --json',
])
