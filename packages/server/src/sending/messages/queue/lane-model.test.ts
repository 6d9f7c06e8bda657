import { describe, expect, it } from 'vitest'
import { type Exploration, explore } from '#testing/lanes/explore.ts'
import { close, hold, open, release, remove, retry, sweep, time } from '#testing/lanes/lane-programs.ts'
import { faultOf, type Lane, type Message, newLane } from '#testing/lanes/lane-rows.ts'
import { type Broken, rules } from '#testing/lanes/lane-rules.ts'
import { dispatcher, type MakeProgram, text } from '#testing/lanes/queue-programs.ts'
import type { Values } from '#testing/lanes/read-committed.ts'

// A model of the locks of lanes: every interleaving of a few processes is tried. What the processes do is written in
// testing/lanes/*-programs.ts, step by step as the statements of the queue do it. The statements themselves are tested
// by lane-histories.test.ts on Postgres, which sees only some interleavings.

const closed: Lane = { ...newLane, open: false }
const twoLanes = { 'lane A': newLane, 'lane B': newLane }
const lanes = Object.keys(twoLanes)
const three = [...lanes, 'lane C']
const texts = { 'message of text 1': null, 'message of text 2': null }
const oneText = { 'message of text 1': null }
const sending = { message: { lane: 'lane A', status: 'sending', due: 0 } satisfies Message }
const queued = { message: { lane: 'lane A', status: 'queued', due: 0 } satisfies Message }
const due: Lane = { ...newLane, next: 0 }
const numbers = { 'number of lane A': {}, 'number of lane B': {} }
const late = (name: string, lane: string, all = lanes) => text(name, { lane, lanes: all, waits: true })

/** The rows that the processes find, and the processes that run at once. */
type Scene = readonly [rows: Values, ...programs: MakeProgram[]]

