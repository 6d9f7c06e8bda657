import { describe, expect, it } from 'vitest'
import { testMachine } from '../testing/machine.ts'
import { suggestCommand, suggestOption } from './suggest.ts'

const numbers = [
  'list',
  'add',
  'remove',
  'rename',
  'status',
  'start',
  'stop',
  'reconnect',
  'logout',
  'release',
  'history',
]
const campaigns = [
  'create',
  'edit',
  'list',
  'show',
  'recipients',
  'send',
  'watch',
  'pause',
  'resume',
  'cancel',
  'delete',
]

it('of a noun without such a verb is what it has', async () => {
  const { stderr, exitCode } = await testMachine().run(['keys', 'list'])
  const message = "Error: Unknown command 'list'. It has: generate, rotate, delete.\n"
  expect([stderr, exitCode]).toEqual([expect.stringContaining(message), 2])
})

describe('a suggestion', () => {
  it.each([
    ['show', numbers, 'status'],
    ['get', campaigns, 'show'],
    ['delete', numbers, 'remove'],
    ['rm', campaigns, 'delete'],
    ['ls', campaigns, 'list'],
    ['results', campaigns, 'recipients'],
    ['disconnect', numbers, 'logout'],
    ['create', ['generate', 'rotate'], 'generate'],
    ['get', ['show', 'set', 'rotate'], 'show'],
    ['delte', numbers, 'remove'],
    ['lsit', numbers, 'list'],
    ['nubmers', ['numbers', 'messages'], 'numbers'],
    ['status', ['messages', 'stats', 'numbers', 'account'], 'numbers status'],
    ['msgs', ['messages', 'numbers'], 'messages'],
    ['list', ['connections', 'revoke', 'calls'], 'connections'],
    ['replay', ['messages', 'numbers', 'webhook'], 'webhook replay'],
  ])('of %s has the same meaning or nearly the same letters', (typed, words, meant) => {
    expect(suggestCommand(typed, words)).toBe(meant)
  })

  it.each([
    ['show', ['stop', 'send']],
    ['status', ['start', 'stop']],
    ['get', ['set', 'reset']],
    ['results', ['resume', 'reset']],
    ['unrelated', numbers],
  ])('never leads from %s to a command that changes something', (typed, words) => {
    expect(suggestCommand(typed, words)).toBeUndefined()
  })

  it('of an option is spelt alike', () => {
    expect(suggestOption('--feilds', ['--fields', '--json'])).toBe('--fields')
    expect(suggestOption('--colour', ['--fields', '--json'])).toBeUndefined()
  })
})
