import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { bodyBoundsOf } from '#api/http/body/scan.ts'
import { goodInput } from '#testing/matrix/good-input.ts'
import { type MountedRoute, mounted, mountedAs } from '#testing/matrix/mounted.ts'
import { type Counted, handledInputs } from './handled.ts'
import { type LargestInput, largestInput, type Recipe } from './largest-input.ts'
import { cpuWithin, leastCpu } from './least-cpu.ts'
import { readInput } from './read-input.ts'
import { unboundedFields } from './unbounded.ts'

/**
 * The CPU that an input may take, as a multiple of JSON.parse of its bytes and of reading a small input. The worst
 * takes 20.
 */
const factor = 60

/**
 * Milliseconds of CPU that any input may take: garbage of other tests in the process is collected in a small input's
 * time, too. Work that grows with the square of a largest input takes seconds.
 */
const alwaysAllowedMs = 60

function allowedFor(times: number, smallMs: number, parseMs: number): number {
  return Math.max(alwaysAllowedMs, times * (smallMs + parseMs))
}

/** Fields without a maximum, each with the reason why it needs none. */
const exceptions: Readonly<Record<string, string>> = {
  'alert.validate phones.*':
    'a text that is no number is reported with its row; longer ones than a number are not read',
  'alert.batch recipients.*':
    'a text that is no number is reported with its row; longer ones than a number are not read',
  'recipients.validate phones.*': 'a text that is no number is reported with its row; the scan bounds each at 64 KiB',
}

const recipes: readonly Recipe[] = [
  { kind: 'entries', letters: 'one letter' },
  { kind: 'texts', letters: 'any letters' },
]

const readLists = new Set<unknown>()

/**
 * Returns the recipes for a route. As many entries as a list may have are read once, although several routes take the
 * list.
 */
function recipesOf({ route }: MountedRoute): readonly Recipe[] {
  const lists = Object.values(route.bulk && route.body ? route.body.shape : {}).flatMap((field) => {
    const list = field instanceof z.ZodOptional ? field.unwrap() : field
    return list instanceof z.ZodArray ? [list.element] : []
  })
  const isRead = lists.length > 0 && lists.every((entry) => readLists.has(entry))
  for (const entry of lists) readLists.add(entry)
  return isRead ? recipes.filter(({ kind }) => kind === 'texts') : recipes
}

/** What arrives for an input. */
function arriving(route: MountedRoute, { query, body }: Partial<LargestInput>) {
  return { params: goodInput(route).params ?? {}, query: query ?? {}, body: Buffer.from(JSON.stringify(body ?? {})) }
}

function smallInput(route: MountedRoute) {
  const { query, body } = goodInput(route)
  return arriving(route, { query: query ?? {}, body: route.route.upload ? {} : ((body ?? {}) as LargestInput['body']) })
}

/** Returns the CPU that work on so many bytes may take, in milliseconds. */
async function allowedCpu(bytes: Buffer, times: number): Promise<number> {
  const text = JSON.stringify(bytes.toString('latin1'))
  const small = await leastCpu(() => readInput(mountedAs('alert.send'), smallInput(mountedAs('alert.send'))))
  return allowedFor(times, small, await leastCpu(() => JSON.parse(text)))
}

const withInput = mounted.filter(({ route }) => route.query || route.body)

describe('the fields of all routes', () => {
  it('have a maximum, but for those with a reason', () => {
    const found = mounted.flatMap(({ name, route }) =>
      [route.query, route.body].flatMap((schema) =>
        schema ? unboundedFields(schema).map((field) => `${name} ${field}`) : [],
      ),
    )
    expect(found.sort()).toEqual(Object.keys(exceptions).sort())
  })
})

describe('the largest input', () => {
  it.each(withInput.map((route) => [route.name, route] as const))(
    'of %s is taken, in little time',
    async (_name, route) => {
      const small = await leastCpu(() => readInput(route, smallInput(route)))
      for (const recipe of recipesOf(route)) {
        const input = arriving(route, largestInput(route, recipe))
        expect(input.body.length).toBeLessThanOrEqual(bodyBoundsOf(route.route).maxBytes)
        const text = input.body.toString()
        const allowed = allowedFor(factor, small, await leastCpu(() => JSON.parse(text)))
        // Throws when anything of it is refused.
        expect(await cpuWithin(() => readInput(route, input), allowed)).toBeLessThan(allowed)
      }
    },
  )
})

describe('the work on a large input', () => {
  it.each(handledInputs.map((one) => [one.what, one] as const))(
    'is bounded: %s',
    async (_what, { bytes, handle, ...own }) => {
      let counted: readonly Counted[] = []
      const allowed = await allowedCpu(bytes, own.factor ?? factor)
      const cpu = await cpuWithin(async () => {
        counted = await handle()
      }, allowed)
      expect(counted.filter(({ count, most }) => count > most)).toEqual([])
      expect(cpu).toBeLessThan(allowed)
    },
  )
})