const scenes = {
  'two texts and two claims': [
    { 'lane A': newLane, ...texts },
    text('text 1'),
    text('text 2'),
    dispatcher('claim 1'),
    dispatcher('claim 2'),
  ],
  'two texts that wait, and two claims': [
    { 'lane A': newLane, ...texts },
    text('text 1', { waits: true }),
    text('text 2', { waits: true }),
    dispatcher('claim 1'),
    dispatcher('claim 2'),
  ],
  'a text, a claim, and a number that goes down': [
    { ...twoLanes, ...oneText },
    text('text 1', { lanes }),
    dispatcher('claim 1'),
    close('closer'),
  ],
  'a text that waits, a claim, and a number that goes down': [
    { ...twoLanes, ...oneText },
    text('text 1', { lanes, waits: true }),
    dispatcher('claim 1'),
    close('closer'),
  ],
  'two texts, a claim, and a number that goes down': [
    { ...twoLanes, ...texts },
    text('text 1', { lanes }),
    text('text 2', { lanes, waits: true }),
    dispatcher('claim 1'),
    close('closer'),
  ],
  'a text, a claim, a retry, and a number that is removed': [
    { ...twoLanes, ...oneText, ...sending },
    text('text 1', { lanes }),
    retry('retry', 'message', { lanes }),
    dispatcher('claim 1'),
    remove('remover'),
  ],
  'a claim of a pinned message, and a number that goes down': [
    { 'lane A': due, 'lane B': newLane, message: { ...queued.message, pinned: true } },
    dispatcher('claim 1'),
    close('closer'),
  ],
  'a claim, a retry, and a number that goes down': [
    { ...twoLanes, ...sending },
    retry('retry', 'message', { lanes }),
    dispatcher('claim 1'),
    close('closer'),
  ],
  'a text, a claim, and a number that works again': [
    { 'lane A': { ...closed, next: 0 }, 'lane B': closed, ...oneText, ...queued },
    text('text 1', { lanes }),
    dispatcher('claim 1'),
    open('opener'),
  ],
  'a text, a claim, and a number that goes down and works again': [
    { ...twoLanes, ...oneText },
    text('text 1', { lanes }),
    dispatcher('claim 1'),
    close('closer'),
    open('opener'),
  ],
  'two numbers that go down at once': [
    { 'lane A': due, 'lane B': newLane, 'lane C': newLane, ...queued },
    close('closer 1', { lanes: three }),
    close('closer 2', { lane: 'lane B', lanes: three }),
    dispatcher('claim 1'),
  ],
  'a text, a number that goes down, and another one that works again': [
    { 'lane A': due, 'lane B': closed, ...oneText, ...queued },
    text('text 1', { lanes, waits: true }),
    close('closer'),
    open('opener', { lane: 'lane B' }),
  ],
  'a text, two claims, and held messages that are released': [
    { 'lane A': newLane, ...oneText, limits: { allow: false } },
    text('text 1'),
    dispatcher('claim 1'),
    dispatcher('claim 2'),
    release('releaser'),
  ],
  'a text, a claim, held messages that are released, and their number goes down': [
    { ...twoLanes, ...oneText, limits: { allow: false } },
    text('text 1', { lanes }),
    dispatcher('claim 1'),
    close('closer'),
    release('releaser'),
  ],
  'a text, two claims, a retry for later, and time': [
    { 'lane A': { ...newLane, gate: 1 }, ...oneText, ...sending },
    text('text 1'),
    retry('retry', 'message', { due: 2 }),
    dispatcher('claim 1'),
    dispatcher('claim 2'),
    time(2),
  ],
  'two claims, and time': [
    { 'lane A': due, ...queued, 'message 2': queued.message },
    dispatcher('claim 1'),
    dispatcher('claim 2'),
    time(1),
  ],
  'a retry whose number works again while another one goes down': [
    { 'lane A': closed, 'lane B': newLane, ...sending },
    retry('retry', 'message', { lanes }),
    open('opener'),
    close('closer', { lane: 'lane B' }),
  ],
  'a text and a claim that may die, the sweep, and time': [
    { 'lane A': newLane, ...oneText },
    text('text 1', { mayDie: true }),
    dispatcher('claim 1', { mayDie: true }),
    dispatcher('claim 2'),
    sweep('sweep'),
    time(2),
  ],
  'a text, a claim, a retry, and a number that goes down, each of which may die': [
    { ...twoLanes, ...oneText, ...sending },
    text('text 1', { lanes, mayDie: true }),
    retry('retry', 'message', { lanes, mayDie: true }),
    dispatcher('claim 1', { mayDie: true }),
    close('closer', { mayDie: true }),
  ],
  'a worker that comes back after its claim has expired': [
    { 'lane A': newLane, ...sending },
    retry('retry', 'message'),
    sweep('sweep'),
    dispatcher('claim 1'),
    dispatcher('claim 2'),
    time(1),
  ],
  'a worker that comes back late with two outcomes, a claim, and the sweep': [
    { 'lane A': newLane, ...sending, 'message 2': sending.message },
    retry('retry', 'message', { failed: 'message 2' }),
    dispatcher('claim 1'),
    sweep('sweep'),
  ],
  'two texts for two closed lanes': [
    { 'lane A': closed, 'lane B': closed, 'lane C': newLane, ...texts },
    late('text 1', 'lane A', three),
    late('text 2', 'lane B', three),
  ],
  'two texts for two numbers that go down': [
    { ...twoLanes, ...texts },
    late('text 1', 'lane A'),
    late('text 2', 'lane B'),
    close('closer 1'),
    close('closer 2', { lane: 'lane B' }),
  ],
  'a text, a number that goes down, and all numbers that are held': [
    { ...twoLanes, ...oneText, ...numbers },
    late('text 1', 'lane A'),
    close('closer'),
    hold('holder', lanes),
  ],
} satisfies Record<string, Scene>

type SceneName = keyof typeof scenes

function exploreScene([rows, ...programs]: Scene, broken: Broken = null): Exploration {
  return explore({ rows, programs: programs.map((make) => make(broken)) }, faultOf)
}

