import { describe, expect, it } from 'vitest'
import { CliError } from '../errors/cli-error.ts'
import type { ConfigFile, Profile } from './config-file.ts'
import type { FoundProject } from './project-file.ts'
import { resolveTarget, type Sources } from './target.ts'

const here = 'https://here.example/api/v1'
const there = 'https://there.example/api/v1'

function config(profiles: Record<string, Profile>, current?: string): ConfigFile {
  return { profiles, current, settings: {}, sessions: {} }
}

const stored = config(
  { main: { baseUrl: here, apiKey: 'msk_main' }, live: { baseUrl: there, apiKey: 'msk_live' } },
  'main',
)
const project: FoundProject = {
  project: { file: '/repo/.msgctl.json', baseUrl: 'http://127.0.0.1:3000/api/v1', apiKey: 'msk_project' },
}
const refused: FoundProject = {
  file: '/repo/.msgctl.json',
  refused: 'other users can write to it (run chmod 600)',
}
const nothing: Sources = { flags: {}, env: {}, project: undefined, config: config({}) }

interface Row {
  readonly when: string
  readonly sources: Partial<Sources>
  readonly goesTo: string
  readonly with: string | undefined
  readonly from: string | undefined
}

const rows: readonly Row[] = [
  { when: 'only a profile is stored', sources: { config: stored }, goesTo: here, with: 'msk_main', from: 'profile' },
  {
    when: 'a project file is near',
    sources: { config: stored, project },
    goesTo: 'http://127.0.0.1:3000/api/v1',
    with: 'msk_project',
    from: 'project',
  },
  {
    when: 'the environment holds both',
    sources: { config: stored, project, env: { MSG_API_KEY: 'msk_env', MSG_BASE_URL: there } },
    goesTo: there,
    with: 'msk_env',
    from: 'environment',
  },
  {
    when: 'the environment names a profile, although a project file is near',
    sources: { config: stored, project, env: { MSG_PROFILE: 'live' } },
    goesTo: there,
    with: 'msk_live',
    from: 'profile',
  },
  {
    when: 'a flag names a profile, although the environment holds both',
    sources: { config: stored, flags: { profile: 'live' }, env: { MSG_API_KEY: 'msk_env', MSG_BASE_URL: here } },
    goesTo: there,
    with: 'msk_live',
    from: 'profile',
  },
  {
    when: 'a flag gives an address that a profile is stored for',
    sources: { config: stored, project, flags: { baseUrl: 'https://there.example/api/v1/' } },
    goesTo: there,
    with: 'msk_live',
    from: 'profile',
  },
  {
    when: 'a flag gives an address and the environment only a key',
    sources: { config: stored, flags: { baseUrl: 'https://new.example/api/v1' }, env: { MSG_API_KEY: 'msk_env' } },
    goesTo: 'https://new.example/api/v1',
    with: 'msk_env',
    from: 'environment',
  },
  {
    when: 'a flag gives another address than the environment',
    sources: { config: stored, flags: { baseUrl: here }, env: { MSG_API_KEY: 'msk_env', MSG_BASE_URL: there } },
    goesTo: here,
    with: 'msk_main',
    from: 'profile',
  },
  {
    when: 'a flag gives an address that nothing is stored for',
    sources: { config: stored, project, flags: { baseUrl: 'https://evil.example/api/v1' } },
    goesTo: 'https://evil.example/api/v1',
    with: undefined,
    from: undefined,
  },
  {
    when: 'the environment gives an address that nothing is stored for',
    sources: { config: stored, env: { MSG_BASE_URL: 'https://evil.example/api/v1' } },
    goesTo: 'https://evil.example/api/v1',
    with: undefined,
    from: undefined,
  },
  {
    when: 'the address is a profile’s host by another protocol',
    sources: { config: stored, flags: { baseUrl: 'http://here.example/api/v1' } },
    goesTo: 'http://here.example/api/v1',
    with: undefined,
    from: undefined,
  },
  {
    when: 'the address is a profile’s host on another port',
    sources: { config: stored, flags: { baseUrl: 'https://here.example:8443/api/v1' } },
    goesTo: 'https://here.example:8443/api/v1',
    with: undefined,
    from: undefined,
  },
  {
    when: 'a refused project file is near and a flag names a profile',
    sources: { config: stored, project: refused, flags: { profile: 'live' } },
    goesTo: there,
    with: 'msk_live',
    from: 'profile',
  },
  {
    when: 'a refused project file is near and a flag gives an address',
    sources: { config: stored, project: refused, flags: { baseUrl: here } },
    goesTo: here,
    with: 'msk_main',
    from: 'profile',
  },
  {
    when: 'a refused project file is near and the environment names a profile',
    sources: { config: stored, project: refused, env: { MSG_PROFILE: 'live' } },
    goesTo: there,
    with: 'msk_live',
    from: 'profile',
  },
  {
    when: 'a refused project file is near and the environment holds both',
    sources: { config: stored, project: refused, env: { MSG_API_KEY: 'msk_env', MSG_BASE_URL: there } },
    goesTo: there,
    with: 'msk_env',
    from: 'environment',
  },
]

describe('where a command goes, and with which key', () => {
  it.each(rows)('when $when', ({ sources, goesTo, with: apiKey, from }) => {
    const target = resolveTarget({ ...nothing, ...sources })
    expect(target.baseUrl).toBe(goesTo)
    expect(target.credentials.apiKey).toBe(apiKey)
    expect(target.credentialsFrom?.kind).toBe(from)
  })
})

describe('what cannot be decided', () => {
  const refusals: readonly { when: string; sources: Partial<Sources>; code: string; says: RegExp }[] = [
    { when: 'nothing is stored', sources: {}, code: 'NOT_CONFIGURED', says: /No service is configured/ },
    {
      when: 'the nearest project file is refused, although a profile is current',
      sources: { config: stored, project: refused },
      code: 'NOT_CONFIGURED',
      says: /Cannot use \/repo\/\.msgctl\.json: other users can write to it \(run chmod 600\)\./,
    },
    {
      when: 'the environment holds a key without an address, so that no other place can choose where it goes',
      sources: { config: stored, project, env: { MSG_API_KEY: 'msk_env' } },
      code: 'USAGE',
      says: /MSG_BASE_URL is not/,
    },
    {
      when: 'a named profile belongs to another address',
      sources: { config: stored, flags: { profile: 'live', baseUrl: 'https://evil.example/api/v1' } },
      code: 'USAGE',
      says: /its key is not sent elsewhere/,
    },
    {
      when: 'the environment names a profile of another address',
      sources: { config: stored, env: { MSG_PROFILE: 'live', MSG_BASE_URL: 'https://evil.example/api/v1' } },
      code: 'USAGE',
      says: /its key is not sent elsewhere/,
    },
    {
      when: 'there is no profile of that name',
      sources: { config: stored, flags: { profile: 'test' } },
      code: 'USAGE',
      says: /Stored profiles: main, live/,
    },
    {
      when: 'the address is none',
      sources: { flags: { baseUrl: 'ftp://here.example' } },
      code: 'USAGE',
      says: /--base-url is not an http or https URL/,
    },
    {
      when: 'the address holds a password',
      sources: { flags: { baseUrl: 'https://me:secret@here.example/api/v1' } },
      code: 'USAGE',
      says: /not an http or https URL/,
    },
  ]

  it.each(refusals)('says so when $when', ({ sources, code, says }) => {
    const decide = () => resolveTarget({ ...nothing, ...sources })
    expect(decide).toThrow(CliError)
    expect(decide).toThrow(says)
    expect(decide).toThrow(expect.objectContaining({ code }))
  })
})
