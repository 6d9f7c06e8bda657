import path from 'node:path'
import type { Violation } from './import-rules.ts'
import { isTestFile, type Source } from './sources.ts'

const maxLines = 300

/** Returns the files with more lines than the limit, tests included. Generated files have no limit. */
export function longFiles(sources: readonly Source[]): Violation[] {
  return sources.flatMap(({ file, text }) => {
    if (text.startsWith('// Generated ')) return []
    const lines = text.split('\n').length - 1
    return lines > maxLines ? [`${file} has ${lines} lines; ${maxLines} are the limit`] : []
  })
}

const maxColumns = 120

/** Returns the lines with more columns than the limit, tests included. Generated files have no limit. */
export function wideLines(sources: readonly Pick<Source, 'file' | 'text'>[]): Violation[] {
  return sources.flatMap(({ file, text }) => {
    if (text.startsWith('// Generated ')) return []
    return text.split('\n').flatMap((line, index) => {
      const columns = [...line].length
      return columns > maxColumns ? [`${file}:${index + 1} has ${columns} columns; ${maxColumns} are the limit`] : []
    })
  })
}

const maxFiles = 25

/**
 * Returns the folders with more source files than the limit, with those that only tests use. Tests and generated files
 * do not count.
 */
export function fullFolders(sources: readonly Source[]): Violation[] {
  const counts = new Map<string, number>()
  for (const { file, text } of sources) {
    const folder = path.posix.dirname(file)
    if (!isTestFile({ file }) && !text.startsWith('// Generated ')) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].flatMap(([folder, count]) => {
    return count > maxFiles ? [`${folder} has ${count} source files; ${maxFiles} are the limit`] : []
  })
}

const emptyNames = /^(?:utils?|helpers?|common|shared|managers?)$/i

/** Returns files and folders whose names say nothing. The parts of a name count, so `text-utils.ts` is found too. */
export function emptyFileNames(sources: readonly Source[]): Violation[] {
  return sources.flatMap(({ file, local }) => {
    const word = local.split(/[/.-]/).find((part) => emptyNames.test(part))
    return word === undefined ? [] : [`${file}: ${word} says nothing; name what it does`]
  })
}

/** The list of migrations is data, not a barrel. */
const lists = ['packages/server/src/platform/db/migrations/index.ts']

/** Returns files that only re-export others, in the packages that no other package imports. */
export function barrels(sources: readonly Source[]): Violation[] {
  return sources
    .filter(({ pack, local, file }) => {
      return (pack === 'server' || pack === 'cli') && /(?:^|\/)index\.ts$/.test(local) && !lists.includes(file)
    })
    .map(({ file }) => `${file} is a barrel; import the file that you mean`)
}

interface TextRule {
  readonly pattern: RegExp
  readonly why: string
  /** Whether a file is free of the rule. */
  readonly except?: (source: Source) => boolean
}

const sqlFile = /(?:^|\/)(?:[a-z-]+-)?store\.ts$/

/** The files that read the environment. */
const readers = ['process/config.ts', 'main.ts', 'process/operator/terminal.ts']

/** The files that make errors from codes that they are given, and the one that makes those of limits. */
const makersOfErrors = [
  'api/access/limit-key.ts',
  'platform/errors.ts',
  'api/http/malformed.ts',
  'api/http/map-error.ts',
  'api/http/parse.ts',
  'sending/messages/direct/direct.ts',
]

/** The files that end a part of the access of a person, each for this reason. */
const partialEnds: Readonly<Record<string, string>> = {
  'api/access/challenge-store.ts': 'defines a part',
  'api/access/connections.ts': 'defines a part',
  'api/access/end-access.ts': 'ends all parts',
  'api/access/link-store.ts': 'defines a part',
  'api/access/token-store.ts': 'defines a part',
  'people/auth/two-factor/routes.ts': 'a challenge of the codes that were turned off',
  'ai-clients/oauth/connections.ts': 'a person ends one connection',
  'ai-clients/oauth/endpoint.ts': 'a client ends its connection',
  'ai-clients/oauth/token.ts': 'a code or a token that was used twice ends its connection',
}