describe('each message is read in time, none leaves a closed lane, and none is sent twice, in any order', () => {
  it.each(Object.keys(scenes) as SceneName[])('of %s', (name) => {
    const { fault, trace, states } = exploreScene(scenes[name])
    expect({ fault, trace }).toEqual({ fault: null, trace: [] })
    // A process that is blocked from the beginning would prove nothing.
    expect(states).toBeGreaterThan(40)
  })
})

/** For each rule, where the explorer finds that it is broken, and what goes wrong then. */
const found: Record<Exclude<Broken, null>, readonly [scene: SceneName, fault: string]> = {
  'messages-first': ['two texts and two claims', 'message of text 2 waits on lane A, which is not read in time'],
  'lane-not-written': ['two texts and two claims', 'message of text 1 waits on lane A, which is not read in time'],
  'snapshot-decides': ['two texts and two claims', 'message of text 2 waits on lane A, which is not read in time'],
  'no-second-try': ['two texts and two claims', 'message of text 2 was accepted and is not stored'],
  'skips-no-closed-lane': [
    'a text, a claim, and a number that goes down',
    'message of text 1 is left on lane A, which is closed',
  ],
  'late-text-not-moved': [
    'a text that waits, a claim, and a number that goes down',
    'message of text 1 is left on lane A, which is closed',
  ],
  'late-text-locks-one': ['two texts for two closed lanes', 'deadlock of text 1 and text 2'],
  'late-text-goes-on': ['two texts for two numbers that go down', 'deadlock of text 1 and text 2 and closer 1'],
  'open-not-rechecked': [
    'a claim of a pinned message, and a number that goes down',
    'message is claimed from lane A, which is closed',
  ],
  'claim-by-old-snapshot': ['two claims, and time', 'message is claimed twice'],
  'sleep-by-old-snapshot': [
    'two texts that wait, and two claims',
    'message of text 2 waits on lane A, which is not read in time',
  ],
  'retry-in-two': [
    'a claim, a retry, and a number that goes down',
    'message waits on lane A, which is not read in time',
  ],
  'retry-overwrites': [
    'a text, two claims, a retry for later, and time',
    'message of text 1 waits on lane A, which is not read in time',
  ],
  'retry-without-token': ['a worker that comes back after its claim has expired', 'message is claimed twice'],
  'lanes-before-failures': [
    'a worker that comes back late with two outcomes, a claim, and the sweep',
    'deadlock of retry and sweep',
  ],
  'retry-not-moved': ['a claim, a retry, and a number that goes down', 'message is left on lane A, which is closed'],
  'move-without-locks': [
    'a retry whose number works again while another one goes down',
    'message is left on lane B, which is closed',
  ],
  'target-not-due': [
    'a claim, a retry, and a number that goes down',
    'message waits on lane B, which is not read in time',
  ],
  'close-locks-one': ['two numbers that go down at once', 'deadlock of closer 1 and closer 2'],
  'hold-lanes-first': [
    'a text, a number that goes down, and all numbers that are held',
    'deadlock of text 1 and closer and holder',
  ],
  'release-without-lock': [
    'a text, two claims, and held messages that are released',
    'message of text 1 is held although the limits allow it',
  ],
}

describe('a rule that is broken on purpose is found', () => {
  const traces = new Map<string, string>()

  it.each(Object.entries(found) as [keyof typeof rules, (typeof found)['messages-first']][])(
    '%s',
    (rule, [name, fault]) => {
      const result = exploreScene(scenes[name], rule)
      expect(result.fault).toBe(fault)
      traces.set(
        rule,
        [`${rule}: ${rules[rule]}`, `Found in ${name}:`, ...result.trace, `Fault: ${fault}`].join('\n  '),
      )
    },
  )

  it('with the shortest way to its fault', async () => {
    await expect(`${[...traces.values()].join('\n\n')}\n`).toMatchFileSnapshot('lane-model.traces.txt')
  })
})