/** The files that fold texts in a way of their own, each for this reason. */
const foldings: Readonly<Record<string, string>> = {
  'conversations/bots/model/filter.ts': 'units and hosts in a text that is plain already',
  'conversations/bots/texts/languages.ts': 'removes accents and vowel marks for the search',
  'conversations/contacts/view.ts': 'a name as a person typed it, to be shown',
  'ai-clients/mcp/protocol.ts': 'the name of the service',
  'ai-clients/mcp/sends/shingles.ts': 'compares texts of one client with each other',
}

/** Texts that no line of a source may contain. */
const textRules: readonly TextRule[] = [
  {
    pattern: /\brows(?:<[^;=]*?>)?\(|\.raw\(/,
    why: 'SQL belongs in db/ and in files named store.ts or *-store.ts',
    except: ({ pack, local, forTests }) =>
      pack !== 'server' ||
      forTests ||
      local.startsWith('platform/db/') ||
      sqlFile.test(local) ||
      local === 'process/database.ts',
  },
  {
    pattern: /\bprocess\.env\b/,
    why: `settings are read in ${readers.join(', ')} only`,
    except: ({ local, forTests }) => forTests || readers.includes(local),
  },
  {
    pattern: /\bnew ApiError\b/,
    why: 'use apiError, or limitReached for a limit',
    except: ({ pack, local, forTests }) => pack !== 'server' || forTests || makersOfErrors.includes(local),
  },
  {
    pattern: /\b(?:deleteTokensOf\w*|deleteLinksInto|deleteChallenges|endConnectionsOf)\b/,
    why: 'use endAccess, or say why only a part ends (test/text-rules.ts)',
    except: ({ pack, local, forTests }) => pack !== 'server' || forTests || local in partialEnds,
  },
  {
    pattern: /\.normalize\(|\.to(?:Locale)?LowerCase\(/,
    why: 'compare texts by plainText, or say why not (test/text-rules.ts)',
    except: ({ pack, local, forTests }) =>
      pack !== 'server' || forTests || local in foldings || !/^(?:bots|inbound|contacts|mcp)\//.test(local),
  },
  { pattern: /\b(?:it|test|describe)\.(?:only|skip|todo)\b/, why: 'every test runs' },
  { pattern: /\b(?:TODO|FIXME|XXX|HACK)\b/, why: 'finish the work, or do not begin it' },
  { pattern: /not (?:yet )?implemented/i, why: 'everything in the product works' },
  { pattern: /(?<![\w.~:/-])\/(?:home|root|Users|work|mnt|opt|srv)\/\w/, why: 'this is a path of one machine' },
  {
    pattern: /\bregistry\.(?:[\w-]+\.)+[a-z]{2,}\b|\bnpmjs\.(?:org|com)|\bartifactory\b/i,
    why: 'registries are named by the settings of npm',
  },
  {
    pattern: /^export default\b/,
    why: 'exports have names',
    // Vitest needs a default export from the file of its global setup.
    except: ({ local }) => local === 'testing/global-setup.ts',
  },
  {
    pattern: /\bAbortSignal\.(?:any|timeout)\(/,
    why: 'a joined signal holds its sources weakly and can lose a time-out: use startTimeLimit (time-limit.ts)',
    except: ({ forTests }) => forTests,
  },
  { pattern: /@ts-(?:ignore|nocheck)\b/, why: 'fix the types instead of silencing the compiler' },
]

/** Returns the lines that contain a forbidden text. */
export function forbiddenText(sources: readonly Source[]): Violation[] {
  return sources.flatMap((source) => {
    const rules = textRules.filter(({ except }) => !except?.(source))
    return source.text
      .split('\n')
      .flatMap((line, index) =>
        rules.filter(({ pattern }) => pattern.test(line)).map(({ why }) => `${source.file}:${index + 1}: ${why}`),
      )
  })
}
